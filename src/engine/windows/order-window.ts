/** An order as its strategy sees it: reads the ledger's order and gives no access to it. */

import type { OrderStatus } from '../../core/order.ts';
import type { Side } from '../../core/side.ts';
import { closeClass } from '../../strategy/views/closed-class.ts';
import type { OrderView } from '../../strategy/views/views.ts';

export class OrderWindow implements OrderView {
  readonly #order: OrderView;

  constructor(order: OrderView) {
    this.#order = order;
    Object.freeze(this);
  }

  get id(): number {
    return this.#order.id;
  }
  get marketId(): string {
    return this.#order.marketId;
  }
  get outcomeId(): string {
    return this.#order.outcomeId;
  }
  get side(): Side {
    return this.#order.side;
  }
  get price(): number {
    return this.#order.price;
  }
  get stake(): number {
    return this.#order.stake;
  }
  get stakeMatched(): number {
    return this.#order.stakeMatched;
  }
  get stakeUnmatched(): number {
    return this.#order.stakeUnmatched;
  }
  get stakeVoided(): number {
    return this.#order.stakeVoided;
  }
  get averagePrice(): number | undefined {
    return this.#order.averagePrice;
  }
  get status(): OrderStatus | undefined {
    return this.#order.status;
  }
  get inFlight(): 'place' | 'cancel' | 'reduce' | undefined {
    return this.#order.inFlight;
  }
  get unknown(): boolean {
    return this.#order.unknown;
  }
  get cancelling(): boolean {
    return this.#order.cancelling;
  }
  get placedAt(): number {
    return this.#order.placedAt;
  }
  get stakeMin(): number | undefined {
    return this.#order.stakeMin;
  }
  get payoutMin(): number | undefined {
    return this.#order.payoutMin;
  }
  get note(): string | undefined {
    return this.#order.note;
  }
}

closeClass(OrderWindow);
