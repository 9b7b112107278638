/** What a soak proved: memory, freshness and books, for people and machines. */

import { rebuild } from '../../../src/journal/history/rebuild.ts';
import { readJournal } from '../../../src/journal/read-journal.ts';
import { compareBooks } from '../kill/compare-books.ts';
import { readExchange } from '../kill/exchange/exchange-books.ts';
import type { FreshnessFindings } from './freshness-watch.ts';
import { growth, liveHeapOf, type Memory, memoryLine, memoryOf, SCATTER_PER_HOUR } from './memory.ts';
import { refusalsIn } from './refusals.ts';
import type { SoakChoice, SoakRun } from './soak.ts';
import { SOAK_BALANCE, type SoakStage } from './soak-stage.ts';
import type { TroubleMaker } from './trouble-maker.ts';

type Counts = Readonly<Record<string, number>>;

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

/** What a leak is: 1 kB kept for each order that was ever sent. Less than that cannot be distinguished from the scatter. */
const LEAK_BYTES = 1_000;
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
    liveHeap: memoryOf(liveHeapOf(stage.place.directory)),
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
    ...{ records: Object.fromEntries(fold.counts), refusals: books.refusals },
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

async function compareWallets({ owners, control, place }: SoakStage, { fold }: SoakRun) {
  const reader = readJournal(`${place.dir}/journal.sqlite`);
  const records = [...reader.records()];
  reader.close();
  const rebuilt = rebuild(reader.run, records).orders;
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
  return { differences, atExchange, trades, refusals: refusalsIn(records) };
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

function entries(map: Counts): string {
  const parts = Object.entries(map).map(([name, count]) => `${name} ${count}`);
  return parts.length === 0 ? 'none' : parts.join(', ');
}
