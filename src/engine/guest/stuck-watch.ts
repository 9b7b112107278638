/** Finds out whether a strategy hangs, from counters in shared memory that its thread writes while it works. */

import { MARK } from './decision-mark.ts';

/** Between two checks. */
export const LOOK_MS = 100;
/** A check that comes later was held up like everything else on the machine: time beyond this does not count. */
const COUNTED_MAX = 2 * LOOK_MS;

export class StuckWatch {
  readonly #words: Int32Array;
  #calls = 0;
  #turns = 0;
  #stoodMs = 0;
  #lookedAt: number;

  readonly #turnsAt: number;

  /** `turnsAt`: which of the words grows while the event loop turns. `now`: time of a clock that cannot be set, ms. */
  constructor(words: Int32Array, turnsAt: number, now: number) {
    this.#words = words;
    this.#turnsAt = turnsAt;
    this.#lookedAt = now;
  }

  /** Whether for this long no call has begun and the event loop has not turned. */
  look(now: number, limitMs: number): boolean {
    const calls = Atomics.load(this.#words, MARK.calls);
    const turns = Atomics.load(this.#words, this.#turnsAt);
    const hasMoved = calls !== this.#calls || turns !== this.#turns;
    this.#stoodMs = hasMoved ? 0 : this.#stoodMs + Math.min(now - this.#lookedAt, COUNTED_MAX);
    this.#calls = calls;
    this.#turns = turns;
    this.#lookedAt = now;
    return this.#stoodMs >= limitMs;
  }

  /** The thread answered an inquiry and is healthy: counting starts again. */
  isWell(): void {
    this.#stoodMs = 0;
  }
}
