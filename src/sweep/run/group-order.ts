/** The order of event groups in a search, which plays the first ones first. */

import { createHash } from 'node:crypto';
import type { UnitGroup } from '../unit/market-groups.ts';

const ORDERED = new WeakMap<readonly UnitGroup[], readonly UnitGroup[]>();

/** Mixed, so that the first groups are no single week or course; by name alone, so that a longer tape puts its new groups among the others. */
export function inOrderOfSearch(groups: readonly UnitGroup[]): readonly UnitGroup[] {
  const known = ORDERED.get(groups);
  if (known !== undefined) return known;
  const ranked = groups.map((group) => ({ group, rank: createHash('sha256').update(group.name).digest('hex') }));
  const ordered = ranked.sort((a, b) => (a.rank < b.rank ? -1 : 1)).map(({ group }) => group);
  ORDERED.set(groups, ordered);
  return ordered;
}
