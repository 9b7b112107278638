/** The strategies of the replay benches: one that looks away, and one that trades all through the play. */

import type { StrategyPlugin } from '../../src/strategy/contract.ts';
import { defineStrategy } from '../../src/strategy/define-strategy.ts';

const NOTHING: readonly never[] = [];

export { default as layFavourite } from './guest-strategy.ts';

export const noop = defineStrategy({ name: 'bench-noop', decide: () => NOTHING });

/** A strategy that looks and does nothing else, with a sum of what it saw, which is another one if reading is left out. */
export interface PriceReader {
  readonly plugin: StrategyPlugin;
  /** Of all prices read since the last call. */
  takeSum(): number;
}

/** Reads the best price of either side of each outcome whenever it is asked. */
export function readingBest(): PriceReader {
  let sum = 0;
  const plugin = defineStrategy({
    name: 'bench-reading-best',
    decide({ market }) {
      for (const { bestFor, bestAgainst } of market.outcomes) sum += (bestFor?.price ?? 0) + (bestAgainst?.price ?? 0);
      return NOTHING;
    },
  });
  return {
    plugin,
    takeSum() {
      const taken = sum;
      sum = 0;
      return taken;
    },
  };
}
