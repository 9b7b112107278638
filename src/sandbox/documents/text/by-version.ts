/** Caches what is derived from a market until the market's version, which counts its changes, differs. */

import type { MarketRecord } from '../../world/records.ts';
import type { World } from '../../world/world.ts';

/**
 * Caches `make` by record and version. Use it only for what depends on the market's record and the exchange machine's
 * market: changes of anything else do not change the version.
 */
export function byVersion<T>(
  make: (world: World, record: MarketRecord) => T,
): (world: World, record: MarketRecord) => T {
  // Weakly keyed by record, so that a dropped world is garbage collected.
  const keptByRecord = new WeakMap<MarketRecord, { readonly version: number; readonly made: T }>();
  return (world, record) => {
    const kept = keptByRecord.get(record);
    if (kept?.version === record.version) return kept.made;
    const made = make(world, record);
    keptByRecord.set(record, { version: record.version, made });
    return made;
  };
}
