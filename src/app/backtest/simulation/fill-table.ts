/** All fills of a run as columns, from which the rows of the result are made when somebody asks. */

import { type Money, moneyToDecimal, type Price, priceToDecimal } from '../../../core/number/units.ts';
import { grownBytes, grownFloats, grownInts } from '../../../matching/columns/columns.ts';
import type { Bound, FillRow } from '../../../report/result.ts';
import type { ModelFill } from '../../../simulator/fill-model/fill-listener.ts';
import type { OrderTable } from './order-table.ts';

const FIRST_CAPACITY = 256;

export class FillTable {
  readonly #bounds: readonly Bound[];
  readonly #orders: OrderTable;
  #count = 0;
  #order = new Int32Array(FIRST_CAPACITY);
  #answer = new Uint8Array(FIRST_CAPACITY);
  #price = new Float64Array(FIRST_CAPACITY);
  #stake = new Float64Array(FIRST_CAPACITY);
  #at = new Float64Array(FIRST_CAPACITY);

  /** The answers in their order, and the orders that are filled. */
  constructor(bounds: readonly Bound[], orders: OrderTable) {
    this.#bounds = bounds;
    this.#orders = orders;
  }

  add(answer: number, { clientOrderId, price, stake, at }: ModelFill): void {
    const row = this.#count;
    if (row === this.#order.length) this.#grow(2 * row);
    this.#count += 1;
    this.#order[row] = clientOrderId;
    this.#answer[row] = answer;
    this.#price[row] = price;
    this.#stake[row] = stake;
    this.#at[row] = at;
  }

  /** In the order in which they happened, as of the run with this number. */
  *rows(run: number): Generator<FillRow> {
    for (let row = 0; row < this.#count; row += 1) yield this.#row(run, row);
  }

  #row(run: number, row: number): FillRow {
    const order = this.#order[row] ?? 0;
    const { marketId, outcomeId, side } = this.#orders.placeOf(order);
    return {
      run,
      flow: this.#bounds[0] ?? 'central',
      order,
      bound: this.#bounds[this.#answer[row] ?? 0] ?? 'central',
      marketId,
      outcomeId,
      side,
      price: priceToDecimal((this.#price[row] ?? 0) as Price),
      stake: moneyToDecimal((this.#stake[row] ?? 0) as Money),
      at: this.#at[row] ?? 0,
    };
  }

  #grow(capacity: number): void {
    this.#order = grownInts(this.#order, capacity);
    this.#answer = grownBytes(this.#answer, capacity);
    this.#price = grownFloats(this.#price, capacity);
    this.#stake = grownFloats(this.#stake, capacity);
    this.#at = grownFloats(this.#at, capacity);
  }
}
