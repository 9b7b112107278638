/** Orders as documents: in full, as rows of historical lists, as summaries beside trades, and failures. */

import { tickToWire } from '../../../betdex/wire/codec/decimals.ts';
import type { Order, OrderFailure, OrderSettled, OrderSummary } from '../../../betdex/wire/shapes/orders.ts';
import { referTo } from '../../../betdex/wire/shapes/references.ts';
import type { Written } from '../../../codec/notation.ts';
import { assert, defined } from '../../../core/checks/assert.ts';
import { moneyToDecimal } from '../../../core/number/units.ts';
import type { OrderErrorCode } from '../../../core/order.ts';
import type { OrderView } from '../../../matching/state/views.ts';
import { numericId } from '../../world/ids.ts';
import type { World } from '../../world/world.ts';
import { marketRecord } from '../markets/market-facts.ts';
import { settledDates } from '../markets/settled-dates.ts';
import { timestampText } from '../text/timestamp-text.ts';

type OrderDocument = Written<typeof Order>;
type Mutable<T> = { -readonly [K in keyof T]: T[K] };
/** Required fields that follow optional ones in the schema's order. */
type Late = 'status' | 'matchBehavior';
type Begun = Mutable<Omit<OrderDocument, Late> & Partial<Pick<OrderDocument, Late>>>;

/**
 * An order in full. Called for each of the 50 orders of a batch, so it makes only one object and its references; a
 * spread or Object.assign would take twenty times as long. The fields are in the schema's order, as `writer` would
 * write them.
 */
export function orderDocument({ catalogue, registry }: World, order: OrderView): OrderDocument {
  const market = defined(catalogue.markets.get(order.market), 'an order is in a market of the catalogue');
  const outcome = defined(market.outcomes[order.outcome], 'an order is on an outcome of its market');
  const { status, reason, reference, commissionRate } = order;
  const document: Begun = {
    id: numericId(order.id),
    appId: registry.app(order.app).id,
    market: referTo('markets', [market.id]),
    walletId: registry.wallet(order.wallet).id,
    side: order.side,
    outcomeId: outcome.id,
    outcomeTitle: outcome.title,
    price: tickToWire(order.tick),
    stake: moneyToDecimal(order.stake),
    stakeUnmatched: moneyToDecimal(order.stakeUnmatched),
    stakeVoided: moneyToDecimal(order.stakeVoided),
    keepWhenInPlay: order.keepWhenInPlay,
    createdAt: timestampText(order.createdAt),
    modifiedAt: timestampText(order.modifiedAt),
  };
  if (commissionRate !== undefined)
    document.commissionRateId = defined(registry.rates[commissionRate], 'the rate of an order is registered').id;
  if (reference !== undefined) document.reference = reference;
  document.status = status;
  document.matchBehavior = order.matchBehavior;
  // The machine may keep a reason for an order that ended in another way.
  if (reason !== undefined && (status === 'Cancelled' || status === 'Failed')) document.cancellationReason = reason;
  assert(isWhole(document), 'an order has a status and a behaviour');
  return document;
}

function isWhole(document: Begun): document is Mutable<OrderDocument> {
  return document.status !== undefined && document.matchBehavior !== undefined;
}

/** A row of the historical list; the order's market must be settled or voided. */
export function settledOrder(world: World, order: OrderView): Written<typeof OrderSettled> {
  return { ...orderDocument(world, order), ...settledDates(world, order.market) };
}

export function orderSummary(world: World, order: OrderView): Written<typeof OrderSummary> {
  const market = marketRecord(world, order.market);
  const outcome = defined(market.outcomes[order.outcome], 'an order is on an outcome of its market');
  return {
    id: numericId(order.id),
    market: referTo('markets', [market.id]),
    side: order.side,
    outcomeId: outcome.id,
    outcomeTitle: outcome.title,
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
