/** Cuts the markets of a run into pieces, and says which flows of orders are played through each. */

import { eventGroupOf } from '../../core/market.ts';
import { type Bound, INTERVAL } from '../../report/figures/bounds.ts';
import type { BacktestOptions } from '../options/backtest-options.ts';
import type { SourceMarket } from '../simulation/backtest-source.ts';

/** What a piece plays, and the strategy that has it to itself, if one has. */
export interface Cut {
  readonly markets: readonly SourceMarket[];
  /** Index of the strategy. */
  readonly only?: number;
  /** The market, event group or strategy, where the run is cut. */
  readonly name?: string | undefined;
}

/** `names` are those of the strategies. The same markets and options give the same pieces, in every thread. */
export function cutsOf(
  markets: readonly SourceMarket[],
  { isolate, strategies }: BacktestOptions,
  names: readonly string[],
): readonly Cut[] {
  if (isolate === 'none') return [{ markets }];
  if (isolate === 'strategy') return strategies.map((_, only) => ({ markets, only, name: names[only] }));
  const groups = Map.groupBy(markets, ({ market: { facts } }) =>
    isolate === 'market' ? facts.id : eventGroupOf(facts),
  );
  return [...groups].map(([name, group]) => ({ markets: group, name }));
}

/** The central flow, whose orders the other bounds follow. */
const FLOWS: Readonly<Record<'central' | 'bounds' | 'all', readonly Bound[]>> = {
  central: ['central'],
  bounds: ['central', 'pessimistic', 'optimistic'],
  all: ['central', 'pessimistic', 'optimistic', 'lowest', 'highest'],
};

/** The flows of orders, each as the list of its bounds: the strategies see the fills of the first one. */
export function flowsOf({ fills, fillRules: { refill } }: BacktestOptions): readonly (readonly Bound[])[] {
  const refilled: readonly Bound[] = refill === 'never' ? [] : ['refilled'];
  if (fills === 'react') return [...INTERVAL, ...refilled].map((bound) => [bound]);
  return [[...FLOWS[fills], ...refilled]];
}

/** How many updates the pieces play, all flows together. */
export function updatesOf(cuts: readonly Cut[], flows: number): number {
  return flows * cuts.reduce((sum, cut) => sum + cut.markets.reduce((all, { market }) => all + market.updates, 0), 0);
}
