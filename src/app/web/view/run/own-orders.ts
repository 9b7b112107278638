/** Own orders of a run with their fills, by market: from rows, and from the columns that a report's data holds. */

import { assert } from '../../../../core/checks/assert.ts';
import type { ColumnFile, ColumnTable } from '../../../../pages/report/columns.ts';
import type { ViewFill, ViewPlot } from '../../../../pages/view-data.ts';
import type { FillRow, OrderRow } from '../../../../result/result.ts';
import type { OwnOrder } from './viewed-run.ts';

type OrdersByMarket = ReadonlyMap<string, readonly OwnOrder[]>;

/** The orders of one run: a number names one order. */
export function ordersOfRows(orders: readonly OrderRow[], fills: readonly FillRow[]): OrdersByMarket {
  const fillsByOrder = Map.groupBy(fills, ({ order }) => order);
  const byMarket = new Map<string, OwnOrder[]>();
  for (const { id, marketId, ...order } of orders) {
    const own = (fillsByOrder.get(id) ?? []).map(({ at, price, stake }) => ({ at, price, stake }));
    const { strategy, outcomeId, side, price, stake, decidedAt } = order;
    const { arrivedAt, endedAt, status, reason, queueAhead, profit, note } = order;
    put(byMarket, marketId, {
      ...{ number: id, run: undefined, strategy, outcomeId, side, price, stake, decidedAt, arrivedAt, endedAt },
      ...{ status, reason, queueAhead, profit, note, fills: inTime(own) },
    });
  }
  return sorted(byMarket);
}

/** The orders of the tables `orders` and `fills`. */
export function ordersOfColumns({ tables }: ColumnFile): OrdersByMarket {
  const table = tables.get('orders') ?? NO_TABLE;
  const fills = fillsByRow(tables.get('fills') ?? NO_TABLE);
  const [text, number] = [textsOf(table), numbersOf(table)];
  const [strategy, market, outcomeId] = [text('strategy'), text('marketId'), text('outcomeId')];
  const [side, status, reason, note] = [text('side'), text('status'), text('reason'), text('note')];
  const [id, run, decidedAt] = [number('order'), number('run'), number('decidedAt')];
  const [price, stake] = [number('price'), number('stake')];
  const [arrivedAt, endedAt, queueAhead] = [number('arrivedAt'), number('endedAt'), number('queueAhead')];
  const profit = number('profit');
  const byMarket = new Map<string, OwnOrder[]>();
  for (let row = 0; row < table.rows; row += 1) {
    const own = side(row);
    assert(own === 'For' || own === 'Against', 'an order has a side');
    put(byMarket, market(row) ?? '', {
      ...{ number: id(row) ?? 0, run: run(row) },
      strategy: strategy(row) ?? '',
      outcomeId: outcomeId(row) ?? '',
      side: own,
      price: price(row) ?? 0,
      stake: stake(row) ?? 0,
      ...{ decidedAt: decidedAt(row), arrivedAt: arrivedAt(row), endedAt: endedAt(row) },
      ...{ status: status(row), reason: reason(row), queueAhead: queueAhead(row), profit: profit(row) },
      ...{ note: note(row), fills: inTime(fills.get(row) ?? []) },
    });
  }
  return sorted(byMarket);
}

/** Lines of the table `plots`, whose rows of one line follow each other. */
export function plotsOfColumns({ tables }: ColumnFile): ReadonlyMap<string, readonly ViewPlot[]> {
  const table = tables.get('plots') ?? NO_TABLE;
  const [market, strategy, name] = ['market', 'strategy', 'name'].map(textsOf(table));
  const [at, value] = ['at', 'value'].map(numbersOf(table));
  const lines = new Map<string, { readonly market: string; readonly line: GrowingPlot }>();
  for (let row = 0; row < table.rows; row += 1) {
    const [id, by, title] = [market?.(row) ?? '', strategy?.(row) ?? '', name?.(row) ?? ''];
    const key = JSON.stringify([id, by, title]);
    const kept = lines.get(key) ?? { market: id, line: { strategy: by, name: title, at: [], value: [] } };
    lines.set(key, kept);
    kept.line.at.push(at?.(row) ?? 0);
    kept.line.value.push(value?.(row) ?? null);
  }
  return new Map(
    [...Map.groupBy(lines.values(), ({ market: id }) => id)].map(([id, own]) => [id, own.map(({ line }) => line)]),
  );
}

interface GrowingPlot extends ViewPlot {
  readonly at: number[];
  readonly value: (number | null)[];
}

const NO_TABLE: ColumnTable = { rows: 0, numbers: new Map(), texts: new Map() };

function textsOf({ texts }: ColumnTable): (name: string) => (row: number) => string | undefined {
  return (name) => {
    const column = texts.get(name);
    return (row) => column?.texts[(column.cells[row] ?? 0) - 1];
  };
}

function numbersOf({ numbers }: ColumnTable): (name: string) => (row: number) => number | undefined {
  return (name) => {
    const column = numbers.get(name);
    return (row) => {
      const value = column?.[row];
      return value === undefined || Number.isNaN(value) ? undefined : value;
    };
  };
}

/** The fills by the row of their order. */
function fillsByRow(table: ColumnTable): ReadonlyMap<number, readonly ViewFill[]> {
  const number = numbersOf(table);
  const [order, at, price, stake] = [number('row'), number('at'), number('price'), number('stake')];
  const byRow = new Map<number, ViewFill[]>();
  for (let row = 0; row < table.rows; row += 1) {
    const fill = { at: at(row) ?? 0, price: price(row) ?? 0, stake: stake(row) ?? 0 };
    const own = byRow.get(order(row) ?? -1);
    if (own === undefined) byRow.set(order(row) ?? -1, [fill]);
    else own.push(fill);
  }
  return byRow;
}

function put(byMarket: Map<string, OwnOrder[]>, market: string, order: OwnOrder): void {
  const own = byMarket.get(market);
  if (own === undefined) byMarket.set(market, [order]);
  else own.push(order);
}

function inTime(fills: readonly ViewFill[]): readonly ViewFill[] {
  return fills.toSorted((a, b) => a.at - b.at);
}

/** Most markets are in one simulation, which nobody need know. */
function ofOneRun(orders: readonly OwnOrder[]): readonly OwnOrder[] {
  const isOne = orders.every(({ run }) => run === orders[0]?.run);
  return isOne ? orders.map((order) => ({ ...order, run: undefined })) : orders;
}

/** The orders by arrival; one that never arrived stands at its decision. */
function sorted(byMarket: ReadonlyMap<string, readonly OwnOrder[]>): OrdersByMarket {
  const timeOf = ({ arrivedAt, decidedAt }: OwnOrder): number => arrivedAt ?? decidedAt ?? 0;
  const order = (a: OwnOrder, b: OwnOrder): number =>
    timeOf(a) - timeOf(b) || (a.run ?? 0) - (b.run ?? 0) || a.number - b.number;
  return new Map([...byMarket].map(([market, own]) => [market, ofOneRun(own).toSorted(order)]));
}
