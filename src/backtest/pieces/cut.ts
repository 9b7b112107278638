/** Cuts the markets of a run into pieces. */

import { eventGroupOf } from '../../core/market.ts';
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

/** How many updates the pieces play. */
export function updatesOf(cuts: readonly Cut[]): number {
  return cuts.reduce((sum, cut) => sum + cut.markets.reduce((all, { market }) => all + market.updates, 0), 0);
}
