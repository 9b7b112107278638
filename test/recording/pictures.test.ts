/** Pictures on tapes: that they show what the segments before them make, that they change no tape's identity, and what damage to them does. */

import { copyFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { importBetfair } from '../../src/recording/betfair/import.ts';
import { indexTape } from '../../src/recording/index-tape.ts';
import { splitTape } from '../../src/recording/pieces/split-tape.ts';
import { SegmentReader } from '../../src/recording/segment/segment-reader.ts';
import { DEFINITION, eventsOf, LAST_PRICE, LEVEL, STARTING_PRICE, TRADE } from '../../src/recording/segment/update.ts';
import { UpdateBuffer } from '../../src/recording/segment/update-buffer.ts';
import { Tape } from '../../src/recording/tape/tape.ts';
import type { SegmentRow } from '../../src/recording/tape/tape-schema.ts';
import { TapeWriter } from '../../src/recording/tape/tape-writer.ts';
import { verifyTape } from '../../src/recording/verify.ts';
import { picturedTape, withoutPictures } from '../support/pictures/pictured-tape.ts';
import { recordedTape } from '../support/recorded-tape.ts';
import { recordingFile, testWithRecordings } from '../support/shared.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

/** A market's state, kept the plain way, and when its definition changed. */
interface Plain {
  readonly levels: Map<string, number>;
  /** By outcome and tick. */
  readonly traded: Map<string, number>;
  readonly last: Map<number, number>;
  /** By outcome and which of them. */
  readonly starting: Map<string, number>;
  readonly changes: string[];
  updates: number;
  at: number;
}

function nothing(): Plain {
  return { levels: new Map(), traded: new Map(), last: new Map(), starting: new Map(), changes: [], updates: 0, at: 0 };
}

function fold(state: Plain, row: SegmentRow, isChange: (update: number) => boolean): void {
  const reader = new SegmentReader();
  const update = new UpdateBuffer();
  reader.open({ firstAt: row.first_at, firstSequence: row.first_sequence, updates: row.updates, bytes: row.bytes });
  for (let number = 0; reader.next(update); number += 1) {
    const definitions: number[] = [];
    for (const { kind, outcome, side, tick, amount } of eventsOf(update)) {
      const level = `${outcome} ${side} ${tick}`;
      if (kind === DEFINITION) definitions.push(amount);
      else if (kind === TRADE) state.traded.set(level, (state.traded.get(level) ?? 0) + amount);
      else if (kind === STARTING_PRICE) state.starting.set(`${outcome} ${side}`, amount);
      else if (kind === LAST_PRICE) state.last.set(outcome, tick);
      else if (kind === LEVEL && amount === 0) state.levels.delete(level);
      else if (kind === LEVEL) state.levels.set(level, amount);
    }
    if (definitions.length > 0 || isChange(number)) state.changes.push(`${update.publishedAt} ${definitions.join()}`);
    state.updates += 1;
    state.at = update.publishedAt;
  }
}

/** How many pictures of the tape were compared with the segments before them. */
function comparePictures(path: string): number {
  const tape = Tape.open(path);
  let compared = 0;
  for (const { index } of tape.markets) {
    const { segments, pictures, row: market } = tape.packed(index);
    const rows = [...segments];
    const folded = nothing();
    let next = 0;
    for (const picture of pictures) {
      for (; next < picture.number; next += 1) fold(folded, rows[next] as SegmentRow, (i) => next === 0 && i === 0);
      const shown = nothing();
      const isEnd = picture.number === market.segments;
      fold(shown, picture, (i) => isEnd || i < picture.updates - 1);
      expect(shown.changes).toEqual(folded.changes);
      expect(shown.updates + picture.first_sequence).toBe(folded.updates);
      if (isEnd) continue;
      for (const what of ['levels', 'traded', 'last', 'starting'] as const) expect(shown[what]).toEqual(folded[what]);
      expect(shown.at).toBe(folded.at);
      compared += 1;
    }
  }
  tape.close();
  return compared;
}

const picturesIn = (path: string) => {
  const tape = Tape.open(path);
  const rows = tape.markets.flatMap(({ index }) => [...tape.packed(index).pictures].map((row) => ({ index, ...row })));
  tape.close();
  return rows.map(({ index, number, bytes }) => `${index} ${number} ${Buffer.from(bytes).toString('base64')}`);
};

describe('a picture', () => {
  it('shows what the segments before it make', () => {
    expect(comparePictures(picturedTape(1))).toBeGreaterThan(2);
  });

  it('is no part of the identity of a tape', () => {
    const tape = picturedTape(2);
    const identity = (path: string) => {
      const opened = Tape.open(path);
      opened.close();
      return opened.sha256;
    };
    expect(identity(withoutPictures(tape))).toBe(identity(tape));
    expect(verifyTape(tape)).toEqual([]);
    expect(verifyTape(withoutPictures(tape))).toEqual([]);
  });

  it('goes with its market into a piece of the tape', async () => {
    const tape = picturedTape(3);
    const out = join(temporaryDirectory('pieces'), 'pieces');
    const { manifest } = (await splitTape({ tape, by: 'event', out, onPiece: async () => true })) ?? expect.fail();
    const pieces = manifest.pieces.flatMap(({ file }) => picturesIn(join(out, file)).map((row) => row.slice(2)));
    expect(pieces).toEqual(picturesIn(tape).map((row) => row.slice(2)));
  });

  it('leaves with a market that is discarded, and stays when others are added', () => {
    const tape = picturedTape(4);
    const before = picturesIn(tape);
    const source = Tape.open(tape);
    const writer = TapeWriter.create(tape, 'append');
    const key = writer.startMarket();
    const cursor = source.cursor({ markets: [0] });
    for (const definition of source.definitions(0)) writer.addDefinition(key, definition);
    for (let update = cursor.next(); update !== undefined; update = cursor.next()) writer.appendUpdate(key, update);
    writer.discardMarket(key);
    writer.finish();
    source.close();
    expect(picturesIn(tape)).toEqual(before);
    expect(verifyTape(tape)).toEqual([]);
  });
});

describe('`indexTape`', () => {
  const onMarket = async () => true;

  it('gives a tape without pictures those that an import writes, and leaves others as they are', async () => {
    const tape = picturedTape(6);
    const bare = withoutPictures(tape);
    expect(picturesIn(bare)).toEqual([]);
    const indexed = await indexTape({ tape: bare, onMarket });
    expect(picturesIn(bare)).toEqual(picturesIn(tape));
    expect(verifyTape(bare)).toEqual([]);
    const { length } = picturesIn(tape);
    expect(indexed).toMatchObject({ markets: 3, pictured: 3, added: 3, pictures: length - 3 });
    const before = readFileSync(tape);
    expect(await indexTape({ tape, onMarket })).toEqual({ ...indexed, added: 0 });
    expect(readFileSync(tape)).toEqual(before);
  });

  it('leaves a tape as it was where it is stopped', async () => {
    const bare = withoutPictures(picturedTape(7));
    const before = readFileSync(bare);
    expect(await indexTape({ tape: bare, onMarket: async ({ markets }) => markets < 2 })).toBeUndefined();
    expect(readFileSync(bare)).toEqual(before);
  });

  it('refuses a tape that is damaged, or written by another process', async () => {
    const bare = withoutPictures(picturedTape(7));
    const other = new Database(bare);
    other.exec('BEGIN IMMEDIATE');
    await expect(indexTape({ tape: bare, onMarket })).rejects.toMatchObject({ code: 'TAPE_BUSY' });
    other.exec('UPDATE segment SET crc32 = crc32 + 1 WHERE id = 1; COMMIT');
    other.close();
    await expect(indexTape({ tape: bare, onMarket })).rejects.toMatchObject({ code: 'TAPE_CORRUPT' });
  });
});

describe('a damaged picture', () => {
  const damage = (tape: string, sql: string) => {
    const path = join(temporaryDirectory('damaged'), 'damaged.tape');
    copyFileSync(tape, path);
    const database = new Database(path);
    database.exec(sql);
    database.close();
    return path;
  };
  const first = 'WHERE id = (SELECT min(id) FROM picture)';
  const last = 'WHERE id = (SELECT max(id) FROM picture)';

  it.each([
    ['of other bytes', `UPDATE picture SET bytes = zeroblob(length(bytes)) ${first}`, /the picture before it/],
    ['of another place', `UPDATE picture SET first_sequence = first_sequence + 1 ${first}`, /the picture before it/],
    ['with a wrong time', `UPDATE picture SET last_at = last_at + 1 ${first}`, /the picture before it/],
    ['without the list of changes', `DELETE FROM picture ${last}`, /the list of its changes/],
    ['of no market', `UPDATE picture SET id = id + ${2 ** 34} ${last}`, /belongs to no market/],
  ])('%s is found by `tape verify`', (_, sql, what) => {
    const found = verifyTape(damage(picturedTape(5), sql));
    expect(found.map((each) => each.what).join('\n')).toMatch(what);
  });

  it('is refused by a reader that begins there', () => {
    const path = damage(picturedTape(5), `UPDATE picture SET bytes = zeroblob(length(bytes)) ${first}`);
    const tape = Tape.open(path);
    const { segment } = tape.outline(0)?.pictures[0] ?? expect.fail('the market has a picture');
    const cursor = tape.cursor({ markets: [0], pictureOf: () => segment });
    expect(() => cursor.next()).toThrow(/the picture before segment \d+ has a wrong checksum/);
    tape.close();
    const noList = Tape.open(damage(picturedTape(5), `DELETE FROM picture ${last}`));
    expect(() => noList.outline(noList.markets.length - 1)).toThrow(/the list of its changes/);
    noList.close();
  });
});

testWithRecordings('pictures of recordings show what their segments make, for any number of threads', async () => {
  const files = ['betfair_parser__1.127236622.bz2', 'nautilus__1-206064380.bz2'];
  const tape = await recordedTape(...files);
  expect(comparePictures(tape)).toBeGreaterThan(5);
  expect(verifyTape(tape)).toEqual([]);
  const threaded = join(temporaryDirectory('threaded'), 'threaded.tape');
  await importBetfair({ files: files.map(recordingFile), tape: threaded, onError: 'skip', jobs: 2 });
  expect(picturesIn(threaded)).toEqual(picturesIn(tape));
});
