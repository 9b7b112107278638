/** A non-runner: what its removal does to bets on it and on the others. */

import type { MarketCommand } from '../../../src/matching/messages/command.ts';
import type { CommandRefusal } from '../../../src/matching/messages/event.ts';
import { type MatchedBefore, postMatched, rememberMatched } from './accounts.ts';
import { asPrice, larger, profit, smaller } from './amounts.ts';
import { LADDER } from './ladder.ts';
import { isResting, voidUnmatched } from './orders.ts';
import { payAgain, voidOrder } from './settlement.ts';
import { disturb, emit, type OracleMarket, type OracleOrder, type OracleTrade, type World } from './world.ts';

type Remove = Extract<MarketCommand, { kind: 'removeOutcome' }>;

/** From which factor on bets are repriced and kept orders reduced, and from which the other ones are voided. */
const REPRICED_FROM_PPM = { win: 25_000, place: 0 };
const VOIDED_FROM_PPM = { win: 25_000, place: 40_000 };
const LOWEST_PRICE = 1010n;

export function removeOutcome(world: World, market: OracleMarket, command: Remove): CommandRefusal | undefined {
  const { outcome, factorPpm } = command;
  const isPaid = world.rules.betfairRemovals && market.status === 'Settled';
  if (!isPaid && !['Initializing', 'Open', 'Locking', 'Locked'].includes(market.status)) return 'INVALID_MOVE';
  if (market.removed[outcome] !== false || factorPpm < 0 || factorPpm >= 1_000_000) return 'INVALID_ARGUMENT';
  emit(world, { kind: 'outcomeRemoved', market: market.id, outcome, factorPpm });
  const { verdict } = market;
  if (!isPaid || verdict === undefined) {
    takeOut(world, market, command);
    return undefined;
  }
  return payAgain(world, market, () => {
    takeOut(world, market, command);
    const winners = verdict.winners.filter((winner) => winner !== outcome);
    return { winners, places: Math.min(verdict.places, winners.length) };
  });
}

function takeOut(world: World, market: OracleMarket, command: Remove): void {
  const { outcome } = command;
  const before: MatchedBefore = new Map();
  for (const order of market.orders) rememberMatched(before, market, order.wallet);
  market.removed[outcome] = true;
  disturb(world, market);
  for (const order of market.orders) {
    if (order.outcome !== outcome) continue;
    voidOrder(world, order);
    for (const trade of order.trades) trade.annulled = true;
  }
  reduce(world, market, command);
  disturb(world, market);
  postMatched(world, market, before);
}

/** Reprices matched bets on the other outcomes, and voids or reduces what rests Against them. */
function reduce(world: World, market: OracleMarket, command: Remove): void {
  if (command.factorPpm === 0) return;
  const reprices = command.factorPpm >= REPRICED_FROM_PPM[command.basis];
  const voids = command.factorPpm >= VOIDED_FROM_PPM[command.basis];
  const isLate = world.rules.betfairRemovals && market.inPlayStatus === 'InPlay';
  const wasBefore = (trade: OracleTrade) => !isLate || trade.id < market.firstTradeInPlay;
  const trades = market.orders.flatMap((order) => order.trades.filter((trade) => !trade.annulled && wasBefore(trade)));
  if (reprices) for (const trade of trades.sort((a, b) => a.id - b.id)) reprice(world, trade, command);
  for (const order of isLate ? [] : market.orders) {
    if (order.isFor || !isResting(order)) continue;
    const isKept = world.rules.betfairRemovals && order.keepWhenInPlay;
    if (isKept && reprices) lower(world, order, command);
    else if (!isKept && voids) voidUnmatched(world, order, 'OutcomeRemoved');
  }
}

/** The order rests at the best ladder price that offers no more than the reduced one, last in the queue. */
function lower(world: World, order: OracleOrder, command: Remove): void {
  const most = exactly(order.limit, command);
  const limit = LADDER.findLast((price) => price * 1_000_000n <= most) ?? LOWEST_PRICE;
  if (limit === order.limit) return;
  order.limit = limit;
  order.restedAs = world.restCount++;
  disturb(world, order.market);
  emit(world, { kind: 'orderReduced', order: order.id, price: asPrice(limit) });
}

/** The reduced price in 10⁻⁹. */
function exactly(price: bigint, { factorPpm, basis }: Remove): bigint {
  const kept = 1_000_000n - BigInt(factorPpm);
  return basis === 'win' ? price * kept : 1_000_000_000n + (price - 1000n) * kept;
}

function reprice(world: World, trade: OracleTrade, command: Remove): void {
  const exact = exactly(trade.price, command);
  const reduced = world.rules.betfairRemovals ? ((exact + 5_000_000n) / 10_000_000n) * 10n : exact / 1_000_000n;
  const price = smaller(trade.price, larger(reduced, LOWEST_PRICE));
  if (price === trade.price) return;
  trade.price = price;
  const gain = profit(trade.stake, price);
  trade.win = trade.order.isFor ? gain : -gain;
  emit(world, { kind: 'tradeRepriced', trade: trade.id, price: asPrice(price) });
}
