/** A backtest's result in the exact shape of `backtest --json` (cli.md). */

import { busiestHour } from '../busiest-hour.ts';
import type { ByBound } from '../figures/bounds.ts';
import { gradesOf } from '../grades.ts';
import type { BacktestResult, MarketResult, PlotLine, Profit } from '../result.ts';
import type { Column } from './column.ts';
import { FILL_COLUMNS } from './fill-columns.ts';
import { ORDER_COLUMNS } from './order-columns.ts';

/**
 * One JSON object, no line break at the end. It has every key of the contract, and some more. `error` is what went wrong after the run.
 */
export function backtestJson(result: BacktestResult, error?: object): string {
  const seconds = result.elapsedMs / 1000;
  return JSON.stringify({
    command: 'backtest',
    version: result.version,
    seed: result.seed,
    currency: result.currency,
    fills: result.fills,
    interrupted: result.interrupted,
    tapes: result.tapes,
    strategies: result.strategies,
    settings: Object.fromEntries(result.settings.map((setting) => [setting.name, setting.value])),
    wallets: result.wallets,
    markets: result.byMarket.length,
    grades: Object.fromEntries(gradesOf(result)),
    updates: result.updates,
    decisions: result.decisions,
    orders: result.orders,
    busiestHour: busiestHour(result.orderRows),
    runs: result.runs,
    refusals: result.refusals,
    rejections: result.rejections,
    result: byBound(result.total),
    byMarket: result.byMarket.map(marketJson),
    leftOut: result.leftOut,
    warnings: result.warnings,
    notices: result.notices,
    halts: result.halts,
    ...(result.proof === undefined ? {} : { proof: result.proof }),
    transcript: { sha256: result.transcriptSha256 },
    elapsedMs: Math.round(result.elapsedMs),
    updatesPerSecond: seconds > 0 ? Math.round(result.updates / seconds) : 0,
    statistics: result.statistics,
    ...(error === undefined ? {} : { error }),
  });
}

export interface JsonChoice {
  /** Adds `rows`, with every order and fill. */
  readonly rows: boolean;
  /** What went wrong after the run. */
  readonly error?: object | undefined;
}

/**
 * `backtestJson` as a line in pieces, because a long run has millions of orders and fills. Their times are ms UTC, a cell without a
 * value is null.
 */
export function* backtestJsonLine(result: BacktestResult, { rows, error }: JsonChoice): Generator<string> {
  const figures = backtestJson(result, error);
  if (!rows) return yield `${figures}\n`;
  yield `${figures.slice(0, -1)},"rows":{"orders":`;
  yield* rowsJson(ORDER_COLUMNS, result.orderRows);
  yield ',"fills":';
  yield* rowsJson(FILL_COLUMNS, result.fillRows);
  if (result.plots.length > 0) yield* plotsJson(result.plots);
  yield '}}\n';
}

/** Lines as columns: `at` in ms UTC, and null as `value` where a line ends. */
function* plotsJson(lines: readonly PlotLine[]): Generator<string> {
  let separator = ',"plots":[';
  for (const { run, flow, strategy, marketId, name, at, value } of lines) {
    yield `${separator}${JSON.stringify({ run, flow, strategy, marketId, name, at: [...at], value: [...value] })}`;
    separator = ',';
  }
  yield ']';
}

function* rowsJson<Row>(columns: readonly Column<Row>[], rows: Iterable<Row>): Generator<string> {
  yield `{"columns":${JSON.stringify(columns.map(({ name }) => name))},"rows":[`;
  let separator = '';
  for (const row of rows) {
    yield `${separator}${JSON.stringify(columns.map((column) => column.of(row)))}`;
    separator = ',';
  }
  yield ']}';
}

/** The central bound comes first, as the contract has it. */
function byBound(profit: ByBound<Profit>): Record<string, Profit> {
  const { central, ...others } = profit;
  return { central, ...others };
}

/** The figures of the central bound stand directly in the row, those of each other bound in an object of its own. */
function marketJson(market: MarketResult): Record<string, unknown> {
  const { central, ...others } = market.profit;
  return {
    id: market.id,
    name: market.name,
    eventName: market.eventName,
    grade: market.grade,
    updates: market.updates,
    orders: market.orders,
    ...central,
    status: market.status,
    settledAt: market.settledAt,
    cutOffAt: market.cutOffAt,
    ordersSuspended: market.ordersSuspended,
    stakeOutOfSight: market.stakeOutOfSight,
    ...others,
    eventId: market.eventId,
    marketTypeId: market.marketTypeId,
    startsAt: market.startsAt,
    inPlayAt: market.inPlayAt,
    preOffAt: market.preOffAt,
    winnerCount: market.winnerCount,
    outcomes: market.outcomes,
  };
}
