/** R and M of a position in a market with one winner, as `measureNeeds` tells them, without a branch that is hard to guess. */

import type { ExposureColumns, Needs } from '../../core/exposure.ts';
import type { Money } from '../../core/number/units.ts';

/** Below it four numbers of a position add up exactly. */
const EXACT_BELOW = 2 ** 50;

/**
 * Leaves R and M of the `outcomes` cells from `base` on in `into`, and says whether it could: not where an outcome is removed, nor
 * where sums may be rounded. The larger of two numbers is half of their sum and their distance: which it is changes from order
 * to order, and a processor that guesses wrong loses more time than the arithmetic takes.
 */
export function measureOneWinner(
  columns: ExposureColumns,
  removed: Uint8Array,
  base: number,
  outcomes: number,
  into: Needs,
): boolean {
  const { win, lose, unmatchedWin, unmatchedLose } = columns;
  let baseU = unmatchedLose[base] ?? 0;
  let baseS = lose[base] ?? 0;
  let bestU = (unmatchedWin[base] ?? 0) - baseU;
  let bestS = baseS - (win[base] ?? 0);
  let bestUS = bestU + bestS;
  let size = baseU + (unmatchedWin[base] ?? 0) + Math.abs(baseS) + Math.abs(win[base] ?? 0);
  let marks = removed[base] ?? 0;
  for (let cell = base + 1; cell < base + outcomes; cell += 1) {
    const uLose = unmatchedLose[cell] ?? 0;
    const uWin = unmatchedWin[cell] ?? 0;
    const sLose = lose[cell] ?? 0;
    const sWin = win[cell] ?? 0;
    const u = uWin - uLose;
    const s = sLose - sWin;
    baseU += uLose;
    baseS += sLose;
    bestU = (bestU + u + Math.abs(bestU - u)) * 0.5;
    bestS = (bestS + s + Math.abs(bestS - s)) * 0.5;
    bestUS = (bestUS + (u + s) + Math.abs(bestUS - (u + s))) * 0.5;
    size += uLose + uWin + Math.abs(sLose) + Math.abs(sWin);
    marks |= removed[cell] ?? 0;
  }
  if (marks !== 0 || size >= EXACT_BELOW) return false;
  into.required = Math.max(baseU + bestU, baseU - baseS + bestUS) as Money;
  into.matched = Math.max(0, bestS - baseS) as Money;
  return true;
}
