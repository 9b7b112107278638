/** The tape through its public interface: what was written is read, in order, and damage is found. */

import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import fc from 'fast-check';
import { beforeEach, expect, test } from 'vitest';
import type { Instant } from '../../src/core/number/units.ts';
import { exportTape } from '../../src/recording/export.ts';
import { LAST_PRICE, LEVEL, type RecordedKind, TRADE } from '../../src/recording/segment/update.ts';
import { UpdateBuffer } from '../../src/recording/segment/update-buffer.ts';
import { type CursorRange, Tape } from '../../src/recording/tape/tape.ts';
import { TapeFailure } from '../../src/recording/tape/tape-failure.ts';
import { TapeWriter } from '../../src/recording/tape/tape-writer.ts';
import { verifyTape } from '../../src/recording/verify.ts';
import {
  longMade,
  MADE_DEFINITION,
  type MadeEvent,
  type MadeUpdate,
  madeDescription,
  madeStream,
  writeMade,
} from '../support/made-tape.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

let folder = '';
let path = '';
beforeEach(() => {
  folder = temporaryDirectory('tape');
  path = join(folder, 'made.tape');
});

function read(target: string, range: CursorRange = {}): MadeUpdate[] {
  const tape = Tape.open(target);
  try {
    const cursor = tape.cursor(range);
    const updates: MadeUpdate[] = [];
    for (let update = cursor.next(); update !== undefined; update = cursor.next()) {
      const events: MadeEvent[] = [];
      for (let i = 0; i < update.count; i += 1) {
        const { kind, outcome, side, tick, amount } = update;
        events.push([kind[i], outcome[i], side[i], tick[i], amount[i]] as unknown as MadeEvent);
      }
      updates.push({ market: update.market, at: update.publishedAt, receivedAt: update.receivedAt, events });
    }
    return updates;
  } finally {
    tape.close();
  }
}

test('gives back every update of interleaved markets, by time, then market, then order', () => {
  fc.assert(
    fc.property(madeStream, fc.boolean(), (steps, withReceipts) => {
      let at = 1_700_000_000_000;
      const updates = steps.map(({ market, step, late, events }) => {
        at += step;
        return { market, at, receivedAt: withReceipts ? at + late : at, events };
      });
      rmSync(path, { force: true });
      writeMade(path, 4, updates);
      const ordered = updates.map((update, index) => ({ update, index }));
      ordered.sort((a, b) => a.update.at - b.update.at || a.update.market - b.update.market || a.index - b.index);
      expect(read(path)).toEqual(ordered.map(({ update }) => update));
      expect(verifyTape(path)).toEqual([]);
    }),
    { numRuns: 60 },
  );
});

test('reads a range of time of chosen markets without the rest', () => {
  const updates = longMade();
  writeMade(path, 3, updates);
  const from = (1_700_000_000_000 + 61_234) as Instant;
  const to = (1_700_000_000_000 + 83_000) as Instant;
  const expected = updates.filter((update) => update.market !== 1 && update.at >= from && update.at < to);
  const order = expected.sort((a, b) => a.at - b.at || a.market - b.market);
  expect(read(path, { markets: [0, 2], from, to })).toEqual(order);
  expect(read(path, { from: (1_700_000_000_000 + 10_000_000) as Instant })).toEqual([]);
});

test('the same recording gives the same bytes and the same identity', () => {
  const other = join(folder, 'other.tape');
  const identity = writeMade(path, 3, longMade());
  expect(writeMade(other, 3, longMade())).toBe(identity);
  expect(readFileSync(path).equals(readFileSync(other))).toBe(true);
  const changed = longMade();
  (changed[29_999] as { at: number }).at += 1;
  rmSync(other);
  expect(writeMade(other, 3, changed)).not.toBe(identity);
});

test('a tape appears when it is finished and not before; an existing one is not touched unasked', () => {
  const writer = TapeWriter.create(path);
  expect(existsSync(path)).toBe(false);
  writer.discard();
  expect(existsSync(path)).toBe(false);
  writeMade(path, 1, []);
  const before = readFileSync(path);
  expect(() => TapeWriter.create(path)).toThrow(expect.objectContaining({ code: 'TAPE_EXISTS' }) as Error);
  const replacing = TapeWriter.create(path, 'overwrite');
  expect(readFileSync(path).equals(before)).toBe(true);
  expect(() => TapeWriter.create(path, 'overwrite')).toThrow(expect.objectContaining({ code: 'TAPE_BUSY' }) as Error);
  replacing.discard();
  expect(readFileSync(path).equals(before)).toBe(true);
});

test('a tape can be added to, but not with a market that it holds', () => {
  writeMade(
    path,
    1,
    longMade().filter((update) => update.market === 0),
  );
  const writer = TapeWriter.create(path, 'append');
  const again = writer.startMarket();
  expect(() => writer.finishMarket(again, madeDescription('m0'))).toThrow(
    expect.objectContaining({ code: 'DUPLICATE_MARKET' }) as Error,
  );
  writer.discardMarket(again);
  const key = writer.startMarket();
  writer.addDefinition(key, MADE_DEFINITION);
  const buffer = new UpdateBuffer();
  buffer.start(1_600_000_000_000 as Instant);
  buffer.definition(0);
  writer.appendUpdate(key, buffer);
  writer.finishMarket(key, madeDescription('added'));
  writer.finish();
  expect(verifyTape(path)).toEqual([]);
  expect(read(path)[0]).toMatchObject({ market: 1, at: 1_600_000_000_000 });
});

test('a stale partial file of a killed process is cleared away', () => {
  writeMade(path, 1, []);
  writeFileSync(`${path}.partial`, readFileSync(path).subarray(0, 6000));
  rmSync(path);
  writeMade(path, 1, []);
  expect(existsSync(`${path}.partial`)).toBe(false);
  expect(verifyTape(path)).toEqual([]);
});

