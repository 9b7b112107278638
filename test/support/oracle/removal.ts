/** A non-runner: what its removal does to bets on it and on the others. */

import type { MarketCommand } from '../../../src/matching/command.ts';
import type { CommandRefusal } from '../../../src/matching/event.ts';
import { type MatchedBefore, postMatched, rememberMatched } from './accounts.ts';
import { asPrice, larger, profit, smaller } from './amounts.ts';
import { isResting, voidUnmatched } from './orders.ts';
import { voidOrder } from './settlement.ts';
import { disturb, emit, type OracleMarket, type OracleTrade, type World } from './world.ts';

type Remove = Extract<MarketCommand, { kind: 'removeOutcome' }>;

const THRESHOLD_PPM = 25_000;
const LOWEST_PRICE = 1010n;

export function removeOutcome(world: World, market: OracleMarket, command: Remove): CommandRefusal | undefined {
  const { outcome, factorPpm } = command;
  if (market.settlement !== undefined || !['Initializing', 'Open', 'Locking', 'Locked'].includes(market.status)) {
    return 'INVALID_MOVE';
  }
  if (market.removed[outcome] !== false || factorPpm < 0 || factorPpm >= 1_000_000) return 'INVALID_ARGUMENT';
  const before: MatchedBefore = new Map();
  for (const order of market.orders) rememberMatched(before, market, order.wallet);
  market.removed[outcome] = true;
  disturb(world, market);
  emit(world, { kind: 'outcomeRemoved', market: market.id, outcome, factorPpm });
  for (const order of market.orders) {
    if (order.outcome !== outcome) continue;
    voidOrder(world, order);
    for (const trade of order.trades) trade.annulled = true;
  }
  if (factorPpm >= THRESHOLD_PPM) reduce(world, market, command);
  disturb(world, market);
  postMatched(world, market, before);
  return undefined;
}

/** Reprices matched bets on the other outcomes and voids what rests Against them. */
function reduce(world: World, market: OracleMarket, command: Remove): void {
  const trades = market.orders.flatMap((order) => order.trades.filter((trade) => !trade.annulled));
  for (const trade of trades.sort((a, b) => a.id - b.id)) reprice(world, trade, command);
  for (const order of market.orders) {
    if (!order.isFor && isResting(order)) voidUnmatched(world, order, 'OutcomeRemoved');
  }
}

function reprice(world: World, trade: OracleTrade, { factorPpm, basis }: Remove): void {
  const kept = 1_000_000n - BigInt(factorPpm);
  const reduced =
    basis === 'win' ? (trade.price * kept) / 1_000_000n : 1000n + ((trade.price - 1000n) * kept) / 1_000_000n;
  const price = smaller(trade.price, larger(reduced, LOWEST_PRICE));
  if (price === trade.price) return;
  trade.price = price;
  const gain = profit(trade.stake, price);
  trade.win = trade.order.isFor ? gain : -gain;
  emit(world, { kind: 'tradeRepriced', trade: trade.id, price: asPrice(price) });
}
