/** What a soak proved: memory, freshness and books, for people and machines. */

import { existsSync, readFileSync } from 'node:fs';
import { readJournal } from '../../../src/journal/read-journal.ts';
import { rebuild } from '../../../src/journal/state/rebuild.ts';
import { compareBooks } from '../kill/compare-books.ts';
import { readExchange } from '../kill/exchange-books.ts';
import type { FreshnessFindings } from './freshness-watch.ts';
import { floorOf, type Point, type Slope, slopeOf } from './slope.ts';
import type { SoakChoice, SoakRun } from './soak.ts';
import { liveHeapFile } from './soak-config.ts';
import { SOAK_BALANCE, type SoakStage } from './soak-stage.ts';
import type { TroubleMaker } from './trouble-maker.ts';

type Counts = Readonly<Record<string, number>>;

/** Growth in MB an hour over the last two thirds of the run; undefined if it was too short to measure. */
export interface Memory {
  readonly from: number;
  readonly to: number;
  readonly slope: Slope | undefined;
}

export interface SoakReport {
  readonly seed: number;
  readonly minutes: number;
  readonly seconds: number;
  readonly samples: number;
  readonly memory: Readonly<Record<'rss' | 'liveHeap' | 'sandboxRss', Memory>>;
  /** What the daemon's slopes may be, MB an hour. */
  readonly boundPerHour: number;
  readonly freshness: FreshnessFindings;
  readonly markets: { readonly atOnce: number; readonly seen: number; readonly moves: Counts };
  readonly orders: Readonly<Record<'sent' | 'atExchange' | 'trades' | 'rejected' | 'provenAbsent', number>>;
  readonly records: Counts;
  readonly refusals: Counts;
  readonly faults: Counts;
  readonly lapses: number;
  readonly reconciliations: number;
  readonly differencesOnTheWay: Counts;
  /** Empty where all is well. */
  readonly troubles: readonly string[];
}

/** The least of each minute: RSS holds what the collector has not given back yet, the live heap is read after a collection. */
const FLOOR_MS = 60_000;
const POINTS_MIN = 10;
/**
 * What a leak is: 1 kB kept for each order that was ever sent. Less than that cannot be distinguished from the scatter of half an hour,
 * of which 20 MB an hour are allowed in any case: the heap's floor moves by some MB with what is live at the moment.
 */
const LEAK_BYTES = 1_000;
const SCATTER_PER_HOUR = 20;
const MB = 1e6;

export async function auditSoak(
  { stage, run, troubles }: { readonly stage: SoakStage; readonly run: SoakRun; readonly troubles: TroubleMaker },
  { choice, startedAt }: { readonly choice: SoakChoice; readonly startedAt: number },
): Promise<SoakReport> {
  const { fold, samples } = run;
  const books = await compareWallets(stage, run);
  const freshness = run.freshness.findings(samples, troubles.outages);
  const memory = {
    rss: memoryOf(samples.map(({ at, rss }) => ({ at, value: rss }))),
    liveHeap: memoryOf(readLiveHeap(stage.place.directory)),
    sandboxRss: memoryOf(samples.map(({ at, sandboxRss }) => ({ at, value: sandboxRss }))),
  };
  const sent = [...fold.orders.values()];
  const boundPerHour = Math.max(SCATTER_PER_HOUR, (sent.length / choice.minutes) * 60 * (LEAK_BYTES / MB));
  return {
    ...{ seed: choice.seed, minutes: choice.minutes, seconds: Math.round((Date.now() - startedAt) / 1_000) },
    ...{ samples: samples.length, memory, boundPerHour, freshness },
    markets: { atOnce: choice.markets, seen: stage.mill.seen.size, moves: Object.fromEntries(stage.mill.moves) },
    orders: {
      ...{ sent: sent.length, atExchange: books.atExchange, trades: books.trades },
      rejected: sent.filter(({ rejected }) => rejected !== undefined && rejected !== 'PROVEN_ABSENT').length,
      provenAbsent: sent.filter(({ rejected }) => rejected === 'PROVEN_ABSENT').length,
    },
    ...{ records: Object.fromEntries(fold.counts), refusals: Object.fromEntries(run.refusals) },
    ...{ faults: Object.fromEntries(troubles.counts), lapses: run.lapses, reconciliations: run.reconciliations },
    differencesOnTheWay: Object.fromEntries(run.differences),
    troubles: [
      ...run.troubles,
      ...fold.doubled.map((client) => `client ${client} is in the journal twice`),
      ...freshness.unreported,
      ...books.differences,
      ...growth('rss', memory.rss, boundPerHour),
      ...growth('live heap', memory.liveHeap, boundPerHour),
    ],
  };
}

