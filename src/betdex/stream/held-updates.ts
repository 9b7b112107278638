/** Updates of a connection that has not taken over yet, kept until it does, up to a limit. */

import type { Instant } from '../../core/number/units.ts';
import type { StreamUpdate } from './stream-event.ts';

/** An update with the time when it was read off the socket. */
export interface HeldUpdate {
  readonly message: StreamUpdate;
  readonly receivedAt: Instant;
}

export class HeldUpdates {
  readonly #max: number;
  #updates: HeldUpdate[] = [];
  #hasGap = false;

  constructor(max: number) {
    this.#max = max;
  }

  /** Returns false, and does not keep the update, if there is no more room. */
  add(update: HeldUpdate): boolean {
    if (this.#updates.length >= this.#max) return false;
    this.#updates.push(update);
    return true;
  }

  /** Whether an update between the kept ones was lost. */
  get hasGap(): boolean {
    return this.#hasGap;
  }

  noteGap(): void {
    this.#hasGap = true;
  }

  /** Returns all kept updates, oldest first, and forgets them. */
  release(): readonly HeldUpdate[] {
    const updates = this.#updates;
    this.#updates = [];
    return updates;
  }
}
