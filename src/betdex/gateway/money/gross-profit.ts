/** Adds up what the trades of a market with a result brought, before commission. */

import { faultsText } from '../../../codec/fault.ts';
import { Unreadable } from '../../../codec/lenient.ts';
import { type Money, profitAt, ZERO } from '../../../core/number/units.ts';
import type { OrderStatus } from '../../../core/order.ts';
import type { ReadFailure } from '../../../exchange-live/connection/call-outcome.ts';
import type { LiveMarket } from '../../../exchange-live/markets/live-market.ts';
import type { OrderFacts } from '../../../exchange-live/orders/order-facts.ts';
import type { LenientAnswerOf } from '../../client/call.ts';
import { amountFromWire, partFromWire, priceFromWire } from '../../wire/codec/decimals.ts';

type TradeDocument = Exclude<LenientAnswerOf<'listTrades'>['trades'][number], Unreadable>;

export interface TradesOfMarket {
  readonly trades: LenientAnswerOf<'listTrades'>['trades'];
  readonly orders: readonly OrderFacts[];
  readonly market: Pick<LiveMarket, 'winnerIds' | 'winners'>;
}

/**
 * Gross profit by wallet id. A trade may lack its wallet, which its order names, and its profit, which the order's status tells. Without one of its
 * trades the result is not known, and is read again.
 */
export function grossByWallet({ trades, orders, market }: TradesOfMarket): Map<string, number> | ReadFailure {
  const orderById = new Map(orders.map((order) => [String(order.id), order]));
  const gross = new Map<string, number>();
  for (const trade of trades) {
    if (trade instanceof Unreadable) return senseless(trade.part.id, faultsText(trade.faults));
    const order = orderById.get(trade.order._ids[0] ?? '');
    const wallet = trade.walletId ?? order?.walletId;
    const profit = trade.profitLoss === undefined ? profitOf(trade, order, market) : moneyOf(trade.profitLoss);
    if (wallet === undefined || profit === undefined)
      return senseless(trade.id, 'its wallet or its profit makes no sense, or is not told');
    gross.set(wallet, (gross.get(wallet) ?? 0) + profit);
  }
  return gross;
}

function moneyOf(value: number): Money | undefined {
  const amount = amountFromWire(value);
  return amount.kind === 'read' ? amount.value : undefined;
}

/** By the specification's table. In a dead heat, where more outcomes won than the market pays, the table does not hold (profile section 7). */
function profitOf(
  trade: TradeDocument,
  order: OrderFacts | undefined,
  { winnerIds, winners }: TradesOfMarket['market'],
): number | undefined {
  if (order?.status === 'Voided') return ZERO;
  const stake = partFromWire(trade.stake);
  const price = priceFromWire(trade.price);
  const mayBeDeadHeat = winnerIds.length > Math.max(1, winners.min);
  if (order === undefined || mayBeDeadHeat || stake.kind !== 'read' || price.kind !== 'read') return undefined;
  return BY_STATUS[order.status ?? 'Pending']?.[order.side](stake.value, profitAt(stake.value, price.value));
}

type Profit = (stake: Money, winnings: Money) => number;

/** Other statuses say nothing of the result. */
const BY_STATUS: Partial<Readonly<Record<OrderStatus, Readonly<Record<OrderFacts['side'], Profit>>>>> = {
  Won: { For: (_stake, winnings) => winnings, Against: (stake) => stake },
  Lost: { For: (stake) => -stake, Against: (_stake, winnings) => -winnings },
};

function senseless(trade = 'without an id', details: string): ReadFailure {
  return { kind: 'failed', code: 'BAD_ANSWER', details: `trade ${trade}: ${details}` };
}
