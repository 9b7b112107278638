/** Where our orders stand in the queues of their prices: behind recorded stake, and behind stake that our orders displaced. */

import { NO_TICK } from '../../core/number/ladder.ts';
import { crosses } from '../../core/side.ts';
import type { FillRules } from './fill-rules.ts';
import { cellInRow, sideOfRow, tickOfCell } from './level-cell.ts';
import { aheadAfterFall, marginOfSize } from './queue-place.ts';
import { NO_ORDER, type QueuedOrders } from './queued-orders.ts';
import type { RecordedBook } from './recorded-book.ts';

/**
 * Displaced is what a recorded trade matched and an order of ours kept from it. It stands at the front of what others have at its
 * level, because a trade takes a queue from the front: what the tape holds still had stood behind. A trade at a worse price passes it
 * first, and what it would have matched there is displaced instead.
 */
export class PlacesInQueue {
  readonly #rules: FillRules;
  readonly #queues: QueuedOrders;
  readonly #book: RecordedBook;

  constructor(parts: { readonly rules: FillRules; readonly queues: QueuedOrders; readonly book: RecordedBook }) {
    this.#rules = parts.rules;
    this.#queues = parts.queues;
    this.#book = parts.book;
  }

  /** The stake of others at a level: recorded, and displaced by orders of ours. */
  othersAt(cell: number): number {
    return this.#book.stakeAt(cell) + this.#queues.displacedAt(cell);
  }

  /** The stake of others ahead of an order that comes to a level now. */
  onArrival(cell: number, stake: number): number {
    if (this.#rules.queue === 'first') return 0;
    const others = this.othersAt(cell);
    if (this.#rules.size !== 'for-us') return others;
    const last = this.#queues.tail(cell);
    const least = last === NO_ORDER ? 0 : this.#queues.ahead(last);
    return Math.max(least, others - marginOfSize(stake, this.#book.stakeAt(cell)));
  }

  /**
   * Notes how much of a recorded trade at the level went elsewhere: what it matched on the tape stands ahead of `first`
   * and of the orders behind it. Returns whether displaced stake counts at all.
   */
  displace(cell: number, first: number, stake: number): boolean {
    if (this.#rules.displaced === 'gone') return false;
    for (let slot = first; slot !== NO_ORDER; slot = this.#queues.next(slot)) {
      this.#queues.setAhead(slot, this.#queues.ahead(slot) + stake);
    }
    this.#queues.setDisplaced(cell, this.#queues.displacedAt(cell) + stake);
    return true;
  }

  /** Takes displaced stake ahead of the first order of ours at a level, up to `most`; returns how much. */
  takeDisplaced(cell: number, most: number): number {
    const head = this.#queues.head(cell);
    const held = this.#queues.displacedAt(cell);
    const taken = Math.min(most, head === NO_ORDER ? held : Math.min(held, this.#queues.ahead(head)));
    this.#remove(cell, taken);
    return taken;
  }

  /** Recorded stake that comes at the level `cell` would have matched what is displaced in the row `own` and crosses it. */
  meetDisplaced(own: number, cell: number, stake: number): void {
    let left = stake;
    let tick = this.#queues.bestDisplaced(own);
    while (left > 0 && tick !== NO_TICK && crosses(sideOfRow(own), tick, tickOfCell(cell))) {
      const crossed = cellInRow(own, tick);
      const gone = Math.min(left, this.#queues.displacedAt(crossed));
      left -= gone;
      this.#remove(crossed, gone);
      tick = this.#queues.worseDisplaced(own, tick);
    }
  }

  /** Moves our orders up by a recorded trade, once what it filled of ours is displaced; returns what the level holds then. */
  tradePassed(cell: number, stake: number): number {
    const recorded = this.#book.stakeAt(cell);
    const left = Math.max(0, recorded - stake);
    if (this.#rules.queue !== 'in-turn') return left;
    for (let slot = this.#queues.head(cell); slot !== NO_ORDER; slot = this.#queues.next(slot)) {
      this.#queues.setAhead(slot, Math.max(0, this.#queues.ahead(slot) - stake));
    }
    const beyond = Math.max(0, stake - recorded);
    this.#queues.setDisplaced(cell, Math.max(0, this.#queues.displacedAt(cell) - beyond));
    return left;
  }

  /** Moves our orders up where their level falls to `to` without a trade; call it before the book does. */
  levelFell(cell: number, to: number): void {
    if (this.#rules.queue !== 'in-turn') return;
    const from = this.#book.stakeAt(cell);
    const displaced = this.#queues.displacedAt(cell);
    let least = 0;
    for (let slot = this.#queues.head(cell); slot !== NO_ORDER; slot = this.#queues.next(slot)) {
      const before = this.#queues.ahead(slot);
      const inFront = Math.min(displaced, before);
      const recorded = aheadAfterFall(this.#rules.cancellations, { ahead: before - inFront, from, to });
      // Without the maximum, a power above 1 would let a later order of ours pass an earlier one.
      least = Math.max(least, leftOf(inFront, from, to) + recorded);
      this.#queues.setAhead(slot, least);
    }
    this.#queues.setDisplaced(cell, leftOf(displaced, from, to));
  }

  #remove(cell: number, stake: number): void {
    if (stake === 0) return;
    for (let slot = this.#queues.head(cell); slot !== NO_ORDER; slot = this.#queues.next(slot)) {
      this.#queues.setAhead(slot, Math.max(0, this.#queues.ahead(slot) - stake));
    }
    this.#queues.setDisplaced(cell, this.#queues.displacedAt(cell) - stake);
  }
}

/** What is left of displaced stake where as large a share of it is given up as of what the level holds. */
function leftOf(displaced: number, from: number, to: number): number {
  return Math.floor((displaced / from) * to);
}
