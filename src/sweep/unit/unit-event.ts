/** Which event group a market is of, as the rows of units tell it. */

import type { UnitMarket } from './unit-row.ts';

/** Markets of one event that start at one time. */
export function eventOf({ eventId, startsAt }: Pick<UnitMarket, 'eventId' | 'startsAt'>): string {
  return startsAt === undefined ? eventId : `${eventId}@${new Date(startsAt).toISOString()}`;
}