function readLiveHeap(directory: string): readonly Point[] {
  const file = liveHeapFile(directory);
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, 'utf8').trim().split('\n');
  return lines.map((line) => {
    const [at, bytes] = line.split(' ').map(Number);
    return { at: at ?? Number.NaN, value: (bytes ?? Number.NaN) / MB };
  });
}

async function compareWallets({ owners, control, place }: SoakStage, { fold }: SoakRun) {
  const reader = readJournal(`${place.dir}/journal.sqlite`);
  const rebuilt = rebuild(reader.run, reader.records()).orders;
  reader.close();
  const differences: string[] = [];
  let atExchange = 0;
  let trades = 0;
  for (const [wallet, owner] of Object.entries(owners)) {
    const exchange = await readExchange(owner, control);
    atExchange += exchange.orders.size;
    trades += exchange.trades;
    const found = compareBooks({
      ...{ fold: fold.ofWallet(wallet), exchange, impostors: new Set() },
      rebuilt: rebuilt.filter(({ terms }) => terms.wallet === wallet),
      balanceBefore: SOAK_BALANCE * 1_000_000,
    });
    differences.push(...found.map((difference) => `${wallet}: ${difference}`));
  }
  return { differences, atExchange, trades };
}

function memoryOf(points: readonly Point[]): Memory {
  const [first, last] = [points[0], points.at(-1)];
  if (first === undefined || last === undefined) return { from: 0, to: 0, slope: undefined };
  const begin = first.at + (last.at - first.at) / 3;
  const floors = floorOf(
    points.filter(({ at }) => at >= begin),
    FLOOR_MS,
  );
  const slope = floors.length < POINTS_MIN ? undefined : slopeOf(floors);
  return { from: first.value, to: last.value, slope };
}

/** More than the bound by more than the scatter explains. */
function growth(name: string, { slope }: Memory, bound: number): readonly string[] {
  if (slope === undefined || slope.perHour - 2 * slope.error <= bound) return [];
  return [`${name} grows by ${slope.perHour.toFixed(1)} MB an hour; ${bound.toFixed(0)} are allowed`];
}

export function soakText(report: SoakReport): string {
  const { memory, freshness, markets, orders, troubles, seed, minutes, seconds, boundPerHour } = report;
  const lines = [
    `seed ${seed}: ${minutes} minutes, ${seconds} s in all, ${report.samples} samples`,
    'memory, MB             first    last  slope an hour (last two thirds, by the minute’s least)',
    memoryLine('daemon RSS', memory.rss),
    memoryLine('daemon live heap', memory.liveHeap),
    memoryLine('sandbox RSS', memory.sandboxRss),
    `  the daemon’s slopes may be ${boundPerHour.toFixed(0)}: a leak of 1 kB an order, or the scatter`,
    `markets: ${markets.atOnce} at once, ${markets.seen} seen; ${entries(markets.moves)}`,
    `orders: ${entries(orders)}`,
    `risk refused: ${entries(report.refusals)}`,
    `faults: ${entries(report.faults)}; ${report.lapses} heartbeats lapsed`,
    `freshness: missed and reported ${entries(freshness.reported)}, and ${freshness.reportedOfMarkets} times a market’s prices; ${freshness.sampledLate} samples were late, ${freshness.outages} outages made; ${freshness.unreported.length} unreported`,
    `reconciliations: ${report.reconciliations}; differences on the way: ${entries(report.differencesOnTheWay)}`,
    ...troubles.map((trouble) => `TROUBLE ${trouble}`),
    troubles.length === 0
      ? 'memory is flat, no missed budget unreported, all books agree'
      : `${troubles.length} troubles`,
  ];
  return `${lines.join('\n')}\n`;
}

function memoryLine(name: string, { from, to, slope }: Memory): string {
  const growing = slope === undefined ? 'too short to tell' : `${slope.perHour.toFixed(1)} ± ${slope.error.toFixed(1)}`;
  return `  ${name.padEnd(18)}${from.toFixed(0).padStart(8)}${to.toFixed(0).padStart(8)}  ${growing}`;
}

function entries(map: Counts): string {
  const parts = Object.entries(map).map(([name, count]) => `${name} ${count}`);
  return parts.length === 0 ? 'none' : parts.join(', ');
}
