/** What a loop of kills proved: the audit at its end, and its figures for people and machines. */

import { readFileSync } from 'node:fs';
import { explains } from '../../../src/core/run/journal.ts';
import { rebuild } from '../../../src/journal/history/rebuild.ts';
import { readJournal } from '../../../src/journal/read-journal.ts';
import type { Json } from '../vendor/vendor-client.ts';
import { COMPACTION_STEP_NAMES } from './compaction-steps.ts';
import { compareBooks } from './compare-books.ts';
import type { KillLoop, Recovery } from './kill-loop.ts';
import type { KillStage } from './kill-stage.ts';
import { limitBreaches, type ReplayedMarket } from './limit-replay.ts';
import { JOURNAL_KINDS } from './provocations.ts';
import { KILL_LIMITS } from './run-config.ts';
import type { RunFold } from './run-fold.ts';

export interface KillReport {
  readonly seed: number;
  readonly kills: number;
  readonly terms: number;
  readonly killedBeforeTrading: number;
  readonly seconds: number;
  readonly hits: Readonly<Record<string, number>>;
  readonly missed: Readonly<Record<string, number>>;
  readonly tradeAgain: Readonly<Record<'all' | 'noneInDoubt' | 'inDoubt', TimesToTrade>>;
  readonly journal: { readonly records: number; readonly bytes: number };
  readonly orders: Readonly<Record<'sent' | 'atExchange' | 'refused' | 'provenAbsent' | 'adopted' | 'trades', number>>;
  readonly markets: { readonly seen: number; readonly moves: Readonly<Record<string, number>> };
  readonly differences: readonly string[];
}

/** Milliseconds from the start of the process to trading. */
export interface TimesToTrade {
  readonly starts: number;
  readonly min: number;
  readonly median: number;
  readonly p99: number;
  readonly max: number;
}

/** Reads both sides when the daemon has ended, and lays them beside each other. */
export async function auditRun(
  { stage, loop }: { readonly stage: KillStage; readonly loop: KillLoop },
  { seed, startedAt }: { readonly seed: number; readonly startedAt: number },
): Promise<KillReport> {
  const { fold, figures, tail, impostors } = loop;
  const path = `${stage.place.dir}/journal.sqlite`;
  const reader = readJournal(path);
  const records = [...reader.records()];
  const { run } = reader;
  reader.close();
  const exchange = await stage.exchange.books();
  const rebuilt = rebuild(run, records);
  const balanceBefore = Math.round(stage.exchange.balance * 1_000_000);
  const markets = await replayedMarkets(stage, fold);
  const differences = [
    ...figures.troubles,
    ...vanished(tail.checksums, records.filter(({ record }) => !explains(record)).length),
    ...fold.doubled.map((client) => `client ${client} is in the journal twice`),
    ...compareBooks({ fold, exchange, rebuilt: rebuilt.orders, balanceBefore, impostors }),
    ...(rebuilt.lastClient === fold.lastClient ? [] : [`rebuilt: the last client is ${rebuilt.lastClient}`]),
    ...limitBreaches(records, { limits: KILL_LIMITS, markets }),
  ];
  const orders = [...fold.orders.values()];
  return {
    ...{ seed, kills: figures.kills, terms: figures.terms, killedBeforeTrading: figures.early },
    seconds: Math.round((Date.now() - startedAt) / 1_000),
    ...{ hits: Object.fromEntries(figures.hits), missed: Object.fromEntries(figures.misses) },
    tradeAgain: {
      all: timesOf(figures.recoveries),
      noneInDoubt: timesOf(figures.recoveries.filter(({ inDoubt }) => inDoubt === 0)),
      inDoubt: timesOf(figures.recoveries.filter(({ inDoubt }) => inDoubt > 0)),
    },
    journal: { records: records.length, bytes: readFileSync(path).length },
    orders: {
      sent: orders.filter(({ foreign }) => foreign === undefined).length,
      atExchange: exchange.orders.size,
      refused: orders.filter(({ rejected }) => rejected !== undefined && rejected !== 'PROVEN_ABSENT').length,
      provenAbsent: orders.filter(({ rejected }) => rejected === 'PROVEN_ABSENT').length,
      adopted: orders.filter(({ foreign }) => foreign !== undefined).length,
      trades: exchange.trades,
    },
    markets: { seen: stage.mill.seen.size, moves: Object.fromEntries(stage.mill.moves) },
    differences,
  };
}

