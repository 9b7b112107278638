/**
 * The recording writer compared with the plain tape writer: the same updates in, the same updates out, at every commit.
 */

import { join } from 'node:path';
import Database from 'better-sqlite3';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { instant } from '../../../src/core/number/units.ts';
import { exportTape } from '../../../src/recording/export.ts';
import { RecordingWriter } from '../../../src/recording/live/recording-writer.ts';
import { UpdateBuffer } from '../../../src/recording/segment/update-buffer.ts';
import { Tape } from '../../../src/recording/tape/tape.ts';
import { TapeWriter } from '../../../src/recording/tape/tape-writer.ts';
import { verifyTape } from '../../../src/recording/verify.ts';
import { madeDefinition } from '../../support/made-market.ts';
import { madeDescription } from '../../support/made-tape.ts';
import { temporaryDirectory } from '../../support/temporary-directory.ts';

const MARKETS = 3;
const DEFINITION = madeDefinition(1);

const step = fc.record({
  market: fc.nat(MARKETS - 1),
  /** How often the update is written, because segments are closed by number and by size. */
  times: fc.oneof(
    { weight: 20, arbitrary: fc.integer({ min: 1, max: 4 }) },
    { weight: 1, arbitrary: fc.constant(1_500) },
  ),
  levels: fc.array(fc.tuple(fc.nat(1), fc.nat(349), fc.nat(1_000)), { maxLength: 4 }),
  commits: fc.boolean(),
});

/** The text of a tape without what differs between the two on purpose. */
function textOf(path: string): string {
  const tape = Tape.open(path);
  try {
    return [...exportTape(tape, 'csv', { markets: tape.markets.map(({ index }) => index) })].join('');
  } finally {
    tape.close();
  }
}

test('any updates in any commits are read back as the plain writer writes them', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      compare(temporaryDirectory('writer'), steps);
    }),
    { numRuns: 40 },
  );
});

function compare(
  directory: string,
  steps: readonly { market: number; times: number; levels: [number, number, number][]; commits: boolean }[],
): void {
  const path = join(directory, 'live.tape');
  const plainPath = join(directory, 'plain.tape');
  const live = RecordingWriter.create(path, instant(0));
  const plain = TapeWriter.create(plainPath);
  const buffer = new UpdateBuffer();
  for (let market = 0; market < MARKETS; market += 1) {
    live.startMarket(() => madeDescription(`${market}`, 1));
    plain.startMarket();
    live.addDefinition(market, DEFINITION);
    plain.addDefinition(market, DEFINITION);
  }
  let now = 0;
  for (const { market, times, levels, commits } of steps) {
    for (let time = 0; time < times; time += 1) {
      now += 1;
      buffer.start(instant(now), instant(now + (now % 3)));
      for (const [side, tick, amount] of levels) buffer.level(0, side, tick, amount * 1_000);
      live.appendUpdate(market, buffer);
      plain.appendUpdate(market, buffer);
    }
    if (!commits) continue;
    live.commit(instant(now));
    expect(verifyTape(`${path}.unfinished`)).toEqual([]);
  }
  live.commit(instant(now));
  const before = textOf(`${path}.unfinished`);
  live.finish();
  for (let market = 0; market < MARKETS; market += 1) plain.finishMarket(market, madeDescription(`${market}`, 1));
  plain.finish();
  expect(verifyTape(path)).toEqual([]);
  expect(textOf(path)).toBe(textOf(plainPath));
  expect(before).toBe(textOf(plainPath));
}

test('many small commits of a quiet market become segments of 256', () => {
  const directory = temporaryDirectory('writer');
  const path = join(directory, 'live.tape');
  const writer = RecordingWriter.create(path, instant(0));
  writer.startMarket(() => madeDescription('1', 1));
  writer.addDefinition(0, DEFINITION);
  const buffer = new UpdateBuffer();
  for (let at = 0; at < 600; at += 1) {
    buffer.start(instant(at));
    writer.appendUpdate(0, buffer);
    writer.commit(instant(at));
  }
  expect(verifyTape(`${path}.unfinished`)).toEqual([]);
  writer.finish();
  expect(verifyTape(path)).toEqual([]);
  const tape = Tape.open(path);
  expect(tape.markets[0]?.updates).toBe(600);
  tape.close();
  const database = new Database(path, { readonly: true });
  expect(database.prepare('SELECT updates FROM segment ORDER BY number').pluck().all()).toEqual([256, 256, 88]);
  database.close();
});
