/** Whether the journal of a daemon stays short for months: a strategy stands at its limit beside markets that open and close. */

import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { readJournal } from '../../../src/journal/read-journal.ts';
import { DaemonProcess } from '../kill/daemon-process.ts';
import { growth, liveHeapOf, type Memory, memoryLine, memoryOf, SCATTER_PER_HOUR } from './memory.ts';
import { refusalsIn } from './refusals.ts';
import { cpuMs, type Sample, takeSample } from './sampler.ts';
import type { SoakChoice } from './soak.ts';
import { openSoak, type SoakStage } from './soak-stage.ts';

/** Sizes in bytes. */
interface JournalSample extends Sample {
  /** Of the records that the journal holds. */
  readonly kept: number;
  readonly past: number;
  readonly explained: number;
  /** Numbers of the last record, and of the last that was packed. */
  readonly records: number;
  readonly packed: number;
}

/** From the start of the process to trading, ms: the least of several starts, which a busy machine disturbs least. */
interface StartTimes {
  readonly wall: number;
  /** Of the processor, user and system. */
  readonly cpu: number;
}

export interface JournalSoakReport {
  readonly minutes: number;
  readonly markets: number;
  readonly samples: number;
  readonly starts: Readonly<Record<'first' | 'last', StartTimes>>;
  readonly records: number;
  readonly keptMb: Readonly<Record<'first' | 'last' | 'most' | 'packed', number>>;
  /** Of what must not be forgotten; undefined where nothing was packed. */
  readonly growthMbPerDay: number | undefined;
  readonly explainedMb: number;
  /** Intents that risk refused, by code. */
  readonly refusals: Readonly<Record<string, number>>;
  readonly memory: Readonly<Record<'rss' | 'liveHeap', Memory>>;
  /** Empty where all is well. */
  readonly troubles: readonly string[];
}

const MB = 1e6;
/** So little that it is reached well before the end. */
const EXPLAIN_MB = 4;
const STRATEGY_LIMIT = 30;
const GROWTH_MB_PER_DAY_MOST = 150;
/** Two checkpoints' worth of records, and as many that wait to be packed. */
const HELD_MB_MOST = 30;
/** By so much of what it took at the beginning may a start take more or less at the end. */
const START_DIFFERENCE_MOST = 0.2;
const STARTS = 9;
const LIFE_MS: readonly [number, number] = [30_000, 120_000];
const SAMPLE_MS = 5_000;
const LOOK_MS = 20;
const START_MS = 60_000;
const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
/** From this length on, what is too short to tell is a failure. */
const WHOLE_MINUTES = 30;

export async function soakJournal(choice: SoakChoice): Promise<JournalSoakReport> {
  const { minutes, markets, seed, onKept } = choice;
  const stage = await openSoak({
    seed,
    markets,
    lifeMs: LIFE_MS,
    strategyLimit: STRATEGY_LIMIT,
    explainMb: EXPLAIN_MB,
  });
  let isWell = false;
  try {
    const first = await startsOf(stage);
    const { samples, startedAt, troubles } = await sampled(choice, stage);
    const last = await startsOf(stage);
    const liveHeap = memoryOf(liveHeapOf(stage.place.directory).filter(({ at }) => at >= startedAt));
    const rss = memoryOf(samples.map(({ at, rss }) => ({ at, value: rss })));
    const refusals = refusalsOf(journalOf(stage));
    const memory = { rss, liveHeap };
    const report = reportOf({ minutes, markets, samples, starts: { first, last }, memory, refusals, troubles });
    isWell = report.troubles.length === 0;
    return report;
  } finally {
    if (!isWell) onKept?.(stage.place.directory);
    await stage.close({ keeps: !isWell && onKept !== undefined });
  }
}

function journalOf({ place }: SoakStage): string {
  return join(place.dir, 'journal.sqlite');
}

function refusalsOf(journal: string): Readonly<Record<string, number>> {
  const reader = readJournal(journal);
  try {
    return refusalsIn(reader.records());
  } finally {
    reader.close();
  }
}

/** Each is ended in order. */
async function startsOf(stage: SoakStage): Promise<StartTimes> {
  let least: StartTimes = { wall: Number.POSITIVE_INFINITY, cpu: Number.POSITIVE_INFINITY };
  for (let start = 0; start < STARTS; start += 1) {
    const daemon = new DaemonProcess(stage.place);
    const { wall, cpu } = await untilTrading(daemon);
    least = { wall: Math.min(least.wall, wall), cpu: Math.min(least.cpu, cpu) };
    for (const trouble of await ended(daemon)) throw new Error(trouble);
  }
  return least;
}

