/** Orders and fills of a run as CSV (RFC 4180), a chunk of lines at a time. */

import { BOUNDS, type FillRow, type OrderRow } from '../result.ts';

type Cell = string | number | undefined;

const ORDER_COLUMNS = [
  'run',
  'flow',
  'order',
  'strategy',
  'marketId',
  'marketName',
  'outcomeId',
  'outcomeTitle',
  'side',
  'price',
  'stake',
  'decidedAt',
  'arrivedAt',
  'status',
  'reason',
  ...BOUNDS.map((bound) => `stakeMatched.${bound}`),
  'averagePrice',
  'profit',
];

const FILL_COLUMNS = ['run', 'flow', 'order', 'bound', 'marketId', 'outcomeId', 'side', 'price', 'stake', 'at'];

/** Times are ISO 8601 UTC with milliseconds; an absent value is an empty cell. */
export function ordersCsv(rows: Iterable<OrderRow>): Generator<string> {
  return csv(ORDER_COLUMNS, rows, (row) => [
    row.run,
    row.flow,
    row.id,
    row.strategy,
    row.marketId,
    row.marketName,
    row.outcomeId,
    row.outcomeTitle,
    row.side,
    row.price,
    row.stake,
    iso(row.decidedAt),
    iso(row.arrivedAt),
    row.status,
    row.reason,
    ...BOUNDS.map((bound) => row.stakeMatched[bound]),
    row.averagePrice,
    row.profit,
  ]);
}

export function fillsCsv(rows: Iterable<FillRow>): Generator<string> {
  return csv(FILL_COLUMNS, rows, (row) => [
    row.run,
    row.flow,
    row.order,
    row.bound,
    row.marketId,
    row.outcomeId,
    row.side,
    row.price,
    row.stake,
    iso(row.at),
  ]);
}

const LINES_PER_CHUNK = 1000;

function* csv<T>(columns: readonly string[], rows: Iterable<T>, cells: (row: T) => readonly Cell[]): Generator<string> {
  let lines = [line(columns)];
  for (const row of rows) {
    lines.push(line(cells(row)));
    if (lines.length < LINES_PER_CHUNK) continue;
    yield lines.join('');
    lines = [];
  }
  if (lines.length > 0) yield lines.join('');
}

function line(cells: readonly Cell[]): string {
  return `${cells.map(quoted).join(',')}\r\n`;
}

function quoted(cell: Cell): string {
  const text = typeof cell === 'string' && FORMULA.test(cell) ? `'${cell}` : String(cell ?? '');
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** What spreadsheets calculate: names come from recordings and strategies. */
const FORMULA = /^[=+\-@\t\r]/;

function iso(at: number | undefined): string | undefined {
  return at === undefined ? undefined : new Date(at).toISOString();
}
