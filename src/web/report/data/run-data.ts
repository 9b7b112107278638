/** The tables of a report as its parts read them: orders and fills by market, cells that may be absent. */

import type { ColumnFile, ColumnTable } from '../../../pages/report/columns.ts';
import type { ReportFacts } from '../../../pages/report/report-facts.ts';
import type { MarketResult } from '../../../result/result.ts';

export interface Order {
  /** Its row in the table, which fills name. */
  readonly row: number;
  readonly run: number;
  readonly id: number;
  readonly strategy: string;
  readonly market: string;
  readonly outcome: string;
  readonly title: string;
  readonly side: string;
  readonly price: number;
  readonly stake: number;
  readonly decidedAt: number;
  readonly arrivedAt: number | undefined;
  readonly endedAt: number | undefined;
  readonly status: string | undefined;
  readonly reason: string | undefined;
  readonly matched: number;
  readonly averagePrice: number | undefined;
  readonly profit: number | undefined;
  readonly queueAhead: number | undefined;
  readonly bestFor: number | undefined;
  readonly bestAgainst: number | undefined;
  readonly note: string | undefined;
}

export interface Fill {
  /** Its row in the table. */
  readonly row: number;
  readonly order: Order;
  readonly price: number;
  readonly stake: number;
  readonly at: number;
  readonly after10s: number | undefined;
  readonly after60s: number | undefined;
}

/** An intent that was refused, and those alike that followed. */
export interface Refused {
  /** Its row in the table. */
  readonly row: number;
  readonly at: number;
  /** When the last one was decided that asked for the same. */
  readonly lastAt: number;
  readonly times: number;
  readonly outcome: string | undefined;
  readonly price: number | undefined;
}

export interface RunData {
  readonly facts: ReportFacts;
  readonly tables: ColumnFile['tables'];
  /** One without rows where the file has none of this name. */
  readonly table: (name: string) => ColumnTable;
  readonly markets: ReadonlyMap<string, MarketResult>;
  /** A market by its id as an address holds it. */
  readonly byAddress: (id: string) => MarketResult | undefined;
  readonly orders: readonly Order[];
  readonly ordersOf: (market: string) => readonly Order[];
  readonly fillsOf: (market: string) => readonly Fill[];
  /** The first of a market; the facts say how many there were. */
  readonly refusedOf: (market: string) => readonly Refused[];
  /** Rows of a table whose column `market` holds this market. */
  readonly rowsOf: (table: string, market: string) => readonly number[];
}

export function runData(file: ColumnFile): RunData {
  const facts = file.facts as ReportFacts;
  const { tables } = file;
  const table = (name: string): ColumnTable => tables.get(name) ?? NO_TABLE;
  const orders = ordersIn(table('orders'));
  const byMarket = Map.groupBy(orders, ({ market }) => market);
  const fills = fillsIn(table('fills'), orders);
  const fillsByMarket = Map.groupBy(fills, ({ order }) => order.market);
  return {
    facts,
    tables,
    table,
    markets: new Map(facts.result.byMarket.map((market) => [market.id, market])),
    byAddress: (wanted) => facts.result.byMarket.find(({ id }) => id.toWellFormed() === wanted),
    orders,
    ordersOf: (market) => byMarket.get(market) ?? [],
    fillsOf: (market) => fillsByMarket.get(market) ?? [],
    refusedOf: (market) => refusedIn(table('refusals'), market),
    rowsOf: (name, market) => rowsWith(table(name), market),
  };
}

const NO_TABLE: ColumnTable = { rows: 0, numbers: new Map(), texts: new Map() };

export function numberAt(table: ColumnTable, name: string, row: number): number | undefined {
  return readers(table).number(name)(row);
}

export function textAt(table: ColumnTable, name: string, row: number): string | undefined {
  return readers(table).text(name)(row);
}

/** Columns are looked up once, not for each of a hundred thousand rows. */
function readers({ numbers, texts }: ColumnTable) {
  return {
    number: (name: string): ((row: number) => number | undefined) => {
      const column = numbers.get(name);
      return (row) => {
        const value = column?.[row];
        return Number.isNaN(value) ? undefined : value;
      };
    },
    text: (name: string): ((row: number) => string | undefined) => {
      const column = texts.get(name);
      return (row) => column?.texts[(column.cells[row] ?? 0) - 1];
    },
  };
}

function ordersIn(table: ColumnTable): readonly Order[] {
  const { number, text } = readers(table);
  const [run, id, price, stake] = [number('run'), number('order'), number('price'), number('stake')];
  const [strategy, market, outcome] = [text('strategy'), text('marketId'), text('outcomeId')];
  const [title, side, status, reason, note] = [
    text('outcomeTitle'),
    text('side'),
    text('status'),
    text('reason'),
    text('note'),
  ];
  const [decidedAt, arrivedAt, endedAt] = [number('decidedAt'), number('arrivedAt'), number('endedAt')];
  const [matched, averagePrice, profit] = [number('stakeMatched'), number('averagePrice'), number('profit')];
  const [queueAhead, bestFor, bestAgainst] = [number('queueAhead'), number('bestFor'), number('bestAgainst')];
  return Array.from({ length: table.rows }, (_, row) => ({
    row,
    run: run(row) ?? 0,
    id: id(row) ?? 0,
    strategy: strategy(row) ?? '',
    market: market(row) ?? '',
    outcome: outcome(row) ?? '',
    title: title(row) ?? '',
    side: side(row) ?? '',
    price: price(row) ?? 0,
    stake: stake(row) ?? 0,
    decidedAt: decidedAt(row) ?? 0,
    arrivedAt: arrivedAt(row),
    endedAt: endedAt(row),
    status: status(row),
    reason: reason(row),
    matched: matched(row) ?? 0,
    averagePrice: averagePrice(row),
    profit: profit(row),
    queueAhead: queueAhead(row),
    bestFor: bestFor(row),
    bestAgainst: bestAgainst(row),
    note: note(row),
  }));
}

function fillsIn(table: ColumnTable, orders: readonly Order[]): readonly Fill[] {
  const { number } = readers(table);
  const [orderRow, price, stake, at] = [number('row'), number('price'), number('stake'), number('at')];
  const [after10s, after60s] = [number('lastPriceAfter10s'), number('lastPriceAfter60s')];
  const fills: Fill[] = [];
  for (let row = 0; row < table.rows; row += 1) {
    const order = orders[orderRow(row) ?? -1];
    if (order === undefined) continue;
    fills.push({
      row,
      order,
      price: price(row) ?? 0,
      stake: stake(row) ?? 0,
      at: at(row) ?? 0,
      after10s: after10s(row),
      after60s: after60s(row),
    });
  }
  return fills;
}

function refusedIn(table: ColumnTable, market: string): readonly Refused[] {
  return rowsWith(table, market).map((row) => ({
    row,
    at: numberAt(table, 'at', row) ?? 0,
    lastAt: numberAt(table, 'lastAt', row) ?? 0,
    times: numberAt(table, 'times', row) ?? 0,
    outcome: textAt(table, 'outcome', row),
    price: numberAt(table, 'price', row),
  }));
}

function rowsWith({ texts }: ColumnTable, market: string): readonly number[] {
  const column = texts.get('market');
  const place = column === undefined ? -1 : column.texts.indexOf(market);
  if (column === undefined || place < 0) return [];
  const rows: number[] = [];
  for (let row = 0; row < column.cells.length; row += 1) if (column.cells[row] === place + 1) rows.push(row);
  return rows;
}
