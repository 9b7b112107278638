/** What a proof tells of a market's outcomes before they are listed: that there will be so many, and nothing more. */

import type { MarketFacts, OutcomeFacts } from '../../../core/market.ts';
import type { RecordedDefinition } from '../../../recording/tape/definition.ts';
import type { RecordedMarket } from '../../../simulator/replay/played-market.ts';

/**
 * The facts as they were known, with as many outcomes as there will be, since an exchange keeps accounts for all. Those that are not listed
 * yet have no id and no name.
 */
export function factsKnown({ facts }: RecordedMarket, announced: readonly RecordedDefinition[]): MarketFacts {
  const listed = listedIn(announced);
  return { ...facts, outcomes: facts.outcomes.map((outcome, at) => (at < listed ? outcome : unlisted(outcome, at))) };
}

export function listedIn(announced: readonly RecordedDefinition[]): number {
  return Math.max(
    0,
    ...announced.map(({ outcomes }) => outcomes.findLastIndex((each) => each.isUnlisted !== true) + 1),
  );
}

export function unlisted(outcome: OutcomeFacts, at: number): OutcomeFacts {
  return { ...outcome, id: `unlisted-${at}`, title: `unlisted ${at}` };
}
