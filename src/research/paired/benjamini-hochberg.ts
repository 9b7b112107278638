/** P-values of many cells judged together: the false discovery rate (Y. Benjamini and Y. Hochberg, 1995). */

import { assert } from '../../core/checks/assert.ts';
import type { Figures } from '../figure/moments.ts';

/**
 * The adjusted p-values, in the order given. Of the cells whose adjusted p-value is at most 0.05, not more than one in twenty
 * is chance alone, on average; this holds for independent cells and for those that go up and down together.
 */
export function adjustedPValues(pValues: Figures): Float64Array {
  const count = pValues.length;
  const order = Array.from({ length: count }, (_, at) => at).sort((a, b) => pValues[b]! - pValues[a]!);
  const adjusted = new Float64Array(count);
  let least = 1;
  order.forEach((at, place) => {
    const pValue = pValues[at]!;
    assert(pValue >= 0 && pValue <= 1, `a p-value lies between 0 and 1, got ${pValue}`);
    least = Math.min(least, (pValue * count) / (count - place));
    adjusted[at] = least;
  });
  return adjusted;
}
