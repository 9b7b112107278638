/** Keeps where orders came into the queue, from the moment at which they rest until their events are read and their tracks exist. */

import type { SequenceMap } from '../../core/collections/sequence-map.ts';
import type { Money } from '../../core/number/units.ts';
import type { OrderTrack } from './order-track.ts';

export class QueueArrivals {
  /** The exchange's id of an order, then the stake ahead of it, and so on. */
  readonly #waiting: number[] = [];

  rests(order: number, stakeAhead: Money): void {
    this.#waiting.push(order, stakeAhead);
  }

  /** Writes them into the tracks. What an order found first counts: a non-runner may move it to another price later. */
  writeTo(tracks: SequenceMap<OrderTrack>): void {
    for (let i = 0; i < this.#waiting.length; i += 2) {
      const track = tracks.get(this.#waiting[i] ?? -1);
      if (track !== undefined) track.queueAhead ??= (this.#waiting[i + 1] ?? 0) as Money;
    }
    if (this.#waiting.length > 0) this.#waiting.length = 0;
  }
}
