/**
 * Maps the exchange's order numbers to our client order ids, for the whole run. It is all that is kept of an order that
 * ended without a match.
 */

import { assert } from '../../core/checks/assert.ts';
import { grownInts } from '../../matching/columns/columns.ts';

const FIRST_CAPACITY = 256;
const NONE = -1;

/** The exchange numbers the orders it accepts one by one, so that an index in the column finds them. */
export class ClientOrderIds {
  #first = NONE;
  #count = 0;
  #clientOrderIds = new Int32Array(FIRST_CAPACITY);

  add(order: number, clientOrderId: number): void {
    if (this.#first === NONE) this.#first = order;
    assert(order === this.#first + this.#count, 'accepted orders are numbered one by one');
    if (this.#count === this.#clientOrderIds.length)
      this.#clientOrderIds = grownInts(this.#clientOrderIds, 2 * this.#count);
    this.#clientOrderIds[this.#count] = clientOrderId;
    this.#count += 1;
  }

  /** The client order id of one of the exchange's orders; undefined for an order that was never accepted here. */
  of(order: number): number | undefined {
    const at = order - this.#first;
    return at >= 0 && at < this.#count ? this.#clientOrderIds[at] : undefined;
  }
}
