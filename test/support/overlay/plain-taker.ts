/**
 * A strategy that only takes: once a minute, on every outcome, up to five ticks beyond the best price, on each side in
 * turn.
 */

import type { StrategyPlugin } from '../../../src/strategy/contract.ts';
import { defineStrategy } from '../../../src/strategy/define-strategy.ts';
import { ticksAway } from '../../../src/strategy/helpers/ladder-steps.ts';
import { back, lay } from '../../../src/strategy/helpers/place.ts';

const EVERY_MS = 60_000;
const TICKS = 5;

export function plainTaker(stake: number): StrategyPlugin {
  return defineStrategy({
    name: 'plain-taker',
    state: () => ({ next: 0, backs: true }),

    decide({ market, state: { next, backs }, now }) {
      if (!market.tradable || now < next) return [];
      const intents = market.outcomes.flatMap((outcome) => {
        const best = backs ? outcome.bestAgainst : outcome.bestFor;
        if (best === undefined) return [];
        const price = ticksAway(best.price, backs ? -TICKS : TICKS);
        return [(backs ? back : lay)(outcome, { stake, price, matchBehavior: 'CancelUnmatched' })];
      });
      return { intents, state: { next: now + EVERY_MS, backs: !backs }, wakeAt: now + EVERY_MS };
    },
  });
}
