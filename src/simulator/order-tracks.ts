/** Orders that the simulator still speaks of, by the exchange's id. */

import { assert } from '../core/assert.ts';
import type { OrderTrack } from './order-track.ts';

const NONE = -1;
/** So many places of orders that are gone are worth moving the others down. */
const GONE_MIN = 1024;

/** The exchange numbers its orders one by one, so that an id is a place in a list; the places before the oldest are let go of. */
export class OrderTracks {
  #first = NONE;
  #gone = 0;
  #tracks: (OrderTrack | undefined)[] = [];

  /** The next order: numbers count up by one. */
  add(track: OrderTrack): void {
    if (this.#first === NONE) this.#first = track.order;
    assert(track.order === this.#first + this.#tracks.length, 'accepted orders are numbered one by one');
    this.#tracks.push(track);
  }

  get(order: number): OrderTrack | undefined {
    const at = order - this.#first;
    return at >= 0 && at < this.#tracks.length ? this.#tracks[at] : undefined;
  }

  delete(order: number): void {
    const tracks = this.#tracks;
    const at = order - this.#first;
    if (at >= 0 && at < tracks.length) tracks[at] = undefined;
    if (at !== this.#gone) return;
    let gone = at;
    while (gone < tracks.length && tracks[gone] === undefined) gone += 1;
    this.#gone = gone;
    if (gone < GONE_MIN || gone * 2 < tracks.length) return;
    this.#tracks = tracks.slice(gone);
    this.#first += gone;
    this.#gone = 0;
  }
}
