/** Rows of a run as CSV (RFC 4180), a chunk of lines at a time. */

import type { RefusedIntents } from '../figures/refusal-rows.ts';
import type { FillRow, OrderRow, PlotLine } from '../result.ts';
import type { Cell, Column } from './column.ts';
import { FILL_COLUMNS } from './fill-columns.ts';
import { ORDER_COLUMNS } from './order-columns.ts';
import { PLOT_COLUMNS, plotRows } from './plot-columns.ts';
import { REFUSAL_COLUMNS } from './refusal-columns.ts';

export function ordersCsv(rows: Iterable<OrderRow>): Generator<string> {
  return csv(ORDER_COLUMNS, rows);
}

export function fillsCsv(rows: Iterable<FillRow>): Generator<string> {
  return csv(FILL_COLUMNS, rows);
}

export function plotsCsv(lines: readonly PlotLine[]): Generator<string> {
  return csv(PLOT_COLUMNS, plotRows(lines));
}

/**
 * The refused intents that were kept, and for each market with more of them a line that says only how many: the times of all lines add
 * up to the refused intents of the run.
 */
export function* refusalsCsv({ rows, byMarket }: RefusedIntents): Generator<string> {
  yield* csv(REFUSAL_COLUMNS, rows);
  const kept = new Map<string, number>();
  for (const { marketId, times } of rows) kept.set(marketId, (kept.get(marketId) ?? 0) + times);
  for (const [market, all] of Object.entries(byMarket)) {
    const times = all - (kept.get(market) ?? 0);
    const cells: Readonly<Record<string, Cell>> = { times, market };
    if (times > 0) yield line(REFUSAL_COLUMNS.map(({ name }) => cells[name]));
  }
}

const LINES_PER_CHUNK = 1000;

/** A heading, then a line for each row. Times are ISO 8601 UTC with milliseconds; an absent value is an empty cell. */
export function* csv<Row>(columns: readonly Column<Row>[], rows: Iterable<Row>): Generator<string> {
  let lines = [line(columns.map(({ name }) => name))];
  for (const row of rows) {
    lines.push(line(columns.map((column) => csvCell(column, row))));
    if (lines.length < LINES_PER_CHUNK) continue;
    yield lines.join('');
    lines = [];
  }
  if (lines.length > 0) yield lines.join('');
}

function csvCell<Row>(column: Column<Row>, row: Row): Cell {
  const value = column.of(row);
  return column.kind === 'time' && typeof value === 'number' ? new Date(value).toISOString() : value;
}

function line(cells: readonly Cell[]): string {
  return `${cells.map(quoted).join(',')}\r\n`;
}

function quoted(cell: Cell): string {
  if (cell === undefined) return '';
  const text = typeof cell === 'string' && FORMULA.test(cell) ? `'${cell}` : String(cell);
  return QUOTED.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** What ends a cell: in a spreadsheet of another locale a semicolon or a tab does. */
const QUOTED = /[",;\t\r\n]/;

/** What a spreadsheet would calculate: the names come from recordings and strategies, which must not run formulas there. */
const FORMULA = /^[=+\-@\t\r]/;
