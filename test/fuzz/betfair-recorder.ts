/**
 * Three recorders of the Betfair sandbox, of which two are killed again and again: `npm run soak:betfair-recorder -- --minutes 60
 * --markets 200`. After each kill no file may end with half a line, and no more than a second may be lost. In the end all files are
 * imported, the recordings of the two that were killed are joined, and what comes out is compared with the third.
 */

import { spawn } from 'node:child_process';
import { closeSync, fstatSync, openSync, readdirSync, readFileSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pass } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { MarketFold } from '../../src/betfair/wire/fold/market-fold.ts';
import { Random } from '../../src/core/number/random.ts';
import { type ImportReport, importBetfair, problemsOf } from '../../src/recording/betfair/import.ts';
import { joinedMarket } from '../../src/recording/betfair/native/join.ts';
import { readSpans } from '../../src/recording/betfair/native/spans.ts';
import type { TapeGap } from '../../src/recording/tape/tape-schema.ts';
import { LoadedSandbox, loggedIn, marketName, type Place } from '../support/betfair/loaded-sandbox.ts';
import { rounded } from '../support/daemon-soak/course.ts';

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '1' },
    markets: { type: 'string', default: '50' },
    everyMs: { type: 'string', default: '500' },
    seed: { type: 'string', default: '1' },
  },
});
const minutes = Number(values.minutes);
const MINUTE_MS = 60_000;
const SPARE_MS = 120_000;
const LOST_MAX_MS = 1_000;
const STOOD_STILL_MS = 1_000;
const TAIL = 2 ** 16;
const TIMES = 40;
/** The sandbox dates a message when it makes it for each client, and one that waits for the network when it is sent. */
const AROUND_MS = [-1_000, -500, -100, 0, 100, 500, 1_000];
const marketIds = Array.from({ length: Number(values.markets) }, (_, market) => marketName(market));
const random = Random.fromSeed(Number(values.seed));
const faults: string[] = [];
let worstLossMs = 0;
let kills = 0;
let stalls = 0;

const sandbox = new LoadedSandbox({
  ...{ markets: marketIds.length, everyMs: Number(values.everyMs) },
  playMs: minutes * MINUTE_MS + SPARE_MS,
});

class RecorderProcess {
  readonly directory: string;
  readonly #place: Place;
  readonly #token: string;
  #child: ReturnType<typeof spawn>;
  #ended: Promise<void>;
  said = '';

