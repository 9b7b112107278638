/** A market's own facts as the machine tells them, looked up again only when the market has changed. */

import { present } from '../../core/assert.ts';
import type { MarketView } from '../../matching/views.ts';
import type { MarketRecord } from '../world/records.ts';
import type { World } from '../world/world.ts';

interface Known {
  readonly version: number;
  readonly view: MarketView;
}

/** By record, so that a world that is dropped takes them along. */
const knownByRecord = new WeakMap<MarketRecord, Known>();

/** Good until the market's next change: lists look at every market for each call. */
export function marketFacts(world: World, record: MarketRecord): MarketView {
  const known = knownByRecord.get(record);
  if (known?.version === record.version) return known.view;
  const view = present(world.exchange.market(record.market), 'the machine knows every market of the catalogue');
  knownByRecord.set(record, { version: record.version, view });
  return view;
}

export function marketRecord(world: World, market: number): MarketRecord {
  return present(world.catalogue.markets.get(market), 'a market of the machine has a record');
}
