/** What the engine makes of a market's facts: a copy for strategies, and where each outcome stands. */

import type { MarketFacts } from '../../core/market.ts';

/** A copy for strategies: the market's own is read by everyone else. */
export function frozenFacts(facts: MarketFacts): MarketFacts {
  const outcomes = Object.freeze(facts.outcomes.map((outcome) => Object.freeze({ ...outcome })));
  return Object.freeze({ ...facts, outcomes });
}

/** Indexes of the outcomes by their ids. */
export function indexById(facts: MarketFacts): ReadonlyMap<string, number> {
  return new Map(facts.outcomes.map(({ id }, index) => [id, index]));
}
