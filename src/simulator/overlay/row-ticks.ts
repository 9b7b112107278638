/** Which ticks of each row hold stake, searched from a taker's best tick to the worse ones. */

import { AGAINST } from '../../core/side.ts';
import { TickSets } from '../../matching/book/tick-set.ts';
import { sideOfRow } from './level-cell.ts';

export class RowTicks {
  readonly #sets: TickSets;

  constructor(rows: number) {
    this.#sets = new TickSets(rows);
  }

  add(row: number, tick: number): void {
    this.#sets.add(row, tick);
  }

  remove(row: number, tick: number): void {
    this.#sets.remove(row, tick);
  }

  has(row: number, tick: number): boolean {
    return this.#sets.has(row, tick);
  }

  /** Against: the highest tick; For: the lowest; NO_TICK in an empty row. */
  best(row: number): number {
    return sideOfRow(row) === AGAINST ? this.#sets.highest(row) : this.#sets.lowest(row);
  }

  /** The nearest tick worse than the given one; NO_TICK where there is none. */
  worse(row: number, tick: number): number {
    return sideOfRow(row) === AGAINST ? this.#sets.below(row, tick) : this.#sets.above(row, tick);
  }
}
