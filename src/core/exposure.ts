/**
 * The most that a set of bets on one market can lose, over every allowed set of winners (profile section 6, "Funds").
 */

import type { WinnersRange } from './market.ts';
import { type Money, type Price, profitAt } from './number/units.ts';
import { AGAINST, FOR, type SideIndex } from './side.ts';

/**
 * Per outcome i, in money: profit or loss of the matched bets on i if i wins (`win`) and if it loses (`lose`),
 * and what the unmatched stake there would add to the loss in each case. One object may hold many positions: each
 * takes `outcomes` slots from its `firstSlot` in all four columns.
 */
export interface ExposureColumns {
  readonly win: Float64Array;
  readonly lose: Float64Array;
  readonly unmatchedWin: Float64Array;
  readonly unmatchedLose: Float64Array;
}

/** Where one position's slots are, and how many outcomes may win: `removed[firstSlot + i]` non-zero marks an outcome that cannot. */
export interface ExposureShape {
  readonly firstSlot: number;
  readonly outcomes: number;
  readonly winners: WinnersRange;
  readonly removed?: Uint8Array;
}

export function createExposureColumns(slots: number): ExposureColumns {
  return {
    win: new Float64Array(slots),
    lose: new Float64Array(slots),
    unmatchedWin: new Float64Array(slots),
    unmatchedLose: new Float64Array(slots),
  };
}

/** Adds the risk of unmatched stake, as `unmatchedRisk` gives it; a negative risk takes it away again. */
export function addUnmatched(columns: ExposureColumns, slot: number, side: SideIndex, risk: Money): void {
  const column = side === FOR ? columns.unmatchedLose : columns.unmatchedWin;
  column[slot] = (column[slot] ?? 0) + risk;
}

/** What unmatched stake adds to the loss: the stake for For, stake × (limit − 1) for Against. */
export function unmatchedRisk(side: SideIndex, stake: Money, limit: Price): Money {
  return side === FOR ? stake : profitAt(stake, limit);
}

/**
 * Adds a match to the position. `winnings` is the backer's profit: stake × (price − 1), except in cross matches, where
 * the exchange states it.
 */
export function addMatch(
  columns: ExposureColumns,
  slot: number,
  side: SideIndex,
  match: { readonly stake: Money; readonly winnings: Money },
): void {
  const sign = side === AGAINST ? -1 : 1;
  columns.win[slot] = (columns.win[slot] ?? 0) + sign * match.winnings;
  columns.lose[slot] = (columns.lose[slot] ?? 0) - sign * match.stake;
}

/** Profit or loss of all matched bets if this outcome alone wins: S(W) for a single winner. */
export function profitIfWins(columns: ExposureColumns, shape: ExposureShape, winner: number): Money {
  let total = 0;
  for (let i = 0; i < shape.outcomes; i += 1) {
    const slot = shape.firstSlot + i;
    total += (i === winner ? columns.win[slot] : columns.lose[slot]) ?? 0;
  }
  return total as Money;
}

/**
 * Funds that a position needs: `required` is R, for matched and unmatched bets; `matched` is M, for matched bets only.
 */
export interface Needs {
  required: Money;
  matched: Money;
}

/**
 * R, the funds held for matched and unmatched bets: the maximum over W of U(W) + max(0, −S(W)), where U(W) is what the
 * unmatched bets can lose and S(W) the profit of the matched ones.
 */
export function requiredFunds(columns: ExposureColumns, shape: ExposureShape): Money {
  measureNeeds(columns, shape, scratchNeeds);
  return scratchNeeds.required;
}

/** M, the most that the matched bets can lose: the maximum over W of max(0, −S(W)). */
export function matchedLoss(columns: ExposureColumns, shape: ExposureShape): Money {
  measureNeeds(columns, shape, scratchNeeds);
  return scratchNeeds.matched;
}

/**
 * W, the most that can be lost whatever is filled and whichever outcomes win: the maximum over W of U(W) − S(W). It never counts
 * on an order that is not filled yet. Below zero where every result is a profit; a voided market brings none. Less than R
 * where winnings of matched bets would pay for unmatched ones, which the exchange does not reckon with.
 */
export function possibleLoss(columns: ExposureColumns, shape: ExposureShape): Money {
  return isSingle(shape) ? measureSingle(columns, shape, scratchNeeds) : (worst(columns, shape, 1) as Money);
}

/**
 * The loss of the matched bets in their worst result, the maximum over W of −S(W). Negative where every result is a
 * profit.
 */
