/** Tells a strategy that hangs from one that is slow, by words that its thread writes while it is at work. */

import { MARK } from '../../engine/guest/decision-mark.ts';
import { WORDS } from './thread-messages.ts';

/** Between two looks. */
export const LOOK_MS = 100;
/** A look that comes later was held up like everything else on the machine: what is beyond counts for nothing. */
const COUNTED_MAX = 2 * LOOK_MS;

export class StuckWatch {
  readonly #words: Int32Array;
  #calls = 0;
  #turns = 0;
  #stoodMs = 0;
  #lookedAt: number;

  /** `now` is time that nobody can set, in milliseconds. */
  constructor(words: Int32Array, now: number) {
    this.#words = words;
    this.#lookedAt = now;
  }

  /** Whether for so long no call has begun and the event loop has not turned. */
  look(now: number, limitMs: number): boolean {
    const calls = Atomics.load(this.#words, MARK.calls);
    const turns = Atomics.load(this.#words, WORDS.turns);
    const hasMoved = calls !== this.#calls || turns !== this.#turns;
    this.#stoodMs = hasMoved ? 0 : this.#stoodMs + Math.min(now - this.#lookedAt, COUNTED_MAX);
    this.#calls = calls;
    this.#turns = turns;
    this.#lookedAt = now;
    return this.#stoodMs >= limitMs;
  }

  /** It was asked, and is well. */
  isWell(): void {
    this.#stoodMs = 0;
  }
}
