/** The recorder with synthetic markets and a synthetic clock: what is on its tapes, day by day. */

import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { instant } from '../../../src/core/number/units.ts';
import { AGAINST, FOR } from '../../../src/core/side.ts';
import { Recorder } from '../../../src/recording/live/recorder.ts';
import { sealRecording } from '../../../src/recording/live/recording-writer.ts';
import { Tape } from '../../../src/recording/tape/tape.ts';
import { verifyTape } from '../../../src/recording/verify.ts';
import { MadeBook } from '../../support/record/made-book.ts';
import { recordedEnds } from '../../support/record/recorded-book.ts';
import { temporaryDirectory } from '../../support/temporary-directory.ts';

const DAY = Date.UTC(2026, 10, 20);
const MIDNIGHT = DAY + 86_400_000;
const UNIT = 1_000_000;

let directory = '';
beforeEach(() => {
  directory = temporaryDirectory('recorder');
});

function recorderAt(now: number, knowsTrades = true): Recorder {
  const settings = {
    directory,
    address: 'http://made',
    knowsTrades,
    commissionPpm: 10_000,
    silenceMaxMs: 3_000,
    times: 'published',
  } as const;
  return new Recorder(settings, instant(now));
}

test('writes levels, decreases first, and what rose in matched stake as trades, but not what was matched before', () => {
  const recorder = recorderAt(DAY);
  const book = new MadeBook('1')
    .rests(0, FOR, 60, 5 * UNIT)
    .rests(1, AGAINST, 40, 7 * UNIT)
    .matched(0, FOR, 60, 9 * UNIT)
    .matched(1, AGAINST, 40, 4 * UNIT);
  recorder.record(book, 'listed', instant(DAY + 100));
  book
    .rests(0, FOR, 60, 3 * UNIT)
    .rests(0, FOR, 61, UNIT)
    .matched(0, FOR, 60, 11 * UNIT)
    .matched(0, AGAINST, 60, UNIT);
  recorder.record(book, 'prices', instant(DAY + 600));
  const [tape] = recorder.finish(instant(DAY + 700));
  const end = recordedEnds(tape?.path ?? '').get('1');
  expect(end?.levels).toEqual(['0 0 60 3000000', '0 0 61 1000000', '1 1 40 7000000']);
  expect([...(end?.traded ?? [])]).toEqual([['0 60', 3 * UNIT]]);
  expect(end?.receivedAt).toEqual([DAY + 100, DAY + 600]);
  expect(end?.definition).toMatchObject({
    status: 'Open',
    inPlayDelayMs: 5_000,
    commissionPpm: 10_000,
    winnerCount: 1,
  });
  expect(verifyTape(tape?.path ?? '')).toEqual([]);
});

test('a market whose prices are streamed has no trades and says so in its grade', () => {
  const recorder = recorderAt(DAY, false);
  const book = new MadeBook('1').matched(0, FOR, 60, UNIT);
  recorder.record(book, 'listed', instant(DAY));
  recorder.record(book.matched(0, FOR, 60, 2 * UNIT), 'prices', instant(DAY + 1));
  const [tape] = recorder.finish(instant(DAY + 2));
  expect(recordedEnds(tape?.path ?? '').get('1')?.traded.size).toBe(0);
  const opened = Tape.open(tape?.path ?? '');
  expect(opened.markets[0]?.grade).toBe('A-');
  opened.close();
});

test('keeps publish and receive times apart, in order, and does not believe a clock that is far off', () => {
  const recorder = recorderAt(DAY, false);
  const book = new MadeBook('1');
  for (const [publishedAt, receivedAt] of [
    [900, 1_000],
    [850, 1_100],
    [1_150, 1_200],
    [-3_600_000, 1_300],
    [undefined, 1_400],
  ]) {
    book.publishedAt = publishedAt === undefined ? undefined : instant(DAY + publishedAt);
    recorder.record(book, 'prices', instant(DAY + (receivedAt ?? 0)));
  }
  const [tape] = recorder.finish(instant(DAY + 2_000));
  const end = recordedEnds(tape?.path ?? '').get('1');
  expect(end?.publishedAt.map((at) => at - DAY)).toEqual([900, 900, 1_150, 1_300, 1_400]);
  expect(end?.receivedAt.map((at) => at - DAY)).toEqual([1_000, 1_100, 1_200, 1_300, 1_400]);
  const opened = Tape.open(tape?.path ?? '');
  expect(opened.markets[0]?.losses).toEqual({ publishTimesFarFromReceipt: 1 });
  opened.close();
});