test('a market that is discarded leaves nothing in the tape', () => {
  const writer = TapeWriter.create(path);
  const kept = writer.startMarket();
  const gone = writer.startMarket();
  const buffer = new UpdateBuffer();
  for (const update of longMade()) {
    buffer.start(update.at as Instant);
    for (const [kind, ...rest] of update.events) buffer.push(kind as RecordedKind, ...rest);
    writer.appendUpdate(update.market === 0 ? kept : gone, buffer);
  }
  writer.addDefinition(gone, MADE_DEFINITION);
  writer.discardMarket(gone);
  writer.finishMarket(kept, madeDescription('kept'));
  writer.finish();
  expect(verifyTape(path)).toEqual([]);
  expect(read(path).length).toBe(10_000);
});

test('a flipped byte anywhere in a segment is found and named, and a reader refuses to go on', () => {
  writeMade(path, 3, longMade());
  const database = new Database(path);
  const row = database.prepare('SELECT id, number, bytes FROM segment WHERE key = 1 AND number = 1').get() as {
    id: number;
    number: number;
    bytes: Buffer;
  };
  for (const at of [0, 3, 5000, row.bytes.length - 1]) {
    const flipped = Buffer.from(row.bytes);
    flipped[at] = (flipped[at] as number) ^ 4;
    database.prepare('UPDATE segment SET bytes = ? WHERE id = ?').run(flipped, row.id);
    expect(verifyTape(path)).toContainEqual({ what: 'its checksum is wrong', market: 'm1', segment: 1 });
    expect(() => read(path)).toThrow(expect.objectContaining({ code: 'TAPE_CORRUPT' }) as Error);
  }
  database.prepare('UPDATE segment SET bytes = ? WHERE id = ?').run(row.bytes, row.id);
  expect(verifyTape(path)).toEqual([]);
  database.close();
});

test('every change of the index is found', () => {
  writeMade(path, 3, longMade());
  const whole = readFileSync(path);
  const changes = [
    'UPDATE segment SET last_at = last_at + 1 WHERE key = 0 AND number = 0',
    'UPDATE segment SET first_at = first_at + 1 WHERE key = 0 AND number = 1',
    'UPDATE segment SET updates = updates - 1 WHERE key = 2 AND number = 1',
    'UPDATE segment SET events = events + 1 WHERE key = 2 AND number = 0',
    'UPDATE segment SET first_sequence = 5 WHERE key = 1 AND number = 2',
    'UPDATE segment SET largest = 9 WHERE key = 1 AND number = 2',
    'UPDATE segment SET key = 77 WHERE key = 1 AND number = 2',
    'DELETE FROM segment WHERE key = 1 AND number = 0',
    'DELETE FROM definition WHERE key = 1',
    'UPDATE market SET updates = updates + 1 WHERE position = 1',
    "UPDATE market SET description = replace(description, 'o3', 'o4') WHERE position = 1",
    "UPDATE tape SET value = 'ff' WHERE name = 'sha256'",
  ];
  for (const change of changes) {
    writeFileSync(path, whole);
    const database = new Database(path);
    database.exec(change);
    database.close();
    expect(verifyTape(path).length, change).toBeGreaterThan(0);
  }
});

test('a cut or overwritten tape file is found to be damaged or no tape, never read as whole', () => {
  writeMade(path, 3, longMade());
  const whole = readFileSync(path);
  for (const size of [0, 50, 4096, 8192, whole.length >> 1, whole.length - 1]) {
    writeFileSync(path, whole.subarray(0, size));
    let found: unknown;
    try {
      found = verifyTape(path).length > 0;
    } catch (error) {
      found = error instanceof TapeFailure;
    }
    expect(found, `${size} bytes`).toBe(true);
  }
  expect(() => Tape.open(join(folder, 'absent'))).toThrow(expect.objectContaining({ code: 'TAPE_NOT_FOUND' }) as Error);
});

test('exports every event in plain words', () => {
  writeMade(path, 1, [
    {
      market: 0,
      at: 1_700_000_000_000,
      receivedAt: 1_700_000_000_000,
      events: [
        [LEVEL, 1, 1, 99, 2_500_000],
        [TRADE, 1, 0, 99, 15_000],
        [LAST_PRICE, 1, 0, 99, 0],
      ],
    },
  ]);
  const tape = Tape.open(path);
  const lines = [...exportTape(tape, 'jsonl')].map((line) => JSON.parse(line));
  expect(lines[0]).toMatchObject({ kind: 'market', facts: { id: 'm0' } });
  expect(lines[1]).toMatchObject({
    kind: 'update',
    market: 'm0',
    publishedAt: '2023-11-14T22:13:20.000Z',
    events: [
      { kind: 'level', outcome: 'o1', side: 'Against', price: 2, stake: 2.5 },
      { kind: 'trade', outcome: 'o1', price: 2, stake: 0.015 },
      { kind: 'lastPrice', outcome: 'o1', price: 2 },
    ],
  });
  const rows = [...exportTape(tape, 'csv')].join('').trim().split('\n');
  expect(rows[0]).toBe('market,sequence,publishedAt,receivedAt,kind,outcome,side,price,stake');
  expect(rows[1]).toBe('m0,0,2023-11-14T22:13:20.000Z,2023-11-14T22:13:20.000Z,level,o1,Against,2,2.5');
  tape.close();
});

test('opening costs nothing that grows with the updates', () => {
  writeMade(path, 3, longMade());
  expect(statSync(path).size).toBeLessThan(30_000 * 15);
  const tape = Tape.open(path);
  expect(tape.markets.map((market) => market.updates)).toEqual([10_000, 10_000, 10_000]);
  tape.close();
});
