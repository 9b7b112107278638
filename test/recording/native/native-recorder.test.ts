/** Native recordings of our own stream: what is in the files is what the client read, gaps are named, and recordings can be joined. */

import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { NativeRecording } from '../../../src/app/live/record/native-recording.ts';
import { nativeNews } from '../../../src/betfair/stream/native-news.ts';
import { MarketFold } from '../../../src/betfair/wire/fold/market-fold.ts';
import { Random } from '../../../src/core/number/random.ts';
import { importBetfair } from '../../../src/recording/betfair/import.ts';
import { joinedMarket } from '../../../src/recording/betfair/native/join.ts';
import { NativeRecorder } from '../../../src/recording/betfair/native/native-recorder.ts';
import { readSpans } from '../../../src/recording/betfair/native/spans.ts';
import { Tape } from '../../../src/recording/tape/tape.ts';
import { StreamRig } from '../../support/betfair/stream-rig.ts';
import { StreamPlay } from '../../support/sandbox-betfair/stream-play.ts';
import { temporaryDirectory } from '../../support/temporary-directory.ts';

const DAY = '2026-03-24';
const FIELDS = ['EX_MARKET_DEF', 'EX_ALL_OFFERS', 'EX_TRADED', 'EX_LTP', 'EX_TRADED_VOL'] as const;

let play: StreamPlay;
beforeEach(() => {
  play = new StreamPlay(Random.fromSeed(5), { isWatched: false, segmentBytes: 600 });
});

/** A client that is recorded into a directory of its own. */
class Recorded {
  readonly rig: StreamRig;
  readonly directory: string;
  recording: NativeRecording;
  readonly faults: unknown[] = [];

  constructor(seed: number, directory = temporaryDirectory('native')) {
    this.rig = new StreamRig({ stage: play.stage, seed });
    this.directory = directory;
    this.recording = this.record();
    const marketFilter = { marketIds: [...play.marketIds] };
    this.rig.client.markets({ marketFilter, marketDataFilter: { fields: [...FIELDS] } });
    this.rig.client.start();
  }

  record(): NativeRecording {
    const { clock } = play.stage.builder;
    const news$ = nativeNews(this.rig.client.events$);
    this.recording = new NativeRecording({
      ...{ directory: this.directory, news$, clock },
      onFault: (error) => this.faults.push(error),
    });
    return this.recording;
  }

  finish() {
    this.rig.client.close();
    expect(this.faults).toEqual([]);
    return this.recording.finish();
  }
}

function act(steps: number): void {
  for (let step = 0; step < steps; step += 1) play.act();
}

function linesOf(path: string): readonly string[] {
  return readFileSync(path, 'utf8').trim().split('\n');
}

/** What the lines of a file add up to. */
function foldOf(path: string, id: string): MarketFold {
  const fold = new MarketFold(id);
  for (const line of linesOf(path)) for (const change of JSON.parse(line).mc) fold.apply(change);
  return fold;
}

async function imported(paths: readonly string[]) {
  return importBetfair({ files: paths, tape: join(temporaryDirectory('native-tape'), 'a.tape') });
}

test('each market has a file that our importer reads whole, and that adds up to what the exchange shows', async () => {
  const recorded = new Recorded(1);
  act(120);
  play.stage.builder.pass(5_000);
  const reader = play.stage.open(recorded.rig.session);
  const [, request] = (recorded.rig.line.sent.at(-1) ?? []).map((line) => JSON.parse(line));
  reader.send(request);
  const state = recorded.finish();
  const folder = join(recorded.directory, DAY);
  expect(readdirSync(folder)).toEqual([...play.marketIds].sort());
  expect(state).toEqual({ markets: 2, messages: expect.any(Number) });
  for (const id of play.marketIds) {
    const path = join(folder, id);
    for (const line of linesOf(path)) expect(Object.keys(JSON.parse(line)).join()).toMatch(/^op,(clk,)?pt,mc$/);
    const read = reader.reader.markets.get(id);
    for (const [key, { byPrice }] of foldOf(path, id).runners)
      expect(byPrice.atb).toEqual(read?.runners.get(key)?.byPrice.get('atb') ?? new Map());
  }
  const report = await imported(play.marketIds.map((id) => join(folder, id)));
  expect(report).toMatchObject({ markets: 2, faulty: 0 });
  expect(report.files.flatMap(({ recordings }) => recordings).every(({ badLines }) => badLines === 0)).toBe(true);
  expect(readSpans(recorded.directory)).toMatchObject([{ end: 'the recording was ended' }]);
});

