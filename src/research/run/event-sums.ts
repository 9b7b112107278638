/** Figures of single bets added up by event group. */

import type { Figures } from '../figure/moments.ts';

/** The sums of each column by event group, groups in the order in which they first appear. */
export function sumsByGroup(groups: readonly string[], columns: readonly Figures[]): readonly Float64Array[] {
  const places = new Map<string, number>();
  const at = groups.map((group) => {
    const place = places.get(group) ?? places.size;
    places.set(group, place);
    return place;
  });
  return columns.map((column) => {
    const sums = new Float64Array(places.size);
    at.forEach((place, row) => {
      sums[place] = sums[place]! + column[row]!;
    });
    return sums;
  });
}
