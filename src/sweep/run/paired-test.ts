/** The test by which a race drops a trial: signed ranks of the differences, event group by event group. */

import { signedRanksOf } from '../../research/paired/wilcoxon.ts';
import type { PairedTest } from '../search/race-search.ts';

/** The test of signed ranks. Pairs that are all equal speak for no difference. */
export const signedRanks: PairedTest = (pairs) => {
  const test = signedRanksOf(pairs.map(([a, b]) => a - b));
  return test.kind === 'signedRanks' ? test.pValue : 1;
};
