/**
 * How one taker matches what rests: direct orders first at equal price, synthetic liquidity where it is strictly
 * better.
 */

import type { MatchedBefore } from './accounts.ts';
import { smaller } from './amounts.ts';
import { bestSynthetic, crossMatch, isWhole } from './cross-matching.ts';
import { atLimit, fill, fillMaker, plainTrade, queue } from './fills.ts';
import type { OracleOrder, World } from './world.ts';

/** Whether the taker may match at a price: a For order wants at least its limit, an Against order at most. */
export function within(taker: OracleOrder, price: bigint): boolean {
  return taker.isFor ? price >= taker.limit : price <= taker.limit;
}

function isBetter(taker: OracleOrder, a: bigint, b: bigint): boolean {
  return taker.isFor ? a > b : a < b;
}

/** Whether the taker would match anything now. */
export function wouldMatch(world: World, taker: OracleOrder): boolean {
  const [direct] = queue(taker.market, taker.outcome, !taker.isFor);
  if (direct !== undefined && within(taker, direct.limit)) return true;
  const synthetic = bestSynthetic(world, taker);
  return synthetic !== undefined && within(taker, synthetic.price) && isWhole(taker, synthetic);
}

/** Whether the taker would match the least that it takes: tried out in a copy of its market. */
export function reachesMinFill(world: World, taker: OracleOrder): boolean {
  if (taker.minFill === undefined) return true;
  const copy = structuredClone(taker);
  match({ ...world, log: [], changed: new Set() }, copy, new Map());
  return taker.unmatched - copy.unmatched >= taker.minFill;
}

/** Matches as much of the taker as can be; the rest stays its unmatched stake. Returns whether anything matched. */
export function match(world: World, taker: OracleOrder, before: MatchedBefore): boolean {
  const { market } = taker;
  const tradesBefore = taker.trades.length;
  while (taker.unmatched > 0n) {
    const waiting = queue(market, taker.outcome, !taker.isFor);
    const direct = waiting[0];
    const synthetic = bestSynthetic(world, taker);
    const crosses = synthetic !== undefined && within(taker, synthetic.price) && isWhole(taker, synthetic);
    if (crosses && (direct === undefined || isBetter(taker, synthetic.price, direct.limit))) {
      crossMatch(world, taker, synthetic, before);
    } else if (direct !== undefined && within(taker, direct.limit)) {
      for (const maker of atLimit(waiting, direct.limit)) matchDirectly(world, taker, maker, before);
    } else {
      break;
    }
  }
  return taker.trades.length > tradesBefore;
}

function matchDirectly(world: World, taker: OracleOrder, maker: OracleOrder, before: MatchedBefore): void {
  const stake = smaller(taker.unmatched, maker.unmatched);
  if (stake === 0n) return;
  const price = maker.limit;
  fillMaker(world, maker, plainTrade(world, maker, { part: 'maker', stake, price }), before);
  fill(world, taker, plainTrade(world, taker, { part: 'taker', stake, price }), before);
}
