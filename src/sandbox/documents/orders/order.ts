/** Orders as documents: in full, as rows of the history, reduced beside trades, and the failure in the place of one. */

import { tickToWire } from '../../../betdex/wire/codec/decimals.ts';
import type { Written } from '../../../betdex/wire/codec/notation.ts';
import type { Order, OrderFailure, OrderSettled, OrderSummary } from '../../../betdex/wire/shapes/orders.ts';
import { referTo } from '../../../betdex/wire/shapes/references.ts';
import { assert, present } from '../../../core/checks/assert.ts';
import { moneyToDecimal } from '../../../core/number/units.ts';
import type { OrderErrorCode } from '../../../core/order.ts';
import type { OrderView } from '../../../matching/state/views.ts';
import { numericId } from '../../world/ids.ts';
import type { World } from '../../world/world.ts';
import { marketRecord } from '../markets/market-facts.ts';
import { settledDates } from '../markets/settled-dates.ts';
import { momentText } from '../text/timestamp-text.ts';

type OrderDocument = Written<typeof Order>;
type Mutable<T> = { -readonly [K in keyof T]: T[K] };
/** What stands behind the optional fields in the schema's order. */
type Late = 'status' | 'matchBehavior';
type Begun = Mutable<Omit<OrderDocument, Late> & Partial<Pick<OrderDocument, Late>>>;

/**
 * Made for each of the 50 orders of a batch, so that it makes one object and its reference, no more; a spread or
 * Object.assign would take twenty times as long. Its fields stand in the schema's order: it is as `writer` would give it.
 */
export function orderDocument({ catalogue, holders }: World, order: OrderView): OrderDocument {
  const market = present(catalogue.markets.get(order.market), 'an order is in a market of the catalogue');
  const outcome = present(market.outcomes[order.outcome], 'an order is on an outcome of its market');
  const { status, reason, reference, commissionRate } = order;
  const document: Begun = {
    id: numericId(order.id),
    appId: holders.app(order.app).id,
    market: referTo('markets', [market.id]),
    walletId: holders.wallet(order.wallet).id,
    side: order.side,
    outcomeId: outcome.id,
    outcomeTitle: outcome.title,
    price: tickToWire(order.tick),
    stake: moneyToDecimal(order.stake),
    stakeUnmatched: moneyToDecimal(order.stakeUnmatched),
    stakeVoided: moneyToDecimal(order.stakeVoided),
    keepWhenInPlay: order.keepWhenInPlay,
    createdAt: momentText(order.createdAt),
    modifiedAt: momentText(order.modifiedAt),
  };
  if (commissionRate !== undefined)
    document.commissionRateId = present(holders.rates[commissionRate], 'an order has a rate of the holders').id;
  if (reference !== undefined) document.reference = reference;
  document.status = status;
  document.matchBehavior = order.matchBehavior;
  // The machine may keep a reason for an order that ended otherwise.
  if (reason !== undefined && (status === 'Cancelled' || status === 'Failed')) document.cancellationReason = reason;
  assert(isWhole(document), 'an order has a status and a behaviour');
  return document;
}

function isWhole(document: Begun): document is Mutable<OrderDocument> {
  return document.status !== undefined && document.matchBehavior !== undefined;
}

/** Of an order whose market is settled or voided. */
export function settledOrder(world: World, order: OrderView): Written<typeof OrderSettled> {
  return { ...orderDocument(world, order), ...settledDates(world, order.market) };
}

export function orderSummary(world: World, order: OrderView): Written<typeof OrderSummary> {
  const market = marketRecord(world, order.market);
  const outcome = present(market.outcomes[order.outcome], 'an order is on an outcome of its market');
  return {
    id: numericId(order.id),
    market: referTo('markets', [market.id]),
    ...{ side: order.side, outcomeId: outcome.id, outcomeTitle: outcome.title },
    price: tickToWire(order.tick),
    stake: moneyToDecimal(order.stake),
    stakeUnmatched: moneyToDecimal(order.stakeUnmatched),
    stakeVoided: moneyToDecimal(order.stakeVoided),
    status: order.status,
    ...(order.reference === undefined ? {} : { reference: order.reference }),
  };
}

const REFUSALS: Readonly<Record<OrderErrorCode, string>> = {
  MARKET_NOT_FOUND: 'There is no such market.',
  INVALID_MARKET_STATUS: 'The market takes no orders now.',
  SUSPENDED_MARKET: 'The market is suspended.',
  MARKET_OUTCOME_NOT_FOUND: 'The market has no such outcome.',
  COMMISSION_RATE_NOT_FOUND: 'The app has no such commission rate.',
  WALLET_NOT_FOUND: 'The app has no such wallet that could bet.',
  WALLET_INSUFFICIENT_CREDIT: 'The wallet has nothing available in any currency.',
  WALLET_ACCOUNT_NOT_FOUND: "The wallet has no balance in the market's currency.",
  WALLET_ACCOUNT_INSUFFICIENT_CREDIT: "The wallet's available balance does not cover what the order could lose.",
  MARKET_POSITION_NOT_FOUND: 'The wallet has no position in the market.',
  ORDER_ALREADY_EXISTS: 'The app has an order of this reference.',
  INTERRUPTED: 'The processing stopped before the fate of the order was known.',
};

export function refusalText(code: OrderErrorCode): string {
  return REFUSALS[code];
}

export function orderFailure(errorCode: OrderErrorCode): Written<typeof OrderFailure> {
  return { errorCode, errorMessage: REFUSALS[errorCode] };
}