test('begins a tape a day at midnight UTC, each of which stands for itself', () => {
  const recorder = recorderAt(MIDNIGHT - 1_000);
  const book = new MadeBook('1').rests(0, FOR, 60, UNIT).matched(0, FOR, 60, UNIT);
  const over = new MadeBook('2');
  recorder.record(book, 'listed', instant(MIDNIGHT - 900));
  recorder.record(over, 'listed', instant(MIDNIGHT - 900));
  over.status = 'Settled';
  over.winner = 1;
  recorder.record(over, 'status', instant(MIDNIGHT - 800));
  recorder.commit(instant(MIDNIGHT - 1));
  expect(readdirSync(directory).filter((name) => name.endsWith('.tape'))).toEqual([]);
  recorder.commit(instant(MIDNIGHT + 1));
  expect(readdirSync(directory).filter((name) => name.endsWith('.tape'))).toEqual(['2026-11-20.tape']);
  recorder.record(book.matched(0, FOR, 60, 3 * UNIT), 'prices', instant(MIDNIGHT + 10));
  const tapes = recorder.finish(instant(MIDNIGHT + 500));
  expect(tapes.map(({ path, markets, gaps }) => [path, markets, gaps])).toEqual([
    [join(directory, '2026-11-20.tape'), 2, 0],
    [join(directory, '2026-11-21.tape'), 1, 0],
  ]);
  for (const { path } of tapes) expect(verifyTape(path)).toEqual([]);
  const [first, second] = tapes.map(({ path }) => recordedEnds(path));
  expect(first?.get('2')?.definition).toMatchObject({ status: 'Settled', winnerCount: 1 });
  expect(first?.get('2')?.definition?.outcomes).toEqual([{ status: 'Loser' }, { status: 'Winner' }]);
  expect(second?.get('1')?.levels).toEqual(['0 0 60 1000000']);
  expect(second?.get('1')?.definition?.status).toBe('Open');
  // What was traded around midnight is on the second tape, since no poll of the first day saw it.
  expect([...(second?.get('1')?.traded ?? [])]).toEqual([['0 60', 2 * UNIT]]);
});

test('ends a gap of streamed prices with a whole book that was asked for after the loss', () => {
  const recorder = recorderAt(DAY);
  const book = Object.assign(new MadeBook('a'), { freshAt: instant(DAY) });
  recorder.record(book, 'listed', instant(DAY));
  recorder.broke('lost', 'moment', instant(DAY + 100));
  recorder.record(book, 'prices', instant(DAY + 200));
  expect(recorder.commit(instant(DAY + 300))).toEqual([]);
  book.freshAt = instant(DAY + 150);
  recorder.record(book, 'prices', instant(DAY + 400));
  expect(recorder.commit(instant(DAY + 500))).toEqual([{ market: 'a', from: DAY, to: DAY + 400, why: 'lost' }]);
});

test('notes what was missed before, on the tape that is written, as one gap where it goes on', () => {
  const recorder = recorderAt(DAY);
  for (const id of ['a', 'b']) recorder.record(new MadeBook(id), 'listed', instant(DAY));
  for (const [market, from, to] of [
    ['a', 1_000, 2_000],
    ['a', 2_000, 3_000],
    ['b', 2_000, 3_000],
    ['a', 5_000, 6_000],
    ['unknown', 5_000, 6_000],
  ] as const)
    recorder.missed(market, { from: instant(DAY + from), to: instant(DAY + to), why: 'not told' });
  expect(recorder.commit(instant(DAY + 7_000)).map(({ market }) => market)).toEqual(['a', 'a', 'b', 'a']);
  const [tape] = recorder.finish(instant(DAY + 8_000));
  const opened = Tape.open(tape?.path ?? '');
  const gaps = opened.markets.map((market) => market.gaps?.filter(({ why }) => why === 'not told'));
  opened.close();
  expect(gaps).toEqual([
    [
      { from: DAY + 1_000, to: DAY + 3_000, why: 'not told' },
      { from: DAY + 5_000, to: DAY + 6_000, why: 'not told' },
    ],
    [{ from: DAY + 2_000, to: DAY + 3_000, why: 'not told' }],
  ]);
});