async function untilTrading(daemon: DaemonProcess): Promise<StartTimes> {
  const from = performance.now();
  while (performance.now() - from < START_MS) {
    const reply = await daemon.ask({ command: 'status' });
    if (reply?.status?.bot?.phase === 'trading') return { wall: performance.now() - from, cpu: cpuMs(daemon.pid) };
    if (daemon.end !== undefined) break;
    await sleep(LOOK_MS);
  }
  daemon.signal('SIGKILL');
  throw new Error(`it did not trade within ${START_MS} ms`);
}

/** What is wrong with its end. */
async function ended(daemon: DaemonProcess): Promise<readonly string[]> {
  if (daemon.end !== undefined) return [`it ended by itself: ${JSON.stringify(daemon.end)}`];
  const reply = await daemon.ask({ command: 'stop' });
  await Promise.race([daemon.ended, sleep(START_MS)]);
  daemon.signal('SIGKILL');
  const end = await daemon.ended;
  return reply?.end?.exitCode === 0 && end.code === 0
    ? []
    : [`stop was answered by ${JSON.stringify(reply)}, it ended with ${JSON.stringify(end)}`];
}

interface Sampled {
  readonly samples: readonly JournalSample[];
  readonly startedAt: number;
  readonly troubles: readonly string[];
}

async function sampled({ minutes, onSample }: SoakChoice, stage: SoakStage): Promise<Sampled> {
  const daemon = new DaemonProcess(stage.place);
  const { startedAt } = daemon;
  const samples: JournalSample[] = [];
  try {
    await untilTrading(daemon);
    const end = Date.now() + minutes * MINUTE_MS;
    while (Date.now() < end && daemon.end === undefined) {
      await sleep(SAMPLE_MS);
      const sample = await takeSample(daemon, stage);
      if (sample === undefined) continue;
      const all = { ...sample, ...sizesOf(journalOf(stage)) };
      samples.push(all);
      const { rss, kept, past, explained, records } = all;
      const sizes = [kept, past, explained].map((bytes) => (bytes / MB).toFixed(2));
      onSample?.(`rss ${rss.toFixed(0)} MB; ${records} records; kept, packed, explained: ${sizes.join(', ')} MB`);
    }
    return { samples, startedAt, troubles: await ended(daemon) };
  } finally {
    daemon.signal('SIGKILL');
  }
}

function sizesOf(journal: string): Pick<JournalSample, 'kept' | 'past' | 'explained' | 'records' | 'packed'> {
  const [folder, past] = [`${journal}.explain`, `${journal}.past`];
  const explained = existsSync(folder)
    ? readdirSync(folder).reduce(
        (sum, name) => sum + (statSync(join(folder, name), { throwIfNoEntry: false })?.size ?? 0),
        0,
      )
    : 0;
  const held = figuresOf(journal, (figure) => ({
    kept: usedBytes(figure),
    records: figure('SELECT max(sequence) FROM record'),
    packed: figure("SELECT CAST(value AS INTEGER) FROM journal WHERE name = 'base'"),
  }));
  return { ...held, past: existsSync(past) ? figuresOf(past, usedBytes) : 0, explained };
}

type Figure = (sql: string) => number;

function figuresOf<T>(file: string, read: (figure: Figure) => T): T {
  const database = new Database(file, { readonly: true });
  try {
    return read((sql) => Number(database.prepare(sql).pluck().get()));
  } finally {
    database.close();
  }
}

/** Without the pages that rows have left, and with those that are still in the write-ahead log alone. */
function usedBytes(figure: Figure): number {
  const [pages, free, size] = ['page_count', 'freelist_count', 'page_size'].map((name) => figure(`PRAGMA ${name}`));
  return ((pages ?? 0) - (free ?? 0)) * (size ?? 0);
}

type Measured = Pick<JournalSoakReport, 'minutes' | 'markets' | 'starts' | 'memory' | 'refusals' | 'troubles'> & {
  readonly samples: readonly JournalSample[];
};

