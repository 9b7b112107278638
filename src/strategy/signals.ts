/** A series of numbers from outside, by market and outcome, that never shows a value before it was available. */

import type { Instant } from '../core/number/units.ts';

export interface SignalRow {
  readonly availableAt: Instant;
  readonly market: string;
  readonly outcome: string;
  readonly value: number;
}

export interface SignalColumn {
  readonly market: string;
  readonly outcome: string;
  readonly rows: number;
  readonly firstAt: number;
}

/**
 * Rows may be added in any order, also between readings (live). Of rows available at the same time the one added last
 * counts. Reading is O(1) amortised while time moves forward, O(log n) after a jump.
 */
export class SignalSeries {
  readonly #columnByMarket = new Map<string, Map<string, Column>>();

  add(row: SignalRow): void {
    let columnByOutcome = this.#columnByMarket.get(row.market);
    if (columnByOutcome === undefined) {
      columnByOutcome = new Map();
      this.#columnByMarket.set(row.market, columnByOutcome);
    }
    let column = columnByOutcome.get(row.outcome);
    if (column === undefined) {
      column = new Column();
      columnByOutcome.set(row.outcome, column);
    }
    column.add(row.availableAt, row.value);
  }

  /** Each outcome that has rows, with their number and when the first becomes available. */
  *columns(): Generator<SignalColumn> {
    for (const [market, columnByOutcome] of this.#columnByMarket)
      for (const [outcome, { rows, firstAt }] of columnByOutcome) yield { market, outcome, rows, firstAt };
  }

  /** The newest value with availableAt ≤ now; undefined where there is none yet. */
  valueAt(market: string, outcome: string, now: number): number | undefined {
    return this.#columnByMarket.get(market)?.get(outcome)?.valueAt(now);
  }
}

/** One outcome's rows, sorted by time. */
class Column {
  readonly #times: number[] = [];
  readonly #values: number[] = [];
  /** Number of rows that were available at the last reading. */
  #cursor = 0;

  get rows(): number {
    return this.#times.length;
  }

  get firstAt(): number {
    return this.#times[0] ?? Number.POSITIVE_INFINITY;
  }

  add(time: number, value: number): void {
    const last = this.#times.at(-1);
    if (last === undefined || time >= last) {
      this.#times.push(time);
      this.#values.push(value);
      return;
    }
    const at = this.#countUpTo(time);
    this.#times.splice(at, 0, time);
    this.#values.splice(at, 0, value);
  }

  valueAt(now: number): number | undefined {
    if (!this.#isCursorAt(now)) {
      this.#cursor += 1;
      if (!this.#isCursorAt(now)) this.#cursor = this.#countUpTo(now);
    }
    return this.#cursor === 0 ? undefined : this.#values[this.#cursor - 1];
  }

  /** Whether exactly the rows before the cursor are available. */
  #isCursorAt(now: number): boolean {
    const before = this.#cursor === 0 || (this.#times[this.#cursor - 1] ?? Number.POSITIVE_INFINITY) <= now;
    return before && (this.#times[this.#cursor] ?? Number.POSITIVE_INFINITY) > now;
  }

  /** How many rows have time ≤ the given one. */
  #countUpTo(time: number): number {
    let low = 0;
    let high = this.#times.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#times[middle] ?? 0) <= time) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
