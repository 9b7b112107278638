/** The settlement test by every possible end of all markets, without a draw: its exact p-value. */

import type { MarketOfTrials } from '../../../src/research/chance/settlement-test.ts';
import { everyEnd } from './naive-winners.ts';

/** For markets with one winner each; of the best trial, or of the one that is asked about. */
export function exactSettlement(markets: readonly MarketOfTrials[], trials: number, asked?: number): number {
  const ends = everyEnd(markets.map(({ closing }) => Array.from(closing)));
  const profitsOf = (winners: readonly number[]) =>
    Array.from({ length: trials }, (_, trial) =>
      markets.reduce((sum, { profits }, at) => sum + (profits[winners[at] ?? 0]?.[trial] ?? 0), 0),
    );
  const all = ends.map(({ winners, chance }) => ({ chance, profits: profitsOf(winners) }));
  const deviations = Array.from({ length: trials }, (_, trial) => {
    const mean = all.reduce((sum, { chance, profits }) => sum + chance * (profits[trial] ?? 0), 0);
    return Math.sqrt(all.reduce((sum, { chance, profits }) => sum + chance * ((profits[trial] ?? 0) - mean) ** 2, 0));
  });
  const largest = (profits: readonly number[]) =>
    Math.max(
      ...profits.map((profit, trial) =>
        (deviations[trial] ?? 0) > 1e-9 ? profit / (deviations[trial] ?? 1) : -Infinity,
      ),
    );
  const settled = profitsOf(markets.map(({ winners }) => winners[0] ?? 0));
  const observed = largest(
    settled.map((profit, trial) => (asked === undefined || trial === asked ? profit : -Infinity)),
  );
  return all.reduce((sum, { chance, profits }) => (largest(profits) >= observed - 1e-9 ? sum + chance : sum), 0);
}
