/** Derives from a market's facts a frozen copy for strategies, and the index of each outcome. */

import type { MarketFacts } from '../../core/market.ts';

/** A copy that strategies cannot change: the engine and the exchange read the original. */
export function frozenFacts(facts: MarketFacts): MarketFacts {
  const outcomes = Object.freeze(facts.outcomes.map((outcome) => Object.freeze({ ...outcome })));
  return Object.freeze({ ...facts, outcomes });
}

/** Indexes of the outcomes by their ids. */
export function indexById(facts: MarketFacts): ReadonlyMap<string, number> {
  return new Map(facts.outcomes.map(({ id }, index) => [id, index]));
}
