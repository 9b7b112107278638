/** The trades of a time become void: each order is as if they had never been, but for its stake, which is void as well. */

import type { MarketCommand } from '../../../src/matching/messages/command.ts';
import type { CommandRefusal } from '../../../src/matching/messages/event.ts';
import { type MatchedBefore, postMatched, rememberMatched } from './accounts.ts';
import { asMoney, sum } from './amounts.ts';
import { emitOrder } from './fills.ts';
import { disturb, emit, type OracleMarket, type OracleOrder, type World } from './world.ts';

type VoidTrades = Extract<MarketCommand, { kind: 'voidTrades' }>;

export function voidTrades(world: World, market: OracleMarket, { from, to }: VoidTrades): CommandRefusal | undefined {
  if (!['Initializing', 'Open', 'Locking', 'Locked'].includes(market.status)) return 'INVALID_MOVE';
  if (from > to) return 'INVALID_ARGUMENT';
  const before: MatchedBefore = new Map();
  for (const order of market.orders) {
    const trades = order.trades.filter(({ at, stake, annulled }) => !annulled && stake > 0n && at >= from && at <= to);
    if (trades.length === 0) continue;
    rememberMatched(before, market, order.wallet);
    for (const trade of trades) {
      order.voided += trade.stake;
      trade.stake = 0n;
      trade.win = 0n;
      trade.lose = 0n;
      emit(world, { kind: 'tradeSettled', trade: trade.id, profitLoss: asMoney(0n) });
    }
    order.status = statusOf(order);
    emitOrder(world, order);
    // What a wallet held before is asked once only, so later orders of it find the remembered amount.
    disturb(world, market);
  }
  postMatched(world, market, before);
  return undefined;
}

function statusOf({ unmatched, trades }: OracleOrder): OracleOrder['status'] {
  const isMatched = sum(trades.map(({ stake }) => stake)) > 0n;
  if (isMatched) return unmatched > 0n ? 'PartiallyMatched' : 'Matched';
  return unmatched > 0n ? 'Unmatched' : 'Voided';
}
