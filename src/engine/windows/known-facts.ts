/** Derives from a market's facts a frozen copy for strategies, and the index of each outcome. */

import type { MarketFacts, OutcomeFacts } from '../../core/market.ts';

/** A copy that strategies cannot change: the engine and the exchange read the original. */
export function frozenFacts(facts: MarketFacts): MarketFacts {
  const outcomes: OutcomeFacts[] = [];
  for (let at = 0; at < facts.outcomes.length; at += 1)
    outcomes[at] = Object.freeze({ ...facts.outcomes[at] }) as OutcomeFacts;
  return Object.freeze({ ...facts, outcomes: Object.freeze(outcomes) });
}

/** Indexes of the outcomes by their ids. */
export function indexById(facts: MarketFacts): ReadonlyMap<string, number> {
  return new Map(facts.outcomes.map(({ id }, index) => [id, index]));
}
