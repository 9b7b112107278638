/** Stake by outcome, resting side and tick, in columns. */

import { TICK_COUNT } from '../number/ladder.ts';
import type { Money } from '../number/units.ts';
import type { SideIndex } from '../side.ts';
import { shownStake } from './shown-stake.ts';
import { TickRows } from './tick-rows.ts';

export class PriceLadders {
  readonly #amounts: Float64Array;
  readonly #ticks: TickRows;

  constructor(outcomes: number) {
    this.#amounts = new Float64Array(outcomes * 2 * TICK_COUNT);
    this.#ticks = new TickRows(outcomes * 2);
  }

  bestTick(outcome: number, side: SideIndex): number {
    return this.#ticks.best(outcome * 2 + side);
  }

  /** The nearest worse tick that holds stake; NO_TICK if there is none. */
  nextTick(outcome: number, side: SideIndex, tick: number): number {
    return this.#ticks.worse(outcome * 2 + side, tick);
  }

  amountAt(outcome: number, side: SideIndex, tick: number): Money {
    return (this.#amounts[(outcome * 2 + side) * TICK_COUNT + tick] ?? 0) as Money;
  }

  /** Sets the stake that rests at a level; an amount of 0 empties it, and so does dust. */
  set(outcome: number, side: SideIndex, tick: number, resting: Money): void {
    const row = outcome * 2 + side;
    const amount = shownStake(resting);
    this.#amounts[row * TICK_COUNT + tick] = amount;
    if (amount > 0) this.#ticks.add(row, tick);
    else this.#ticks.remove(row, tick);
  }

  clear(): void {
    this.#amounts.fill(0);
    this.#ticks.clear();
  }
}
