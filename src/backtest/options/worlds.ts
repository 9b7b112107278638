/** The worlds in which a run is played: one for each bound of the fills that its options ask for. */

import type { Bound } from '../../result/figures/bounds.ts';
import type { BacktestOptions } from './backtest-options.ts';

/** The central one first: most of what a result counts is read from it. */
const WORLDS: Readonly<Record<BacktestOptions['fills'], readonly Bound[]>> = {
  central: ['central'],
  bounds: ['central', 'pessimistic', 'optimistic'],
  all: ['central', 'pessimistic', 'optimistic', 'lowest', 'highest'],
};

/** The worlds of a run, by the bound whose fills the strategies live in each. */
export function worldsOf({
  fills,
  fillRules: { refill },
}: Pick<BacktestOptions, 'fills' | 'fillRules'>): readonly Bound[] {
  return refill === 'never' ? WORLDS[fills] : [...WORLDS[fills], 'refilled'];
}
