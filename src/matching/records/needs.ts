/**
 * Computes R and M of a position in a market with one winner, as `measureNeeds` does, without branches that a processor
 * guesses wrong.
 */

import type { ExposureColumns, Needs } from '../../core/exposure.ts';
import type { Money } from '../../core/number/units.ts';

/** Below this, the sum of four numbers of a position is exact in a double. */
const EXACT_BELOW = 2 ** 50;

/**
 * Writes R and M of the `outcomes` cells from `base` on into `into`, and returns whether it could: it cannot where an
 * outcome is removed, or where sums may be rounded. The larger of two numbers is computed as half of their sum plus
 * half of their distance: which one is larger changes from order to order, and a wrong branch prediction takes longer
 * than the arithmetic.
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
