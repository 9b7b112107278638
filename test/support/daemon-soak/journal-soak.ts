/** Whether the journal of a daemon stays short for months: a strategy stands at its limit beside markets that open and close. */

import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { DaemonProcess } from '../kill/daemon-process.ts';
import { quantile } from './course.ts';
import { type Sample, takeSample } from './sampler.ts';
import { floorOf, slopeOf } from './slope.ts';
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

export interface JournalSoakReport {
  readonly minutes: number;
  readonly markets: number;
  readonly samples: number;
  /** ms from a start to trading, at the beginning and at the end. */
  readonly startsMs: readonly [first: number, last: number];
  readonly keptMb: readonly [first: number, last: number];
  /** Of what must not be forgotten; undefined where nothing was packed. */
  readonly growthMbPerDay: number | undefined;
  readonly explainedMb: number;
  /** RSS, the least of each minute over the last two thirds; undefined in a short run. */
  readonly memoryMbPerHour: number | undefined;
  /** Empty where all is well. */
  readonly troubles: readonly string[];
}

const MB = 1e6;
const EXPLAIN_MB = 20;
const STRATEGY_LIMIT = 30;
const GROWTH_MB_PER_DAY_MOST = 150;
/** Two checkpoints' worth of records, and as many that wait to be packed. */
const HELD_MB_MOST = 30;
const MEMORY_MB_PER_HOUR_MOST = 20;
const START_MORE_MOST = 0.2;
/** The readings from the exchange that a start waits for scatter by so much. */
const START_SCATTER_MS = 300;
const STARTS = 5;
const LIFE_MS: readonly [number, number] = [30_000, 120_000];
const SAMPLE_MS = 5_000;
const LOOK_MS = 20;
const START_MS = 60_000;
const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const MINUTES_MIN = 10;

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
    const samples = await sampled(choice, stage);
    const last = await startsOf(stage);
    const report = reportOf({ minutes, markets, samples, startsMs: [first, last] });
    isWell = report.troubles.length === 0;
    return report;
  } finally {
    if (!isWell) onKept?.(stage.place.directory);
    await stage.close({ keeps: !isWell && onKept !== undefined });
  }
}

/** The median of several starts, each ended in order. */
async function startsOf(stage: SoakStage): Promise<number> {
  const times: number[] = [];
  for (let start = 0; start < STARTS; start += 1) {
    const daemon = new DaemonProcess(stage.place);
    times.push(await untilTrading(daemon));
    await ended(daemon);
  }
  return quantile(times, 0.5);
}

async function untilTrading(daemon: DaemonProcess): Promise<number> {
  const from = performance.now();
  while (performance.now() - from < START_MS) {
    const reply = await daemon.ask({ command: 'status' });
    if (reply?.status?.bot?.phase === 'trading') return performance.now() - from;
    if (daemon.end !== undefined) break;
    await sleep(LOOK_MS);
  }
  daemon.signal('SIGKILL');
  throw new Error(`it did not trade within ${START_MS} ms`);
}

async function ended(daemon: DaemonProcess): Promise<void> {
  await daemon.ask({ command: 'stop' });
  const from = performance.now();
  while (daemon.end === undefined && performance.now() - from < START_MS) await sleep(LOOK_MS);
  daemon.signal('SIGKILL');
}

async function sampled({ minutes, onSample }: SoakChoice, stage: SoakStage): Promise<readonly JournalSample[]> {
  const daemon = new DaemonProcess(stage.place);
  const samples: JournalSample[] = [];
  try {
    await untilTrading(daemon);
    const end = Date.now() + minutes * MINUTE_MS;
    while (Date.now() < end && daemon.end === undefined) {
      await sleep(SAMPLE_MS);
      const sample = await takeSample(daemon, stage);
      if (sample === undefined) continue;
      const all = { ...sample, ...sizesOf(join(stage.place.dir, 'journal.sqlite')) };
      samples.push(all);
      const { rss, kept, past, explained } = all;
      const sizes = [kept, past, explained].map((bytes) => (bytes / MB).toFixed(2));
      onSample?.(`rss ${rss.toFixed(0)} MB; kept, packed, explained: ${sizes.join(', ')} MB`);
    }
    await ended(daemon);
  } finally {
    daemon.signal('SIGKILL');
  }
  return samples;
}

