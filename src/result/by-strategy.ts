/** What each strategy of a run brought. */

import type { Bound } from './figures/bounds.ts';
import type { BacktestResult } from './result.ts';

/** Commission is charged on whole markets, in which several strategies may bet: a strategy alone has a gross profit. */
export interface StrategySums {
  /** Name of the strategy. */
  readonly name: string;
  /** The orders by the world in which they were sent. */
  readonly worlds: Readonly<Partial<Record<Bound, WorldSums>>>;
}

export interface WorldSums {
  readonly orders: number;
  /** Backer's stake matched in settled and in open markets. */
  readonly stakeMatched: number;
  /** The profit of orders whose market was settled, before commission. */
  readonly profitGross: number;
}

/** The strategies in the order of `strategies`. */
export function byStrategy({
  strategies,
  orderRows,
}: Pick<BacktestResult, 'strategies' | 'orderRows'>): readonly StrategySums[] {
  const sums = new Map(
    strategies.map(({ name }) => [name, new Map<Bound, { -readonly [Key in keyof WorldSums]: number }>()]),
  );
  for (const { strategy, flow, stakeMatched, profit = 0 } of orderRows) {
    const worlds = sums.get(strategy);
    if (worlds === undefined) continue;
    const world = worlds.get(flow) ?? { orders: 0, stakeMatched: 0, profitGross: 0 };
    worlds.set(flow, world);
    world.orders += 1;
    world.stakeMatched += stakeMatched;
    world.profitGross += profit;
  }
  return [...sums].map(([name, worlds]) => ({ name, worlds: Object.fromEntries(worlds) }));
}