test('notes as gaps: silence, failed readings, and an outage to the first prices after it', () => {
  const recorder = recorderAt(DAY);
  const [a, b] = [new MadeBook('a'), new MadeBook('b')];
  for (const book of [a, b]) recorder.record(book, 'listed', instant(DAY));
  recorder.record(a, 'prices', instant(DAY + 3_000));
  recorder.record(a, 'prices', instant(DAY + 6_001));
  recorder.broke('not read', 'moment', instant(DAY + 6_100));
  recorder.record(a, 'prices', instant(DAY + 6_500));
  recorder.broke('down', 'outage', instant(DAY + 6_600));
  recorder.record(a, 'prices', instant(DAY + 7_000));
  recorder.mended();
  recorder.record(a, 'prices', instant(DAY + 7_200));
  recorder.record(a, 'prices', instant(DAY + 7_300));
  const events = recorder.commit(instant(DAY + 7_400));
  expect(events.map(({ market, from, to, why }) => [market, from - DAY, to - DAY, why])).toEqual([
    ['a', 3_000, 6_001, 'no prices came'],
    ['a', 6_001, 6_500, 'not read'],
    ['a', 6_500, 7_200, 'down'],
  ]);
  const [tape] = recorder.finish(instant(DAY + 8_000));
  expect(tape?.gaps).toBe(4);
  const opened = Tape.open(tape?.path ?? '');
  expect(opened.markets.map(({ gaps }) => gaps?.length)).toEqual([3, 1]);
  expect(opened.markets[1]?.gaps).toEqual([{ from: DAY, to: DAY + 8_000, why: 'not read' }]);
  opened.close();
});

test('what was committed is read while it is recorded; what is not committed is not; a second recorder takes another name', () => {
  const recorder = recorderAt(DAY);
  const book = new MadeBook('1').rests(0, FOR, 60, UNIT);
  recorder.record(book, 'listed', instant(DAY + 1));
  recorder.commit(instant(DAY + 2));
  recorder.record(book.rests(0, FOR, 60, 2 * UNIT), 'prices', instant(DAY + 3));
  const unfinished = `${recorder.path}.unfinished`;
  const opened = Tape.open(unfinished);
  expect(opened.unfinished).toEqual({ startedAt: DAY, committedAt: DAY + 2 });
  opened.close();
  expect(recordedEnds(unfinished).get('1')?.levels).toEqual(['0 0 60 1000000']);
  expect(verifyTape(unfinished)).toEqual([]);
  expect(() => sealRecording(recorder.path)).toThrow(expect.objectContaining({ code: 'TAPE_BUSY' }) as Error);
  const second = recorderAt(DAY + 5);
  expect(second.path).toBe(join(directory, '2026-11-20.2.tape'));
  second.finish(instant(DAY + 6));
  recorder.finish(instant(DAY + 7));
});

test('a reader at the end of a tape does not lose it: it stays unfinished by name, whole, and is sealed later', () => {
  const recorder = recorderAt(DAY);
  recorder.record(new MadeBook('1').rests(0, FOR, 60, UNIT), 'listed', instant(DAY + 1));
  recorder.commit(instant(DAY + 2));
  const reader = Tape.open(`${recorder.path}.unfinished`);
  const [tape] = recorder.finish(instant(DAY + 3));
  expect(tape?.path).toBe(`${recorder.path}.unfinished`);
  reader.close();
  expect(sealRecording(recorder.path)).toEqual({ path: recorder.path, sha256: tape?.sha256 });
  expect(verifyTape(recorder.path)).toEqual([]);
  const sealed = Tape.open(recorder.path);
  expect([sealed.cut, sealed.unfinished]).toEqual([undefined, undefined]);
  sealed.close();
});