function sizesOf(journal: string): Pick<JournalSample, 'kept' | 'past' | 'explained' | 'records' | 'packed'> {
  const folder = `${journal}.explain`;
  const explained = existsSync(folder)
    ? readdirSync(folder).reduce((sum, name) => sum + sizeOf(join(folder, name)), 0)
    : 0;
  return { ...heldBy(journal), past: sizeOf(`${journal}.past`), explained };
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

function heldBy(journal: string): Pick<JournalSample, 'kept' | 'records' | 'packed'> {
  const database = new Database(journal, { readonly: true });
  try {
    const figure = (sql: string): number => Number(database.prepare(sql).pluck().get());
    const [pages, free, size] = ['page_count', 'freelist_count', 'page_size'].map((name) => figure(`PRAGMA ${name}`));
    return {
      // Without the pages that records have left.
      kept: ((pages ?? 0) - (free ?? 0)) * (size ?? 0),
      records: figure('SELECT max(sequence) FROM record'),
      packed: figure("SELECT CAST(value AS INTEGER) FROM journal WHERE name = 'base'"),
    };
  } finally {
    database.close();
  }
}

type Measured = Pick<JournalSoakReport, 'minutes' | 'markets' | 'startsMs'> & {
  readonly samples: readonly JournalSample[];
};

function reportOf({ minutes, markets, startsMs, samples }: Measured): JournalSoakReport {
  const growthMbPerDay = growthOf(samples);
  const memoryMbPerHour = memoryOf(samples);
  const explainedMb = Math.max(0, ...samples.map(({ explained }) => explained)) / MB;
  const kept = [samples[0], samples.at(-1)].map((sample) => (sample?.kept ?? 0) / MB);
  const heldMb = Math.max(0, ...samples.map((sample) => sample.kept)) / MB;
  const [first, last] = startsMs;
  const troubles = [
    ...(samples.length === 0 ? ['nothing was measured'] : []),
    ...((growthMbPerDay ?? 0) > GROWTH_MB_PER_DAY_MOST
      ? [`what is kept grows by ${growthMbPerDay?.toFixed(0)} MB a day`]
      : []),
    ...(growthMbPerDay === undefined ? ['nothing was packed'] : []),
    ...(heldMb > HELD_MB_MOST ? [`the journal holds ${heldMb.toFixed(0)} MB`] : []),
    ...(explainedMb > EXPLAIN_MB ? [`${explainedMb.toFixed(1)} MB explain the run, of ${EXPLAIN_MB}`] : []),
    ...((memoryMbPerHour ?? 0) > MEMORY_MB_PER_HOUR_MOST
      ? [`memory grows by ${memoryMbPerHour?.toFixed(0)} MB an hour`]
      : []),
    ...(last > first * (1 + START_MORE_MOST) + START_SCATTER_MS
      ? [`a start takes ${last.toFixed(0)} ms at the end, ${first.toFixed(0)} at the beginning`]
      : []),
  ];
  return {
    ...{ minutes, markets, samples: samples.length, startsMs, growthMbPerDay, explainedMb, memoryMbPerHour, troubles },
    keptMb: [kept[0] ?? 0, kept[1] ?? 0],
  };
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

function memoryOf(samples: readonly JournalSample[]): number | undefined {
  const later = samples.slice(Math.floor(samples.length / 3)).map(({ at, rss }) => ({ at, value: rss }));
  const floors = floorOf(later, MINUTE_MS);
  if (floors.length < MINUTES_MIN) return undefined;
  const { perHour, error } = slopeOf(floors);
  return perHour - 2 * error;
}

export function journalSoakText(report: JournalSoakReport): string {
  const { minutes, markets, samples, startsMs, keptMb, growthMbPerDay, explainedMb, memoryMbPerHour, troubles } =
    report;
  const known = (value: number | undefined): string => value?.toFixed(1) ?? 'too short to tell';
  const lines = [
    `${minutes} minutes beside ${markets} markets, ${samples} samples`,
    `a start: ${startsMs[0].toFixed(0)} ms at the beginning, ${startsMs[1].toFixed(0)} at the end`,
    `the journal holds ${keptMb[0].toFixed(1)} MB first, ${keptMb[1].toFixed(1)} last; what is kept grows by ${known(growthMbPerDay)} MB a day (${GROWTH_MB_PER_DAY_MOST} allowed)`,
    `what explains: ${explainedMb.toFixed(1)} MB at most (${EXPLAIN_MB} allowed)`,
    `memory grows by at least ${known(memoryMbPerHour)} MB an hour (${MEMORY_MB_PER_HOUR_MOST} allowed)`,
    ...troubles.map((trouble) => `TROUBLE ${trouble}`),
  ];
  return `${lines.join('\n')}\n`;
}