test('the proof names each gap, and a recorder goes on where a killed one ended', async () => {
  const recorded = new Recorded(1);
  act(20);
  recorded.rig.line.cut();
  act(40);
  play.stage.builder.pass(10_000);
  expect(readSpans(recorded.directory)).toMatchObject([
    { end: expect.stringContaining('cut') },
    { from: expect.any(Number), to: expect.any(Number) },
  ]);
  // It is killed: nothing is ended, and what came since the last write is lost.
  recorded.rig.client.close();
  const second = new Recorded(2, recorded.directory);
  act(20);
  play.stage.builder.pass(2_000);
  second.finish();
  const spans = readSpans(recorded.directory);
  expect(spans.map(({ end }) => end)).toEqual([
    ...[expect.stringContaining('cut'), 'the recorder was killed', 'the recording was ended'],
  ]);
  for (const [place, { from, to }] of spans.entries()) {
    expect(from).toBeLessThanOrEqual(to);
    expect(from).toBeGreaterThanOrEqual(spans[place - 1]?.to ?? 0);
  }
  expect(await imported([...play.marketIds].map((id) => join(recorded.directory, DAY, id)))).toMatchObject({
    faulty: 0,
  });
});

test('a file of a new day begins with what the market stood at, and both days join to one file', async () => {
  const directory = temporaryDirectory('native');
  const recorder = new NativeRecorder(directory);
  const midnight = Date.UTC(2026, 2, 25);
  const tell = (pt: number, ...mc: readonly object[]) =>
    recorder.take({ kind: 'message', lines: [JSON.stringify({ op: 'mcm', id: 2, clk: `c${pt}`, pt, mc })] });
  const definition = {
    status: 'OPEN',
    version: 1,
    marketTime: '2026-03-25T12:00:00.000Z',
    runners: [{ id: 7, status: 'ACTIVE' }],
  };
  const image = {
    id: '1.1',
    img: true,
    marketDefinition: definition,
    rc: [
      {
        id: 7,
        ltp: 2,
        atb: [
          [2, 10],
          [1.9, 4],
        ],
      },
    ],
  };
  tell(midnight - 5_000, image);
  tell(midnight - 1, { id: '1.1', rc: [{ id: 7, atb: [[2, 0]] }] });
  tell(midnight + 7, { id: '1.1', rc: [{ id: 7, atl: [[3, 5]] }] });
  recorder.finish('test');
  expect(readdirSync(directory).sort()).toEqual(['.spans.json', DAY, '2026-03-25']);
  const lines = linesOf(join(directory, '2026-03-25', '1.1')).map((line) => JSON.parse(line));
  expect(lines).toEqual([
    { op: 'mcm', pt: midnight, mc: [{ ...image, rc: [{ id: 7, ltp: 2, atb: [[1.9, 4]] }] }] },
    { op: 'mcm', clk: `c${midnight + 7}`, pt: midnight + 7, mc: [{ id: '1.1', rc: [{ id: 7, atl: [[3, 5]] }] }] },
  ]);
  const days = ['2026-03-25', DAY].map((day) => join(directory, day, '1.1'));
  expect([...joinedMarket(days).lines]).toHaveLength(4);
  expect(await imported(days)).toMatchObject({ markets: 1, faulty: 0, files: [{ file: days[0] }] });
});

test('an image that tells nothing new, because another market was found, is not written again', () => {
  const directory = temporaryDirectory('native');
  const recorder = new NativeRecorder(directory);
  const at = Date.UTC(2026, 2, 24, 12);
  const definition = { status: 'OPEN', version: 1, runners: [{ id: 7, status: 'ACTIVE' }] };
  const tell = (pt: number, ...mc: readonly object[]) =>
    recorder.take({ kind: 'message', lines: [JSON.stringify({ op: 'mcm', id: 2, clk: `c${pt}`, pt, mc })] });
  const image = (id: string, ...atb: readonly (readonly number[])[]) => {
    return { id, img: true, marketDefinition: definition, rc: [{ id: 7, ltp: 2, atb }] };
  };
  tell(at, image('1.1', [2, 10], [1.9, 4]), image('1.2', [2, 10]));
  tell(at + 1, {
    id: '1.1',
    rc: [
      { id: 7, atb: [[2, 3]] },
      { id: 8, atb: [[2, 3]] },
    ],
  });
  tell(at + 2, { id: '1.1', rc: [{ id: 8, atb: [[2, 0]] }] });
  tell(at + 3, image('1.1', [1.9, 4], [2, 3]), image('1.2', [2, 11]), image('1.3', [5, 1]));
  recorder.finish('test');
  const timesOf = (id: string) => linesOf(join(directory, DAY, id)).map((line) => JSON.parse(line).pt - at);
  expect(timesOf('1.1')).toEqual([0, 1, 2]);
  expect(timesOf('1.2')).toEqual([0, 3]);
  expect(timesOf('1.3')).toEqual([3]);
});

