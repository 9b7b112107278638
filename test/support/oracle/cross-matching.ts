/** Synthetic liquidity from resting orders on every other outcome (profile section 6, Cross matching). */

import type { MatchedBefore } from './accounts.ts';
import { divideDown, divideUp, larger, profit, smaller, sum } from './amounts.ts';
import { atLimit, type Deal, fill, fillMaker, plainTrade, queue } from './fills.ts';
import { activeOutcomes, type OracleOrder, type OracleTrade, type World } from './world.ts';

/** The best level of one other outcome. */
interface Source {
  readonly price: bigint;
  readonly orders: readonly OracleOrder[];
}

export interface Synthetic {
  readonly price: bigint;
  readonly amount: bigint;
  readonly sources: readonly Source[];
}

const STEP = 1000n;

/**
 * The best synthetic level for a taker; undefined where there is none. Levels that come to less than a stake step, or
 * (exact rule) to no exact price, are passed over: the source with the smallest payout steps to its next level.
 */
export function bestSynthetic(world: World, taker: OracleOrder): Synthetic | undefined {
  const { terms } = taker.market;
  const all = activeOutcomes(taker.market);
  const single = terms.winners.min === 1 && terms.winners.max === 1;
  if (!terms.crossMatching || !single || all.length < 2 || all.length > 5) return undefined;
  const others = all.filter((outcome) => outcome !== taker.outcome);
  const queues = others.map((outcome) => levels(queue(taker.market, outcome, taker.isFor)));
  while (queues.every((waiting) => waiting.length > 0)) {
    const sources = queues.map((waiting) => waiting[0]!);
    if (overround(sources)) return undefined;
    const payouts = sources.map((source) => (sum(source.orders.map((o) => o.unmatched)) * source.price) / 1000n);
    const least = payouts.reduce(smaller);
    const price = syntheticPrice(world, taker.isFor, sources);
    const amount = price === undefined ? 0n : ((least * 1000n) / price / STEP) * STEP;
    if (price !== undefined && amount > 0n) return { price, amount, sources };
    queues[payouts.indexOf(least)]!.shift();
  }
  return undefined;
}

/** A queue cut into levels of one price. */
function levels(waiting: readonly OracleOrder[]): Source[] {
  const prices = [...new Set(waiting.map((order) => order.limit))];
  return prices.map((price) => ({ price, orders: atLimit(waiting, price) }));
}

/** What the sources' prices leave, 1 − Σ 1/pᵢ, as a fraction. */
function remainder(sources: readonly Source[]): { rest: bigint; whole: bigint } {
  const whole = sources.reduce((product, source) => product * source.price, 1n);
  return { rest: whole - sum(sources.map((source) => (1000n * whole) / source.price)), whole };
}

function overround(sources: readonly Source[]): boolean {
  return remainder(sources).rest <= 0n;
}

/** P of 1/P = 1 − Σ 1/pᵢ as a whole number of thousandths: down from For makers, up from Against makers. */
function syntheticPrice(world: World, makersAreFor: boolean, sources: readonly Source[]): bigint | undefined {
  const { rest, whole } = remainder(sources);
  if (world.rules.crossMatching === 'exact' && (1000n * whole) % rest !== 0n) return undefined;
  const price = makersAreFor ? divideDown(1000n * whole, rest) : divideUp(1000n * whole, rest);
  return price;
}

/** What taker and sources match: floor for For makers, ceiling for Against makers. */
function crossFills(taker: OracleOrder, { price, amount, sources }: Synthetic): { stake: bigint; fills: bigint[] } {
  const stake = smaller(taker.unmatched, amount);
  const round = taker.isFor ? divideDown : divideUp;
  return { stake, fills: sources.map((source) => round(stake * price, source.price)) };
}

/** Whether every source gives something; from a taker's last few units a source may give nothing. */
export function isWhole(taker: OracleOrder, synthetic: Synthetic): boolean {
  return crossFills(taker, synthetic).fills.every((fill) => fill > 0n);
}

/** Takes what the taker wants of a synthetic level from its sources, in outcome order, each from its queue's front. */
export function crossMatch(world: World, taker: OracleOrder, synthetic: Synthetic, before: MatchedBefore): void {
  const { stake, fills } = crossFills(taker, synthetic);
  const groups = synthetic.sources.map((source, index) => makerTrades(world, source, fills[index]!));
  const takerTrade = plainTrade(world, taker, { part: 'cross taker', stake, price: synthetic.price });
  if (taker.isFor) shortenWinners(groups, takerTrade);
  else burdenTaker(groups, takerTrade);
  for (const trade of groups.flat()) fillMaker(world, trade.order, trade, before);
  fill(world, taker, takerTrade, before);
}

function makerTrades(world: World, source: Source, stake: bigint): OracleTrade[] {
  const trades: OracleTrade[] = [];
  let left = stake;
  for (const order of source.orders) {
    const piece: Deal = { part: 'cross maker', stake: smaller(left, order.unmatched), price: source.price };
    if (piece.stake === 0n) break;
    trades.push(plainTrade(world, order, piece));
    left -= piece.stake;
  }
  return trades;
}

const stakes = (trades: readonly OracleTrade[]): bigint => sum(trades.map((trade) => trade.stake));

/** For makers: the winner receives no more than the others paid in; the last pieces of a queue bear the shortening. */
function shortenWinners(groups: readonly OracleTrade[][], taker: OracleTrade): void {
  const pot = taker.stake + stakes(groups.flat());
  for (const group of [...groups, [taker]]) {
    let missing = sum(group.map((trade) => trade.win)) - (pot - stakes(group));
    for (const trade of [...group].reverse()) {
      const cut = smaller(trade.win, larger(0n, missing));
      trade.win -= cut;
      missing -= cut;
    }
  }
}

/** Against makers: whichever outcome wins, the taker bears the amount by which the payers' payments fall short. */
function burdenTaker(groups: readonly OracleTrade[][], taker: OracleTrade): void {
  const makersStake = stakes(groups.flat());
  taker.win = -larger(profit(taker.stake, taker.price), makersStake);
  const shortfalls = groups.map((group) => {
    const paid = -sum(group.map((trade) => trade.win));
    return taker.stake + makersStake - stakes(group) - paid;
  });
  const worst = shortfalls.reduce(larger, 0n);
  taker.lose = taker.stake - worst;
}