  constructor(name: string, place: Place, token: string) {
    this.directory = join(sandbox.directory, name);
    this.#place = place;
    this.#token = token;
    [this.#child, this.#ended] = this.#start();
  }

  #start(): [ReturnType<typeof spawn>, Promise<void>] {
    const { streamAddress: address, authority } = this.#place;
    const what = JSON.stringify({ directory: this.directory, address, authority, token: this.#token, marketIds });
    const file = fileURLToPath(new URL('./betfair-recorder-process.ts', import.meta.url));
    const child = spawn(process.execPath, ['--conditions=oddsmith-source', file, what], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    child.stderr?.on('data', (text) => {
      this.said += String(text);
    });
    return [child, new Promise((resolve) => child.once('close', () => resolve()))];
  }

  async end(signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    this.#child.kill(signal);
    await this.#ended;
  }

  /** Kills it, looks at what it left, and starts it again. */
  async kill(): Promise<void> {
    const killedAt = Date.now();
    await this.end('SIGKILL');
    kills += 1;
    const span = readSpans(this.directory).at(-1);
    if (span === undefined || span.end !== undefined) faults.push('a recorder that was killed has no open span');
    else {
      worstLossMs = Math.max(worstLossMs, killedAt - span.to);
      if (killedAt - span.to > LOST_MAX_MS) faults.push(`a kill lost ${killedAt - span.to} ms`);
    }
    for (const path of filesOf(this.directory)) if (!isWhole(path)) faults.push(`${path} ends with half a line`);
    [this.#child, this.#ended] = this.#start();
  }

  /** Until it has recorded for a moment. */
  async begun(since: number): Promise<void> {
    while ((readSpans(this.directory).at(-1)?.to ?? 0) < since) await pass(50);
  }
}

function filesOf(directory: string): readonly string[] {
  const visible = (path: string) => readdirSync(path).filter((name) => !name.startsWith('.'));
  return visible(directory).flatMap((day) => visible(join(directory, day)).map((id) => join(directory, day, id)));
}

function isWhole(path: string): boolean {
  const handle = openSync(path, 'r');
  const { size } = fstatSync(handle);
  const tail = Buffer.alloc(Math.min(size, TAIL));
  readSync(handle, tail, 0, tail.length, size - tail.length);
  closeSync(handle);
  const lines = tail.toString('utf8').split('\n');
  const rest = lines.pop() ?? '';
  const last = lines.findLast((line) => line.trim() !== '');
  try {
    if (last !== undefined && lines.length > 1) JSON.parse(last);
    return rest.trim() === '';
  } catch {
    return false;
  }
}

async function killing(recorder: RecorderProcess, until: number, everyMs: number): Promise<void> {
  for (;;) {
    await recorder.begun(Date.now());
    const waitMs = everyMs / 2 + random.below(everyMs);
    const due = Date.now() + waitMs;
    await pass(waitMs);
    if (Date.now() > until) return;
    if (Date.now() - due > STOOD_STILL_MS) {
      // All processes stood still, and the recorder could not write: a kill would say nothing.
      stalls += 1;
      await recorder.begun(Date.now());
    }
    await recorder.kill();
  }
}

/** What the lines of a market add up to at each of these times. */
function statesAt(times: readonly number[], lines: Iterable<string>, id: string): readonly string[] {
  const fold = new MarketFold(id);
  const states: string[] = [];
  for (const line of lines) {
    if (line.trim() === '') continue;
    const { pt, mc } = JSON.parse(line);
    while (pt > (times[states.length] ?? Number.POSITIVE_INFINITY)) states.push(stateOf(fold));
    for (const change of mc) fold.apply(change);
  }
  while (states.length < times.length) states.push(stateOf(fold));
  return states;
}

function stateOf({ definition, runners }: MarketFold): string {
  const sorted = (rows: ReadonlyMap<number, number>) => [...rows].sort(([one], [other]) => one - other);
  const all = [...runners.values()].sort(({ id: one }, { id: other }) => one - other);
  return JSON.stringify([
    definition,
    ...all.map((runner) => [runner.id, runner.number('ltp'), ...Object.values(runner.byPrice).map(sorted)]),
  ]);
}

async function imported(name: string, files: readonly string[]): Promise<ImportReport> {
  const report = await importBetfair({ files, tape: join(sandbox.directory, `${name}.tape`) });
  for (const file of report.files)
    for (const { code, what } of problemsOf(file)) faults.push(`${name}: ${code} ${what}`);
  if (report.markets !== marketIds.length) faults.push(`${name}: ${report.markets} markets were imported`);
  return report;
}

async function soak(place: Place): Promise<object> {
  const token = await loggedIn(place);
  const [often, seldom, whole] = ['often', 'seldom', 'whole'].map(
    (name) => new RecorderProcess(name, place, token),
  ) as [RecorderProcess, RecorderProcess, RecorderProcess];
  const until = Date.now() + minutes * MINUTE_MS;
  await Promise.all([often, seldom, whole].map((each) => each.begun(1)));
  await Promise.all([killing(often, until, 4_000), killing(seldom, until, 23_000)]);
  for (const each of [often, seldom, whole]) await each.begun(Date.now());
  for (const each of [often, seldom, whole]) await each.end('SIGTERM');
  const killed = [...filesOf(often.directory), ...filesOf(seldom.directory)];
  const joined = await imported('joined', killed);
  const reference = await imported('whole', filesOf(whole.directory));
  await imported('often', filesOf(often.directory));
  const shares = [often, seldom, whole].map(({ directory }) => covered(directory));
  const joinedShares: number[] = [];
  let compared = 0;
  for (const id of marketIds) {
    const isOf = (path: string) => path.endsWith(id);
    const lines = filesOf(whole.directory)
      .filter(isOf)
      .flatMap((path) => readFileSync(path, 'utf8').split('\n'));
    const together = joinedMarket(killed.filter(isOf));
    joinedShares.push(shareWithout(together.gaps, often.directory));
    const times = timesWithin(together.gaps, often.directory);
    compared += times.length;
    const all = AROUND_MS.map((ms) =>
      statesAt(
        times.map((time) => time + ms),
        lines,
        id,
      ),
    );
    const ours = statesAt(times, together.lines, id);
    const wrong = ours.filter((state, place) => !all.some((states) => states[place] === state)).length;
    if (wrong > 0) faults.push(`${id} is another at ${wrong} of ${times.length} times`);
  }
  return {
    ...{
      minutes,
      markets: marketIds.length,
      kills,
      stalls,
      worstLossMs,
      compared,
      faultsByKind: byKind(),
      faults: faults.slice(0, 20),
    },
    ...{ updates: { whole: reference.updatesImported, joined: joined.updatesImported } },
    ...{ spans: { often: readSpans(often.directory).length, seldom: readSpans(seldom.directory).length } },
    coveredShare: { often: shares[0], seldom: shares[1], whole: shares[2], joined: Math.min(...joinedShares) },
    ...{ said: whole.said.slice(0, 500) },
  };
}

/** Times outside of the gaps, spread over the run of a recorder. */
function timesWithin(gaps: readonly TapeGap[], directory: string): readonly number[] {
  const { from, to } = wholeSpan(directory);
  const times = Array.from({ length: TIMES }, (_, place) => from + 2_000 + ((to - from - 4_000) * place) / TIMES);
  return times.filter((time) => !gaps.some((gap) => gap.from <= time && time <= gap.to));
}

function shareWithout(gaps: readonly TapeGap[], directory: string): number {
  const { from, to } = wholeSpan(directory);
  return rounded(1 - gaps.reduce((sum, gap) => sum + gap.to - gap.from, 0) / (to - from));
}

function wholeSpan(directory: string): { readonly from: number; readonly to: number } {
  const spans = readSpans(directory);
  return { from: spans[0]?.from ?? 0, to: spans.at(-1)?.to ?? 0 };
}

/** How many faults there are that differ in figures alone. */
function byKind(): Readonly<Record<string, number>> {
  const kinds = new Map<string, number>();
  for (const fault of faults.map((each) => each.replaceAll(/\d+/g, '#'))) kinds.set(fault, (kinds.get(fault) ?? 0) + 1);
  return Object.fromEntries(kinds);
}

/** The share of time, from the first span to the last, in which the recording has all. */
function covered(directory: string): number {
  const spans = readSpans(directory);
  const { from: first, to: last } = wholeSpan(directory);
  return rounded(spans.reduce((sum, { from, to }) => sum + to - from, 0) / (last - first));
}

try {
  const result = await soak(await sandbox.place());
  process.stdout.write(`${JSON.stringify(result, undefined, 1)}\n`);
  process.exitCode = faults.length === 0 ? 0 : 1;
} finally {
  await sandbox.end();
}