test('where a file cannot be written, the recording ends with the failure', () => {
  const directory = temporaryDirectory('native');
  // What should be the folder of the day is a file.
  writeFileSync(join(directory, DAY), '');
  const recorded = new Recorded(1, directory);
  act(5);
  play.stage.builder.pass(2_000);
  expect(recorded.faults).toMatchObject([{ code: 'TAPE_NOT_WRITABLE', path: join(directory, DAY) }]);
  recorded.rig.client.close();
});

test('two recorders that missed different stretches have all together', async () => {
  const [one, other] = [new Recorded(1), new Recorded(2)];
  const whole = new Recorded(3);
  act(20);
  for (const cut of [one, other, one, other]) {
    cut.rig.line.isClosed = true;
    cut.rig.line.cut();
    act(30);
    cut.rig.line.isClosed = false;
    play.stage.builder.pass(40_000);
    act(10);
    play.stage.builder.pass(3_000);
  }
  for (const each of [one, other, whole]) each.finish();
  expect(readSpans(one.directory)).toHaveLength(3);
  expect(readSpans(other.directory)).toHaveLength(3);
  const filesOf = ({ directory }: Recorded) => play.marketIds.map((id) => join(directory, DAY, id));
  for (const [place, id] of play.marketIds.entries()) {
    const paths = [filesOf(one)[place] ?? '', filesOf(other)[place] ?? ''];
    const { lines, gaps } = joinedMarket(paths);
    expect(gaps).toEqual([]);
    expect(storyOf([...lines], id)).toEqual(storyOf(linesOf(join(whole.directory, DAY, id)), id));
    expect(joinedMarket(paths.slice(0, 1)).gaps).toHaveLength(2);
  }
  const both = [...filesOf(one), ...filesOf(other)];
  const report = await imported(both);
  expect(report).toMatchObject({ faulty: 0, markets: 2, files: { length: 2 } });
  // In threads, each file may be read by another one.
  const tape = join(temporaryDirectory('native-tape'), 'b.tape');
  expect((await importBetfair({ files: both, tape, jobs: 2 })).sha256).toBe(report.sha256);
});

test('what no recorder has is a gap of the market on the tape', async () => {
  const recorded = new Recorded(1);
  act(20);
  recorded.rig.line.isClosed = true;
  recorded.rig.line.cut();
  act(30);
  recorded.rig.line.isClosed = false;
  play.stage.builder.pass(40_000);
  act(20);
  play.stage.builder.pass(1_000);
  recorded.finish();
  const [before, after] = readSpans(recorded.directory);
  const tape = join(temporaryDirectory('native-tape'), 'a.tape');
  await importBetfair({ files: play.marketIds.map((id) => join(recorded.directory, DAY, id)), tape });
  const opened = Tape.open(tape);
  for (const { gaps } of opened.markets)
    expect(gaps).toEqual([{ from: before?.to, to: after?.from, why: expect.stringContaining('cut') }]);
  opened.close();
});

/** What a market looked like at each time at which it changed. */
function storyOf(lines: readonly string[], id: string): ReadonlyMap<number, unknown> {
  const fold = new MarketFold(id);
  const story = new Map<number, unknown>();
  let last = '';
  for (const line of lines) {
    const { pt, mc } = JSON.parse(line);
    for (const change of mc) fold.apply(change);
    const runners = [...fold.runners].map(([key, { byPrice }]) => [
      key,
      ...Object.values(byPrice).map((rows) => [...rows].sort()),
    ]);
    const now = JSON.stringify([fold.definition, runners.filter((each) => each.flat(2).length > 1).sort()]);
    if (now !== last) story.set(pt, now);
    last = now;
  }
  return story;
}

test('what the catalogue says is kept once, and what it says anew is kept too', () => {
  const directory = temporaryDirectory('native');
  const told = ['{"marketId":"1.1","marketName":"A"}', '{"marketId":"1.2","marketName":"B"}', '{"marketId":"1.1"}'];
  for (const count of [1, 2, 3]) {
    const recorder = new NativeRecorder(directory);
    for (const line of told.slice(0, count)) recorder.take({ kind: 'described', line });
    recorder.finish('the recording was ended');
    expect(linesOf(join(directory, 'catalogue.jsonl'))).toEqual(told.slice(0, count));
  }
});
