/** The ways in which a proof alters the future of a recording. */

export const ALTERED_PARTS = ['prices', 'order', 'statuses', 'winner', 'startingPrices', 'times'] as const;
export type AlteredPart = (typeof ALTERED_PARTS)[number];

/** What each alteration does, as the end of a sentence: `it reacts to …`. */
export const ALTERED_WORDS: Readonly<Record<AlteredPart, string>> = {
  prices: 'replaced prices and stakes',
  order: 'updates shuffled in time and between markets',
  statuses: 'replaced statuses (suspensions, in play)',
  winner: 'a replaced winner',
  startingPrices: 'replaced starting prices',
  times: 'other times of the updates to come and another start',
};
