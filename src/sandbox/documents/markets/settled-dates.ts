/** The two dates that rows of historical lists have in addition. */

import { defined } from '../../../core/checks/assert.ts';
import type { World } from '../../world/world.ts';
import { timestampText } from '../text/timestamp-text.ts';
import { marketFacts, marketRecord } from './market-facts.ts';
import { eventRecord } from './tree.ts';

/** The dates by the exchange machine's number of the market, which must be settled or voided. */
export function settledDates(world: World, market: number) {
  const record = marketRecord(world, market);
  return {
    settledAt: timestampText(defined(marketFacts(world, record).settledAt, 'the history begins with settlement')),
    eventExpectedStartTime: timestampText(eventRecord(world.catalogue, record.event).expectedStartTime),
  };
}