export function lossAtWorst(columns: ExposureColumns, shape: ExposureShape): Money {
  return worst(columns, shape, 2) as Money;
}

/**
 * Writes R and M into `into`, and answers `possibleLoss`: in one pass where exactly one outcome wins. R is the larger of max
 * U(W) and max (U − S)(W). Each of U, U − S and −S is a sum over outcomes: a base in which all outcomes lose, plus a
 * difference for each winner, so that the k largest differences give the exact maximum for k winners.
 */
export function measureNeeds(columns: ExposureColumns, shape: ExposureShape, into: Needs): Money {
  if (isSingle(shape)) return measureSingle(columns, shape, into);
  const possible = worst(columns, shape, 1);
  into.required = Math.max(worst(columns, shape, 0), possible) as Money;
  into.matched = Math.max(0, worst(columns, shape, 2)) as Money;
  return possible as Money;
}

const scratchNeeds: Needs = { required: 0 as Money, matched: 0 as Money };
/** The largest differences so far, largest first; as many as outcomes may win. */
let top = new Float64Array(64);

function isSingle({ winners }: ExposureShape): boolean {
  return winners.min === 1 && winners.max === 1;
}

function measureSingle(columns: ExposureColumns, shape: ExposureShape, into: Needs): Money {
  const { win, lose, unmatchedWin, unmatchedLose } = columns;
  const { firstSlot, outcomes, removed } = shape;
  let baseU = 0;
  let baseS = 0;
  let bestU = Number.NEGATIVE_INFINITY;
  let bestUS = Number.NEGATIVE_INFINITY;
  let bestS = Number.NEGATIVE_INFINITY;
  for (let slot = firstSlot; slot < firstSlot + outcomes; slot += 1) {
    const uLose = unmatchedLose[slot] ?? 0;
    const sLose = lose[slot] ?? 0;
    baseU += uLose;
    baseS += sLose;
    if (removed !== undefined && removed[slot] !== 0) continue;
    const u = (unmatchedWin[slot] ?? 0) - uLose;
    const s = sLose - (win[slot] ?? 0);
    if (u > bestU) bestU = u;
    if (u + s > bestUS) bestUS = u + s;
    if (s > bestS) bestS = s;
  }
  if (bestU === Number.NEGATIVE_INFINITY) {
    bestU = 0;
    bestUS = 0;
    bestS = 0;
  }
  const possible = baseU - baseS + bestUS;
  into.required = Math.max(baseU + bestU, possible) as Money;
  into.matched = Math.max(0, bestS - baseS) as Money;
  return possible as Money;
}

/** The maximum over W of U (term 0), U − S (term 1) or −S (term 2), for any range of winners. */
function worst(columns: ExposureColumns, shape: ExposureShape, term: 0 | 1 | 2): number {
  const { firstSlot, outcomes, winners, removed } = shape;
  const most = Math.min(winners.max, outcomes);
  if (top.length < most) top = new Float64Array(2 * most);
  let allLose = 0;
  let eligible = 0;
  for (let slot = firstSlot; slot < firstSlot + outcomes; slot += 1) {
    const unmatchedLose = term === 2 ? 0 : (columns.unmatchedLose[slot] ?? 0);
    const unmatchedWin = term === 2 ? 0 : (columns.unmatchedWin[slot] ?? 0);
    const lose = unmatchedLose - (term === 0 ? 0 : (columns.lose[slot] ?? 0));
    const win = unmatchedWin - (term === 0 ? 0 : (columns.win[slot] ?? 0));
    allLose += lose;
    if (removed !== undefined && removed[slot] !== 0) continue;
    keep(win - lose, eligible, most);
    eligible += 1;
  }
  return allLose + bestOfSizes(Math.min(winners.min, eligible), Math.min(most, eligible));
}

/** Inserts a difference among the `most` largest of the `seen` ones. */
function keep(difference: number, seen: number, most: number): void {
  let at = Math.min(seen, most);
  if (at === most && (most === 0 || (top[most - 1] ?? 0) >= difference)) return;
  if (at === most) at -= 1;
  while (at > 0 && (top[at - 1] ?? 0) < difference) {
    top[at] = top[at - 1] ?? 0;
    at -= 1;
  }
  top[at] = difference;
}

/** The largest sum of the k largest differences, for k from `least` to `most`. */
function bestOfSizes(least: number, most: number): number {
  let sum = 0;
  for (let k = 0; k < least; k += 1) sum += top[k] ?? 0;
  let best = sum;
  for (let k = least; k < most; k += 1) {
    sum += top[k] ?? 0;
    best = Math.max(best, sum);
  }
  return best;
}
