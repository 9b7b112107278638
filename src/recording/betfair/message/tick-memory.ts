/** A set of ticks, fast at finding that a tick is not in it, which is the frequent case. */

import { TICK_COUNT } from '../../../core/number/ladder.ts';

export class TickMemory {
  /** The ticks in the order in which they were added; a walk may delete. */
  readonly #ticks = new Set<number>();
  /** For each tick (or number on a scale of the market's own), 1 where it is in the set. */
  #isIn = new Uint8Array(TICK_COUNT);

  get size(): number {
    return this.#ticks.size;
  }

  ticks(): Iterable<number> {
    return this.#ticks;
  }

  has(tick: number): boolean {
    return this.#isIn[tick] === 1;
  }

  add(tick: number): void {
    if (this.#isIn[tick] === 1) return;
    if (tick >= this.#isIn.length) this.#grow(tick);
    this.#isIn[tick] = 1;
    this.#ticks.add(tick);
  }

  delete(tick: number): void {
    if (this.#isIn[tick] !== 1) return;
    this.#isIn[tick] = 0;
    this.#ticks.delete(tick);
  }

  clear(): void {
    this.#isIn.fill(0);
    this.#ticks.clear();
  }

  #grow(tick: number): void {
    const wider = new Uint8Array(2 * (tick + 1));
    wider.set(this.#isIn);
    this.#isIn = wider;
  }
}
