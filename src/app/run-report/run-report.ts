/** The report of a live or paper run, from its journal and, where it recorded, from its tapes. */

import { moneyToDecimal } from '../../core/number/units.ts';
import type { TimedRecord } from '../../core/run/journal.ts';
import type { LostSpan } from '../../journal/read-journal.ts';
import type { ReportableResult } from '../../pages/report/report-facts.ts';
import type { Tape } from '../../recording/tape/tape.ts';
import { type PackedReport, packedReport } from '../../report/html/html.ts';
import type { ByBound } from '../../result/figures/bounds.ts';
import type { MarketResult, Profit, ProfitPoint } from '../../result/result.ts';
import { limitsText } from '../../risk/limits/limits-text.ts';
import { utcMs } from '../../words/numbers.ts';
import type { RunFile } from '../run/run-file.ts';
import { lostNotes } from './lost-notes.ts';
import { plottedLines } from './plotted-lines.ts';
import { type RecordedMarkets, recordedMarkets } from './recorded-markets.ts';
import { type RunStory, runStory } from './run-orders.ts';

interface RunReportParts {
  /** Of the run's own records. */
  readonly directory: string;
  readonly run: RunFile;
  readonly records: readonly TimedRecord[];
  readonly lost: readonly LostSpan[];
  readonly tapes: readonly Tape[];
  readonly signal: AbortSignal;
}

export async function runReport({
  directory,
  run,
  records,
  lost,
  tapes,
  signal,
}: RunReportParts): Promise<PackedReport> {
  const story = runStory(records);
  const recorded = await recordedMarkets({ run, tapes, orders: story.orders, signal });
  const result = { ...resultOf({ run, story, recorded, tapes }), plots: plottedLines(directory) };
  return packedReport(result, { kind: run.mode, missing: [...lostNotes(lost), ...missingOf(run, recorded)] });
}

/** What a backtest would say besides, and why it is not said here. */
function missingOf({ mode }: RunFile, { markets }: RecordedMarkets): readonly string[] {
  const all = [
    mode === 'live'
      ? 'Orders were matched by the exchange: there is one result, and no interval of it.'
      : 'Orders were matched by one model of the simulated exchange: there is one result, and no interval of it.',
    'Luck, closing value and calibration are not judged. A backtest of the recorded tapes judges them, and oddsmith parity says how alike both are.',
    'The best prices at each decision and what stood ahead in the queues are not in the journal.',
  ];
  if (markets.length > 0) return all;
  return [...all, 'The run has no recording: prices over time, starts and results of its markets are not known.'];
}

interface ResultParts {
  readonly run: RunFile;
  readonly story: RunStory;
  readonly recorded: RecordedMarkets;
  readonly tapes: readonly Tape[];
}

function resultOf({ run, story, recorded, tapes }: ResultParts): ReportableResult {
  const byMarket = marketsOf(story, recorded.markets);
  return {
    version: run.version,
    seed: run.seed,
    currency: run.wallets[0]?.currency ?? '',
    tapes: tapes.map(({ path, sha256 }) => ({ path, sha256 })),
    strategies: run.strategies.map(({ name, file, params, paramsUsed = params }) => ({
      ...{ name, file, params: paramsUsed },
      timerCalls: 0,
    })),
    settings: [
      { name: 'limits', value: limitsText(run.limits) },
      { name: 'span', value: `${utcMs(story.first)} to ${utcMs(story.last)} UTC` },
    ],
    wallets: run.wallets.map(({ name, currency, balance }) =>
      balance === 'unlimited' ? { name, currency } : { name, currency, balanceStart: moneyToDecimal(balance) },
    ),
    fills: 'central',
    updates: recorded.updates,
    decisions: story.decisions,
    orders: story.counts,
    refusals: story.refusals,
    refused: story.refused,
    rejections: story.rejections,
    total: alike(byMarket.map(({ profit }) => profit.central).reduce(added, NONE)),
    byMarket,
    leftOut: [],
    curve: curveOf(story),
    runs: [],
    orderRows: story.orders,
    fillRows: story.fills,
    prices: recorded.prices,
    warnings: [],
    notices: [],
    halts: [],
    statistics: undefined,
    interrupted: false,
    transcriptSha256: '',
    elapsedMs: 0,
  };
}

const NONE: Profit = { stakeMatched: 0, profitGross: 0, commission: 0, profitNet: 0 };

function added(a: Profit, b: Profit): Profit {
  return {
    stakeMatched: a.stakeMatched + b.stakeMatched,
    profitGross: a.profitGross + b.profitGross,
    commission: a.commission + b.commission,
    profitNet: a.profitNet + b.profitNet,
  };
}

function alike<T>(value: T): ByBound<T> {
  return { pessimistic: value, central: value, optimistic: value };
}

/** Markets in the order of their first orders; of those that were recorded, with what the tapes say. */
function marketsOf(
  { orders, settlements, events }: RunStory,
  recorded: readonly MarketResult[],
): readonly MarketResult[] {
  const known = new Map(recorded.map((market) => [market.id, market]));
  const settled = Map.groupBy(settlements, ({ market }) => market);
  return [...Map.groupBy(orders, ({ marketId }) => marketId)].map(([id, own]) => {
    const paid = settled.get(id) ?? [];
    const profitNet = paid.reduce((sum, { profit }) => sum + profit, 0);
    const commission = paid.reduce((sum, each) => sum + each.commission, 0);
    const stakeMatched = own.reduce((sum, { stakeMatched }) => sum + stakeMatched, 0);
    const market = known.get(id) ?? unrecorded(id, own[0]?.marketName ?? id, events.get(id) ?? '');
    const { settledAt: _recorded, ...others } = market;
    const last = paid.at(-1);
    return {
      ...others,
      orders: own.filter(({ status }) => status !== undefined).length,
      status: last === undefined ? market.status : 'Settled',
      ...(last === undefined ? {} : { settledAt: last.at }),
      profit: alike({ stakeMatched, profitGross: profitNet + commission, commission, profitNet }),
    };
  });
}

function unrecorded(id: string, name: string, eventName: string): MarketResult {
  return {
    id,
    name,
    eventId: '',
    eventName,
    marketTypeId: '',
    winnerCount: 1,
    outcomes: [],
    grade: 'C',
    updates: 0,
    orders: 0,
    status: 'Open',
    ordersSuspended: 0,
    stakeOutOfSight: 0,
    profit: alike(NONE),
  };
}

function curveOf({ settlements }: RunStory): readonly ProfitPoint[] {
  let sum = 0;
  return settlements.map(({ at, market, profit }) => {
    sum += profit;
    return { at, market, ...alike(Math.round(sum * 1e6) / 1e6) };
  });
}
