/** Stakes as a ladder has room for them: of much only what matters, of little all of it. */

import { count, ladderStake } from '../../../words/numbers.ts';

/** 0.28, 12.34, 999.5, 2,458, 123k. */
export function stakeText(stake: number): string {
  if (stake >= 100_000) return `${count(Math.round(stake / 1_000))}k`;
  return stake >= 1_000 ? count(Math.round(stake)) : ladderStake(stake);
}

/** The stake where there is still less room. */
export function shortStakeText(stake: number): string {
  return stakeText(stake < 10 ? stake : Math.round(stake));
}
