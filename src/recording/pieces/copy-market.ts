/** Copies a market from one tape to another as it is stored, without decoding it. */

import { crc32 } from 'node:zlib';
import type { Instant } from '../../core/number/units.ts';
import type { Tape } from '../tape/tape.ts';
import { MarketHash } from '../tape/tape-content.ts';
import { TapeFailure } from '../tape/tape-failure.ts';
import type { MarketDescription } from '../tape/tape-schema.ts';
import type { TapeWriter } from '../tape/tape-writer.ts';

/** The content is checked against its hash on the way. @throws TapeFailure TAPE_CORRUPT, TAPE_NOT_WRITABLE */
export function copyMarket(tape: Tape, market: number, writer: TapeWriter): void {
  const { row, definitions, segments } = tape.packed(market);
  const key = writer.startPacked();
  const hash = new MarketHash();
  for (const [number, text] of definitions.entries()) {
    hash.definition(text);
    writer.definition(key, number, text);
  }
  let copied = 0;
  for (const { number, first_at, last_at, first_sequence, updates, events, largest, bytes, crc32: sum } of segments) {
    if (number !== copied || crc32(bytes) !== sum)
      throw corrupt(tape, row.id, `segment ${copied} is missing or damaged`);
    hash.segment(bytes);
    const times = { firstAt: first_at as Instant, lastAt: last_at as Instant };
    writer.segment(key, number, { ...times, firstSequence: first_sequence, updates, events, largest, bytes });
    copied += 1;
  }
  if (copied !== row.segments || hash.digest() !== row.sha256)
    throw corrupt(tape, row.id, 'its hash is not that of its content');
  const { first_at: firstAt, last_at: lastAt, updates, events, segments: count, largest, sha256 } = row;
  const summary = { firstAt, lastAt, updates, events, segments: count, largest, sha256 };
  writer.finishPacked(key, summary, JSON.parse(row.description) as MarketDescription);
}

function corrupt({ path }: Tape, id: string, why: string): TapeFailure {
  return new TapeFailure('TAPE_CORRUPT', path, `market ${id}: ${why}`, 'import the recording again');
}
