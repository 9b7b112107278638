/** Orders and fills in the report: some of each market, so that a page stays light however long the run. */

import { type Column, shownCell } from '../data/column.ts';
import { FILL_COLUMNS } from '../data/fill-columns.ts';
import { ORDER_COLUMNS } from '../data/order-columns.ts';
import { count } from '../numbers.ts';
import type { BacktestResult, FillRow } from '../result.ts';
import { marketLabel } from '../text/market-label.ts';
import { type Html, html } from './html-text.ts';

const ROWS_PER_MARKET = 20;
const ROWS_MAX = 500;
/** Later rows are not looked at: reading through the millions of a long run takes seconds. */
const ROWS_READ_MAX = 100_000;

export function orders(result: BacktestResult): Html | undefined {
  return rowsCard(result, {
    title: 'Orders one by one',
    file: 'orders.csv',
    columns: ORDER_COLUMNS,
    rows: result.orderRows,
  });
}

/** The fills that the strategies saw. Those of the other bounds are in fills.csv, and their sums in the orders. */
export function fills(result: BacktestResult): Html | undefined {
  return rowsCard(result, {
    title: 'Fills one by one',
    file: 'fills.csv',
    columns: FILL_COLUMNS,
    rows: seenFills(result),
  });
}

function* seenFills({ fillRows }: BacktestResult): Generator<FillRow> {
  for (const fill of fillRows) if (fill.bound === fill.flow) yield fill;
}

interface Card<Row> {
  readonly title: string;
  /** Where all of them are. */
  readonly file: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: Iterable<Row>;
}

function rowsCard<Row extends { readonly marketId: string }>(
  result: BacktestResult,
  { title, file, columns: all, rows }: Card<Row>,
): Html | undefined {
  const { byMarket, shown, isWhole } = someOf(rows);
  if (shown.length === 0) return undefined;
  const columns = all.filter((column) => isShown(column, shown));
  const labels = new Map(result.byMarket.map((market) => [market.id, marketLabel(market)]));
  const heads = columns.map(
    (column) =>
      html`<th scope="col" class="${column.kind}" title="${column.about}">${column.label ?? column.name}</th>`,
  );
  const groups = [...byMarket].map(
    ([
      id,
      own,
    ]) => html`<tbody><tr><th scope="rowgroup" colspan="${columns.length}"><span>${labels.get(id)}<small>${id}</small></span></th></tr>
${own.map((row) => rowOf(columns, row))}</tbody>
`,
  );
  const note = isWhole
    ? html`<p class="soft">All of them are in ${file} as well.</p>`
    : html`<p class="soft">The first ${ROWS_PER_MARKET} of a market, ${ROWS_MAX} at most. All of them are in ${file}.</p>`;
  return html`<details class="card"><summary><h2>${title} <span class="soft">${isWhole ? count(shown.length) : `${count(shown.length)} shown`}</span></h2></summary>${note}
<div class="scroll"><table class="rows"><thead><tr>${heads}</tr></thead>
${groups}</table></div></details>`;
}

interface SomeRows<Row> {
  readonly byMarket: ReadonlyMap<string, readonly Row[]>;
  readonly shown: readonly Row[];
  readonly isWhole: boolean;
}

function someOf<Row extends { readonly marketId: string }>(rows: Iterable<Row>): SomeRows<Row> {
  const byMarket = new Map<string, Row[]>();
  const shown: Row[] = [];
  let read = 0;
  for (const row of rows) {
    if (shown.length === ROWS_MAX || read === ROWS_READ_MAX) return { byMarket, shown, isWhole: false };
    read += 1;
    const own = byMarket.get(row.marketId) ?? [];
    if (own.length === ROWS_PER_MARKET) continue;
    byMarket.set(row.marketId, own);
    own.push(row);
    shown.push(row);
  }
  return { byMarket, shown, isWhole: shown.length === read };
}

function isShown<Row>(column: Column<Row>, rows: readonly Row[]): boolean {
  if (column.inReport === 'never') return false;
  const cells = new Set(rows.map((row) => column.of(row)));
  if (column.inReport === 'if-rows-differ') return cells.size > 1;
  return cells.size > 1 || !cells.has(undefined);
}

function rowOf<Row>(columns: readonly Column<Row>[], row: Row): Html {
  return html`<tr>${columns.map((column) => html`<td class="${column.kind}">${shownCell(column, row)}</td>`)}</tr>\n`;
}
