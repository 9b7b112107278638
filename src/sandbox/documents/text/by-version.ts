/** What is made of a market, kept until the market changes: its version counts up with every change. */

import type { MarketRecord } from '../../world/records.ts';
import type { World } from '../../world/world.ts';

/** Only for what depends on the market's record and the machine's market alone, for nothing else bears the version. */
export function byVersion<T>(
  make: (world: World, record: MarketRecord) => T,
): (world: World, record: MarketRecord) => T {
  // By record, so that a world that is dropped takes it along.
  const keptByRecord = new WeakMap<MarketRecord, { readonly version: number; readonly made: T }>();
  return (world, record) => {
    const kept = keptByRecord.get(record);
    if (kept?.version === record.version) return kept.made;
    const made = make(world, record);
    keptByRecord.set(record, { version: record.version, made });
    return made;
  };
}
