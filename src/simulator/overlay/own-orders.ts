/** What is kept of our resting orders by slot, in columns that all markets of one exchange share. */

import { QueueColumns } from '../../matching/book/order-book.ts';
import { grownFloats } from '../../matching/columns/columns.ts';

/** A slot rests in one market at most, so the columns are as long as the exchange has orders, not markets × orders. */
export class OwnOrders {
  readonly links = new QueueColumns();
  /** Recorded stake ahead of an order. */
  ahead = new Float64Array(this.links.stake.length);
  /** Stake that reaches an order first and fills others instead (`SizeRule`). */
  margin = new Float64Array(this.links.stake.length);

  reach(slot: number): void {
    this.links.reach(slot);
    if (slot < this.ahead.length) return;
    this.ahead = grownFloats(this.ahead, this.links.stake.length);
    this.margin = grownFloats(this.margin, this.links.stake.length);
  }
}