/** Of every market that an order was ever sent to, whether the exchange took it or not. */
async function replayedMarkets(
  { mill, control }: KillStage,
  { orders }: RunFold,
): Promise<ReadonlyMap<string, ReplayedMarket>> {
  const markets = new Map<string, ReplayedMarket>();
  for (const id of new Set([...orders.values()].map(({ terms }) => terms.market))) {
    const { outcomes, settledAt } = await control.call('GET', `/markets/${id}`);
    // The sandbox's own markets end, too.
    const endedAt = settledAt === undefined ? undefined : Date.parse(settledAt);
    const overAt = mill.seen.get(id)?.overAt ?? endedAt;
    markets.set(id, { outcomes: outcomes.map((outcome: Json) => outcome.id), overAt });
  }
  return markets;
}

/** What was once committed stays: the reader has checked the chain, whose end is the same. */
function vanished(seen: readonly string[], records: number): readonly string[] {
  return seen.length === records ? [] : [`${seen.length} records were seen, ${records} are in the journal`];
}

function timesOf(recoveries: readonly Recovery[]): TimesToTrade {
  const sorted = recoveries.map(({ ms }) => ms).sort((one, other) => one - other);
  const at = (part: number) => sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))] ?? 0;
  return { starts: sorted.length, min: at(0), median: at(0.5), p99: at(0.99), max: at(1) };
}

export function reportText(report: KillReport): string {
  const { kills, terms, killedBeforeTrading, seconds, seed, orders, journal, markets, tradeAgain, differences } =
    report;
  const lines = [
    `seed ${seed}: ${kills} kills (${killedBeforeTrading} before it traded), ${terms} ends by SIGTERM, ${seconds} s`,
    `${orders.sent} orders sent, ${orders.atExchange} at the exchange with ${orders.trades} trades, ${orders.refused} refused, ${orders.provenAbsent} proven absent, ${orders.adopted} adopted`,
    `${markets.seen} markets: ${entries(markets.moves)}`,
    `${journal.records} journal records, ${(journal.bytes / 1e6).toFixed(1)} MB`,
    'time to trade again, ms       starts    min  median     p99     max',
    ...(['all', 'noneInDoubt', 'inDoubt'] as const).map((name) => timesLine(name, tradeAgain[name])),
    `killed at the sight of: ${hitsOf(report, JOURNAL_KINDS)}`,
    `died where: ${hitsOf(report, COMPACTION_STEP_NAMES)}`,
  ];
  const missed = entries(report.missed);
  if (missed !== '') lines.push(`waited for in vain: ${missed}`);
  lines.push(...differences.map((difference) => `DIFFERENCE ${difference}`));
  lines.push(differences.length === 0 ? 'all books agree' : `${differences.length} differences`);
  return `${lines.join('\n')}\n`;
}

function hitsOf({ hits }: KillReport, names: readonly string[]): string {
  return names.map((name) => `${name} ${hits[name] ?? 0}`).join(', ');
}

const TIMES_NAMES = { all: 'all', noneInDoubt: 'no order in doubt', inDoubt: 'an order in doubt' } as const;

function timesLine(name: keyof typeof TIMES_NAMES, { starts, min, median, p99, max }: TimesToTrade): string {
  const figures = [starts, min, median, p99, max].map((figure) => String(figure).padStart(8)).join('');
  return `  ${TIMES_NAMES[name].padEnd(26)}${figures}`;
}

function entries(map: Readonly<Record<string, number>>): string {
  return Object.entries(map)
    .map(([name, count]) => `${name} ${count}`)
    .join(', ');
}
