/** Copies a market from one tape to another as it is stored, without decoding it. */

import { crc32 } from 'node:zlib';
import type { Instant } from '../../core/number/units.ts';
import type { Segment } from '../segment/segment.ts';
import type { Tape } from '../tape/tape.ts';
import { MarketHash } from '../tape/tape-content.ts';
import { TapeFailure } from '../tape/tape-failure.ts';
import type { MarketDescription, SegmentRow } from '../tape/tape-schema.ts';
import type { TapeWriter } from '../tape/tape-writer.ts';

/** The content is checked against its hash on the way. @throws TapeFailure TAPE_CORRUPT, TAPE_NOT_WRITABLE */
export function copyMarket(tape: Tape, market: number, writer: TapeWriter): void {
  const { row, definitions, segments, pictures } = tape.packed(market);
  const key = writer.startPacked();
  const hash = new MarketHash();
  for (const [number, text] of definitions.entries()) {
    hash.definition(text);
    writer.definition(key, number, text);
  }
  let copied = 0;
  for (const segment of segments) {
    if (segment.number !== copied || crc32(segment.bytes) !== segment.crc32)
      throw corrupt(tape, row.id, `segment ${copied} is missing or damaged`);
    hash.segment(segment.bytes);
    writer.segment(key, copied, packed(segment));
    copied += 1;
  }
  for (const picture of pictures) {
    if (crc32(picture.bytes) !== picture.crc32)
      throw corrupt(tape, row.id, `the picture before segment ${picture.number} is damaged`);
    writer.picture(key, picture.number, packed(picture));
  }
  if (copied !== row.segments || hash.digest() !== row.sha256)
    throw corrupt(tape, row.id, 'its hash is not that of its content');
  const { first_at: firstAt, last_at: lastAt, updates, events, segments: count, largest, sha256 } = row;
  const summary = { firstAt, lastAt, updates, events, segments: count, largest, sha256 };
  writer.finishPacked(key, summary, JSON.parse(row.description) as MarketDescription);
}

function packed({ first_at, last_at, first_sequence, updates, events, largest, bytes }: SegmentRow): Segment {
  const times = { firstAt: first_at as Instant, lastAt: last_at as Instant };
  return { ...times, firstSequence: first_sequence, updates, events, largest, bytes };
}

function corrupt({ path }: Tape, id: string, why: string): TapeFailure {
  return new TapeFailure('TAPE_CORRUPT', path, `market ${id}: ${why}`, 'import the recording again');
}