function reportOf({ samples, ...measured }: Measured): JournalSoakReport {
  const [first, last] = [samples[0], samples.at(-1)];
  const most = (figure: (sample: JournalSample) => number): number => Math.max(0, ...samples.map(figure)) / MB;
  const report = {
    ...measured,
    samples: samples.length,
    records: (last?.records ?? 0) - (first?.records ?? 0),
    keptMb: {
      ...{ first: (first?.kept ?? 0) / MB, last: (last?.kept ?? 0) / MB, most: most(({ kept }) => kept) },
      packed: (last?.past ?? 0) / MB,
    },
    growthMbPerDay: growthOf(samples),
    explainedMb: most(({ explained }) => explained),
  };
  return { ...report, troubles: [...measured.troubles, ...troublesOf(report)] };
}

function troublesOf(report: Omit<JournalSoakReport, 'troubles'>): readonly string[] {
  const { minutes, samples, keptMb, growthMbPerDay, explainedMb, memory, refusals, starts } = report;
  const { rss, liveHeap } = memory;
  const [first, last] = [starts.first.wall, starts.last.wall];
  const isShort = minutes < WHOLE_MINUTES;
  return [
    ...(samples === 0 ? ['nothing was measured'] : []),
    ...(Object.keys(refusals).length === 0 ? ['no strategy stood at a limit'] : []),
    ...((growthMbPerDay ?? 0) > GROWTH_MB_PER_DAY_MOST
      ? [`what is kept grows by ${growthMbPerDay?.toFixed(0)} MB a day`]
      : []),
    ...(growthMbPerDay === undefined && !isShort ? ['nothing was packed'] : []),
    ...(keptMb.most > HELD_MB_MOST ? [`the journal holds ${keptMb.most.toFixed(0)} MB`] : []),
    ...(explainedMb > EXPLAIN_MB ? [`${explainedMb.toFixed(1)} MB explain the run, of ${EXPLAIN_MB}`] : []),
    ...growth('RSS', rss, SCATTER_PER_HOUR),
    ...growth('the live heap', liveHeap, SCATTER_PER_HOUR),
    ...((rss.slope === undefined || liveHeap.slope === undefined) && !isShort ? ['memory was not measured'] : []),
    ...(Math.abs(last / first - 1) > START_DIFFERENCE_MOST
      ? [`a start takes ${last.toFixed(0)} ms at the end, ${first.toFixed(0)} at the beginning`]
      : []),
  ];
}

/**
 * By what a packed record weighs, and how many come in. The journal itself goes up and down between two checkpoints, and
 * has a bound of its own.
 */
function growthOf(samples: readonly JournalSample[]): number | undefined {
  const [from, to] = [samples[0], samples.at(-1)];
  if (from === undefined || to === undefined || to.packed <= 0 || to.at <= from.at) return undefined;
  const bytesPerRecord = to.past / to.packed;
  return ((to.records - from.records) / (to.at - from.at)) * DAY_MS * (bytesPerRecord / MB);
}

export function journalSoakText(report: JournalSoakReport): string {
  const { minutes, markets, samples, records, starts, keptMb, growthMbPerDay, explainedMb, memory, troubles } = report;
  const startText = ({ wall, cpu }: StartTimes): string => `${wall.toFixed(0)} (${cpu.toFixed(0)} of the processor)`;
  const refusals = Object.entries(report.refusals).map(([code, count]) => `${code} ${count}`);
  const lines = [
    `${minutes} minutes beside ${markets} markets, ${samples} samples, ${records} records`,
    `a start, ms, the least of ${STARTS}: ${startText(starts.first)} at the beginning, ${startText(starts.last)} at the end (± ${100 * START_DIFFERENCE_MOST} % allowed)`,
    `the journal holds ${keptMb.first.toFixed(1)} MB first, ${keptMb.last.toFixed(1)} last, ${keptMb.most.toFixed(1)} at most; packed ${keptMb.packed.toFixed(2)} MB`,
    `what must not be forgotten grows by ${growthMbPerDay?.toFixed(1) ?? '(nothing was packed)'} MB a day (${GROWTH_MB_PER_DAY_MOST} allowed)`,
    `what explains: ${explainedMb.toFixed(1)} MB at most (${EXPLAIN_MB} allowed)`,
    `risk refused: ${refusals.join(', ') || 'nothing'}`,
    `memory, MB             first    last  slope an hour (last two thirds, by the minute’s least; ${SCATTER_PER_HOUR} allowed)`,
    memoryLine('RSS', memory.rss),
    memoryLine('live heap', memory.liveHeap),
    ...troubles.map((trouble) => `TROUBLE ${trouble}`),
    ...(troubles.length === 0 ? ['the journal stays short'] : []),
  ];
  return `${lines.join('\n')}\n`;
}
