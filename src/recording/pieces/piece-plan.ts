/** Which markets of a tape make a piece together. */

import { eventGroupOf } from '../../core/market.ts';
import type { TapeMarket } from '../tape/tape-schema.ts';
import type { PieceKind } from './manifest.ts';

export interface PlannedPiece {
  /** The event group, or the day. */
  readonly key: string;
  /** Indexes in the tape, in order. */
  readonly markets: readonly number[];
}

/**
 * A piece for each event group, in the order in which the tape has their first markets; or for each day (UTC), in order of time. The markets of
 * a group stay together: the day of a group is that of its earliest scheduled start.
 */
export function planPieces(markets: readonly TapeMarket[], by: PieceKind): readonly PlannedPiece[] {
  const groups = new Map<string, TapeMarket[]>();
  for (const market of markets) {
    const name = eventGroupOf(market.facts);
    const group = groups.get(name);
    if (group === undefined) groups.set(name, [market]);
    else group.push(market);
  }
  if (by === 'event') return [...groups].map(([key, group]) => ({ key, markets: group.map(({ index }) => index) }));
  const days = Map.groupBy(groups.values(), dayOf);
  return [...days]
    .map(([key, all]) => ({
      key,
      markets: all
        .flat()
        .map(({ index }) => index)
        .sort((a, b) => a - b),
    }))
    .sort((a, b) => (a.key < b.key ? -1 : 1));
}

/** The day of a group by its first scheduled start; where no market of it has one, its first update counts. */
function dayOf(group: readonly TapeMarket[]): string {
  const starts = group.flatMap(({ facts }) => facts.expectedStartTime ?? []);
  const at = Math.min(...(starts.length > 0 ? starts : group.map(({ firstAt }) => firstAt)));
  return new Date(at).toISOString().slice(0, 10);
}
