/** Stake by outcome, resting side and tick, in columns, with the best tick of each row at hand. */

import { NO_TICK, TICK_COUNT } from '../../core/number/ladder.ts';
import type { Money } from '../../core/number/units.ts';
import { isBetter, type SideIndex, worseStep } from '../../core/side.ts';

/** A row is one side of an outcome, at index outcome × 2 + side. */
export class PriceLadders {
  readonly #amounts: Float64Array;
  /** The ticks at both ends of the occupied part of each row; NO_TICK in an empty row. Searches never leave this range. */
  readonly #best: Int16Array;
  readonly #worst: Int16Array;

  constructor(outcomes: number) {
    this.#amounts = new Float64Array(outcomes * 2 * TICK_COUNT);
    this.#best = new Int16Array(outcomes * 2).fill(NO_TICK);
    this.#worst = new Int16Array(outcomes * 2).fill(NO_TICK);
  }

  bestTick(outcome: number, side: SideIndex): number {
    return this.#best[outcome * 2 + side] ?? NO_TICK;
  }

  /** The nearest worse tick that holds stake; NO_TICK if there is none. */
  nextTick(outcome: number, side: SideIndex, tick: number): number {
    const row = outcome * 2 + side;
    return this.#search(row, tick + worseStep(side), this.#worst[row] ?? NO_TICK, worseStep(side));
  }

  amountAt(outcome: number, side: SideIndex, tick: number): Money {
    return (this.#amounts[(outcome * 2 + side) * TICK_COUNT + tick] ?? 0) as Money;
  }

  /** Sets the stake at a level; an amount of 0 empties it. */
  set(outcome: number, side: SideIndex, tick: number, amount: Money): void {
    const row = outcome * 2 + side;
    const cell = row * TICK_COUNT + tick;
    const before = this.#amounts[cell] ?? 0;
    this.#amounts[cell] = amount;
    if (amount > 0 === before > 0) return;
    if (amount > 0) this.#widen(row, side, tick);
    else this.#narrow(row, side, tick);
  }

  clear(): void {
    this.#amounts.fill(0);
    this.#best.fill(NO_TICK);
    this.#worst.fill(NO_TICK);
  }

  #widen(row: number, side: SideIndex, tick: number): void {
    const best = this.#best[row] ?? NO_TICK;
    const worst = this.#worst[row] ?? NO_TICK;
    if (best === NO_TICK || isBetter(side, tick, best)) this.#best[row] = tick;
    if (worst === NO_TICK || isBetter(side, worst, tick)) this.#worst[row] = tick;
  }

  #narrow(row: number, side: SideIndex, tick: number): void {
    const best = this.#best[row] ?? NO_TICK;
    const worst = this.#worst[row] ?? NO_TICK;
    const step = worseStep(side);
    if (best === worst) {
      this.#best[row] = NO_TICK;
      this.#worst[row] = NO_TICK;
    } else if (tick === best) this.#best[row] = this.#search(row, tick + step, worst, step);
    else if (tick === worst) this.#worst[row] = this.#search(row, tick - step, best, -step);
  }

  /** The first tick with stake between two ticks, both included. */
  #search(row: number, from: number, to: number, step: number): number {
    if (to === NO_TICK) return NO_TICK;
    const base = row * TICK_COUNT;
    for (let tick = from; step > 0 ? tick <= to : tick >= to; tick += step)
      if ((this.#amounts[base + tick] ?? 0) > 0) return tick;
    return NO_TICK;
  }
}
