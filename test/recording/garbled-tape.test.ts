/**
 * Wrong content under a right checksum, as a faulty writer would leave it: every reader reports damage, and never a bug
 * of ours.
 */

import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { Random } from '../../src/core/number/random.ts';
import { Tape } from '../../src/recording/tape/tape.ts';
import { verifyTape } from '../../src/recording/verify.ts';
import { RecordedBook } from '../../src/simulator/overlay/recorded-book.ts';
import { SAMPLE_TAPE } from '../support/places.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const ROUNDS = 200;

const work = temporaryDirectory('garbled');

/** Reads the whole tape, as columns or straight into a book; returns how many updates there were. */
function readAll(path: string, how: 'columns' | 'book'): number {
  const tape = Tape.open(path);
  try {
    const cursor = tape.cursor();
    const book = new RecordedBook(64);
    let updates = 0;
    for (let update = cursor.nextPending(); update !== undefined; update = cursor.nextPending()) {
      if (how === 'columns') update.columns();
      else update.recordInto(book);
      updates += 1;
    }
    return updates;
  } finally {
    tape.close();
  }
}

test('every reader says so, and verification lists it to the end', () => {
  const path = join(work, 'garbled.tape');
  copyFileSync(SAMPLE_TAPE, path);
  const whole = readAll(path, 'columns');
  expect(readAll(path, 'book')).toBe(whole);
  const database = new Database(path);
  const rows = database.prepare('SELECT id, bytes FROM segment').all() as { id: number; bytes: Buffer }[];
  const change = database.prepare('UPDATE segment SET bytes = ?, crc32 = ? WHERE id = ?');
  const random = Random.fromSeed(5);
  const put = (id: number, bytes: Buffer): unknown => change.run(bytes, crc32(bytes), id);
  const refused = { columns: 0, book: 0 };
  for (let round = 0; round < ROUNDS; round += 1) {
    const { id, bytes } = rows[random.below(rows.length)] ?? { id: 0, bytes: Buffer.alloc(0) };
    const garbled = Buffer.from(bytes.subarray(0, round % 3 === 0 ? random.below(bytes.length) : undefined));
    for (let flips = 1 + random.below(4); flips > 0 && garbled.length > 0; flips -= 1)
      garbled[random.below(garbled.length)] = random.below(256);
    put(id, garbled);
    if (!garbled.equals(bytes)) expect(verifyTape(path)).not.toEqual([]);
    for (const how of ['columns', 'book'] as const) {
      try {
        expect(readAll(path, how)).toBe(whole);
      } catch (error) {
        expect(error).toMatchObject({ name: 'TapeFailure', code: 'TAPE_CORRUPT' });
        refused[how] += 1;
      }
    }
    put(id, bytes);
  }
  database.close();
  // Some altered bytes are still valid: they only say another price.
  expect(refused.columns).toBeGreaterThan(ROUNDS / 3);
  expect(refused.book).toBe(refused.columns);
});
