/** The stake that a run's settled profit was made with. */

import { type ByBound, mapBounds } from './figures/bounds.ts';
import type { BacktestResult } from './result.ts';

/** Backer's stake matched in markets that were settled, under each bound. */
export function settledStake({ total, byMarket }: Pick<BacktestResult, 'total' | 'byMarket'>): ByBound<number> {
  const settled = byMarket.filter(({ settledAt }) => settledAt !== undefined);
  return mapBounds(total, (_, bound) =>
    settled.reduce((sum, { profit }) => sum + (profit[bound]?.stakeMatched ?? 0), 0),
  );
}
