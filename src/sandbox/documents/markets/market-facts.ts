/** The exchange machine's view of a market, read again only when the market has changed. */

import { defined } from '../../../core/checks/assert.ts';
import type { MarketView } from '../../../matching/state/views.ts';
import type { MarketRecord } from '../../world/records.ts';
import type { World } from '../../world/world.ts';
import { byVersion } from '../text/by-version.ts';

/** Cached by version, since list operations read every market at each call. */
export const marketFacts: (world: World, record: MarketRecord) => MarketView = byVersion((world, record) =>
  defined(world.exchange.market(record.market), 'the machine knows every market of the catalogue'),
);

export function marketRecord(world: World, market: number): MarketRecord {
  return defined(world.catalogue.markets.get(market), 'a market of the machine has a record');
}
