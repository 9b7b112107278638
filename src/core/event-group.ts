/** Which markets are about one thing that happens, such as a match or a race: their results hang together. */

import type { MarketFacts } from './market.ts';

/**
 * The name of the group that a market belongs to, from what was known of it beforehand. A match is an event of its own. A race is
 * not: the event of a race meeting holds a day's races, whose win, place and other markets are told apart by their start alone. In all
 * recordings at hand the markets of races have a venue and no others do, so that a market with a venue belongs to the races of its
 * event that had the same scheduled start in their first definitions.
 */
export function eventGroupOf({ eventId, venue, expectedStartTime }: MarketFacts): string {
  if (venue === undefined || expectedStartTime === undefined) return eventId;
  return `${eventId}@${new Date(expectedStartTime).toISOString()}`;
}
