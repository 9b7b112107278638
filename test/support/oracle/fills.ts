/** Queues of resting orders, and what one fill does to an order. */

import { type MatchedBefore, rememberMatched } from './accounts.ts';
import { asMoney, asPrice, profit, sum } from './amounts.ts';
import { LADDER } from './ladder.ts';
import { disturb, emit, type OracleMarket, type OracleOrder, type OracleTrade, type World } from './world.ts';

/**
 * Orders that rest on one side of one outcome, best for a taker first, then the earliest; without those of a level that holds less than a
 * thousandth.
 */
export function queue(market: OracleMarket, outcome: number, isFor: boolean): OracleOrder[] {
  const resting = market.orders.filter(
    (order) =>
      order.restedAs !== undefined && order.unmatched > 0n && order.outcome === outcome && order.isFor === isFor,
  );
  const shown = resting.filter(({ limit }) => sum(atLimit(resting, limit).map((order) => order.unmatched)) >= 1000n);
  return shown.sort((a, b) => {
    if (a.limit !== b.limit) return a.limit < b.limit === isFor ? -1 : 1;
    return a.restedAs! - b.restedAs!;
  });
}

/** Those of the orders that rest at a price. */
export function atLimit(orders: readonly OracleOrder[], limit: bigint): readonly OracleOrder[] {
  return orders.filter((order) => order.limit === limit);
}

export interface Deal {
  readonly part: OracleTrade['part'];
  readonly stake: bigint;
  readonly price: bigint;
}

/** A trade that wins and loses what its price says. */
export function plainTrade(world: World, order: OracleOrder, { part, stake, price }: Deal): OracleTrade {
  const gain = profit(stake, price);
  const [win, lose] = order.isFor ? [gain, -stake] : [-gain, stake];
  return { id: world.tradeCount++, order, part, at: world.now, stake, price, win, lose, annulled: false };
}

export function fillMaker(world: World, maker: OracleOrder, trade: OracleTrade, before: MatchedBefore): void {
  fill(world, maker, trade, before);
  if (maker.unmatched === 0n) maker.restedAs = undefined;
  maker.status = maker.unmatched === 0n ? 'Matched' : 'PartiallyMatched';
  emitOrder(world, maker);
}

export function fill(world: World, order: OracleOrder, trade: OracleTrade, before: MatchedBefore): void {
  rememberMatched(before, order.market, order.wallet);
  order.trades.push(trade);
  order.unmatched -= trade.stake;
  order.market.lastTicks[order.outcome] = shownAt(trade);
  disturb(world, order.market);
  emit(world, {
    kind: 'orderMatched',
    trade: trade.id,
    order: order.id,
    price: asPrice(trade.price),
    stake: asMoney(trade.stake),
  });
}

/** The tick at which a trade is shown: of a cross match's taker the nearest ladder price that is worse for it. */
function shownAt({ order, price }: OracleTrade): number {
  const at = LADDER.indexOf(price);
  if (at >= 0) return at;
  return order.isFor ? LADDER.findLastIndex((each) => each < price) : LADDER.findIndex((each) => each > price);
}

/** Whether stake of the order may still match. */
export function isLive(order: OracleOrder): boolean {
  return order.unmatched > 0n;
}

type Reason = 'UserRequest' | 'CancelUnmatched' | 'MarketInPlay' | 'MarketLock' | 'MarketSettled';

/** Emits the order as it now stands; a reason belongs to Cancelled and Failed orders only (specification, Order). */
export function emitOrder(
  world: World,
  order: OracleOrder,
  reason?: Reason | 'HeartbeatLapsed' | 'CreationFailed' | 'MarketSuspended' | 'OutcomeRemoved',
): void {
  const optional =
    reason !== undefined && (order.status === 'Cancelled' || order.status === 'Failed') ? { reason } : {};
  emit(world, {
    kind: 'orderChanged',
    order: order.id,
    status: order.status,
    stakeUnmatched: asMoney(order.unmatched),
    stakeVoided: asMoney(order.voided),
    ...optional,
  });
}
