/** Updates of a connection that is not in charge yet, kept until it is; bounded. */

import type { Instant } from '../../core/number/units.ts';
import type { StreamUpdate } from './stream-event.ts';

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

  /** False where there is no more room; the update is then not kept. */
  add(update: HeldUpdate): boolean {
    if (this.#updates.length >= this.#max) return false;
    this.#updates.push(update);
    return true;
  }

  /** Whether something between the updates was lost. */
  get hasGap(): boolean {
    return this.#hasGap;
  }

  noteGap(): void {
    this.#hasGap = true;
  }

  /** All so far, oldest first, once. */
  release(): readonly HeldUpdate[] {
    const updates = this.#updates;
    this.#updates = [];
    return updates;
  }
}
