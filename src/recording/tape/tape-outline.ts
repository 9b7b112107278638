/** What a tape says of the course of a market without its prices: when its definition changes, and where pictures stand. */

import { crc32 } from 'node:zlib';
import type { Instant } from '../../core/number/units.ts';
import { SegmentReader } from '../segment/segment-reader.ts';
import { UpdateBuffer } from '../segment/update-buffer.ts';
import type { PictureTable } from './picture-table.ts';
import { TapeFailure } from './tape-failure.ts';
import type { MarketRow, SegmentRow } from './tape-schema.ts';

/** An update that changes the definition, or the market's first one. */
export interface OutlinedChange {
  readonly at: Instant;
  /** Indexes of its definitions, of which the last one is in force after it; none where the first update has none. */
  readonly definitions: readonly number[];
}

/** A picture of a market between two of its segments; `picture-packer.ts` says what is in it. */
export interface OutlinedPicture {
  /** The segment before which it stands. */
  readonly segment: number;
  /** When the last update before it was published. */
  readonly at: Instant;
  /** How many of the changes are before it. */
  readonly changes: number;
}

export interface MarketOutline {
  readonly changes: readonly OutlinedChange[];
  /** The pictures in order of time. */
  readonly pictures: readonly OutlinedPicture[];
}

/** Undefined where the market has no pictures. @throws TapeFailure TAPE_CORRUPT */
export function readOutline(
  table: PictureTable,
  { key, id, segments }: MarketRow,
  path: string,
): MarketOutline | undefined {
  const listed = table.list(key);
  if (listed.length === 0) return undefined;
  // What stands behind the last segment has the changes of the whole market, and no prices.
  const changes = changesIn(table.load(key, segments));
  if (changes === undefined) throw corrupt(path, `market ${id}: the list of its changes is missing or damaged`);
  const pictures = listed.flatMap(({ number, last_at, updates }) =>
    number === segments ? [] : [{ segment: number, at: last_at as Instant, changes: updates - 1 }],
  );
  return { changes, pictures };
}

function corrupt(path: string, detail: string): TapeFailure {
  return new TapeFailure('TAPE_CORRUPT', path, detail, 'import the recording again; `tape verify` lists all damage');
}

/** Undefined where the row is damaged. */
function changesIn(row: SegmentRow | undefined): readonly OutlinedChange[] | undefined {
  if (row === undefined || crc32(row.bytes) !== row.crc32) return undefined;
  const reader = new SegmentReader();
  reader.open({ firstAt: row.first_at, firstSequence: row.first_sequence, updates: row.updates, bytes: row.bytes });
  if (!reader.isWhole) return undefined;
  const update = new UpdateBuffer();
  const changes: OutlinedChange[] = [];
  while (reader.next(update)) {
    changes.push({ at: update.publishedAt, definitions: [...update.amount.subarray(0, update.count)] });
  }
  return reader.isSpent ? changes : undefined;
}
