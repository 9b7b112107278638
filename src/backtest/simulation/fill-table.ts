/** All fills of a run as typed-array columns; the rows of the result are made from them on demand. */

import { decimalOfTick, NO_TICK, type Tick } from '../../core/number/ladder.ts';
import { type Money, moneyToDecimal, type Price, priceToDecimal } from '../../core/number/units.ts';
import type { FillRow } from '../../result/result.ts';
import type { ModelFill } from '../../simulator/fill-model/fill-listener.ts';
import type { OrderTable } from './order-table.ts';
import { cellOf, copiedInto, cutTo } from './table-columns.ts';

const FILLS_AT_FIRST = 256;

/** What is kept of each fill. What its order says is read from the order table. */
function columnsFor(capacity: number) {
  return {
    /** Number of the order. */
    order: new Int32Array(capacity),
    price: new Float64Array(capacity),
    stake: new Float64Array(capacity),
    at: new Float64Array(capacity),
    /** Ticks of the last traded price 10 s and 60 s later, or NO_TICK. */
    later10: new Int32Array(capacity),
    later60: new Int32Array(capacity),
  };
}

/** A table as plain data for another thread. */
export interface PackedFills {
  readonly count: number;
  readonly columns: ReturnType<typeof columnsFor>;
}

export class FillTable {
  readonly #orders: OrderTable;
  #count = 0;
  #columns = columnsFor(FILLS_AT_FIRST);

  /** `orders` has the orders that are filled. */
  constructor(orders: OrderTable) {
    this.#orders = orders;
  }

  /** A table that another thread packed, with the orders that it packed beside it. */
  static of({ count, columns }: PackedFills, orders: OrderTable): FillTable {
    const table = new FillTable(orders);
    table.#count = count;
    table.#columns = columns;
    return table;
  }

  packed(): PackedFills {
    return { ...this.held(), columns: cutTo(this.#count, this.#columns, this.#columns.order.length) };
  }

  /** The same to be read at once: nothing is copied, the columns are the table's own and may be longer than `count`. */
  held(): PackedFills {
    return { count: this.#count, columns: this.#columns };
  }

  /** Returns its row. */
  add({ clientOrderId, price, stake, at }: ModelFill): number {
    const row = this.#count;
    if (row === this.#columns.order.length) this.#columns = copiedInto(columnsFor(2 * row), this.#columns);
    this.#count += 1;
    const columns = this.#columns;
    columns.order[row] = clientOrderId;
    columns.price[row] = price;
    columns.stake[row] = stake;
    columns.at[row] = at;
    columns.later10[row] = NO_TICK;
    columns.later60[row] = NO_TICK;
    return row;
  }

  /** Keeps the last traded price that was read later: `delay` is 0 for 10 s, 1 for 60 s. */
  addLater(row: number, delay: 0 | 1, tick: number): void {
    const { later10, later60 } = this.#columns;
    (delay === 0 ? later10 : later60)[row] = tick;
  }

  /** The rows in the order in which they happened; `run` is the number of this simulation in the result. */
  *rows(run: number): Generator<FillRow> {
    for (let row = 0; row < this.#count; row += 1) yield this.#row(run, row);
  }

  #row(run: number, row: number): FillRow {
    const columns = this.#columns;
    const order = cellOf(columns.order, row);
    const { marketId, outcomeId, outcomeTitle, side } = this.#orders.placeOf(order);
    const [later10, later60] = [cellOf(columns.later10, row), cellOf(columns.later60, row)];
    const made: { -readonly [Key in keyof FillRow]: FillRow[Key] } = {
      run,
      flow: this.#orders.bound,
      order,
      marketId,
      outcomeId,
      outcomeTitle,
      side,
      price: priceToDecimal(cellOf(columns.price, row) as Price),
      stake: moneyToDecimal(cellOf(columns.stake, row) as Money),
      at: cellOf(columns.at, row),
    };
    if (later10 !== NO_TICK) made.lastPriceAfter10s = decimalOfTick(later10 as Tick);
    if (later60 !== NO_TICK) made.lastPriceAfter60s = decimalOfTick(later60 as Tick);
    return made;
  }
}
