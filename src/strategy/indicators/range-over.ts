/** The lowest and the highest that a value was within a window of time. */

import { closeClass } from '../views/closed-class.ts';
import { windowLength } from './window-length.ts';

/** The lowest and highest of a window, in the unit of the value. */
export interface Range {
  /** The lowest value that stood at any moment of the window. */
  readonly low: number;
  /** The highest value that stood at any moment of the window. */
  readonly high: number;
}

/** A range that is kept in the `state` of a market and fed with `add`. */
export interface RangeOver {
  /**
   * Notes that the value is this from `now` on, and returns the range of the window that ends now; what stood when it began counts. A value
   * of undefined (no price) changes nothing: the one before holds on.
   */
  add(now: number, value: number | undefined): Range | undefined;
  /** The range when `add` was called last; undefined before the first value. */
  readonly value: Range | undefined;
  /** Whether there was a value through the whole window. */
  readonly isFull: boolean;
}

/**
 * The range of a value over a window of time (`'5m'`, or ms), kept in the strategy's state of a market.
 *
 * @throws RangeError for a window that is no duration from 1 ms to 24 h
 *
 * @example
 * state: () => ({ range: rangeOver('5m') }),
 * decide({ market, state, now }) {
 *   const [favourite] = favourites(market);
 *   const range = state.range.add(now, favourite?.lastPrice);
 *   const isBreakout = favourite !== undefined && range !== undefined && (favourite.lastPrice ?? 0) >= range.high;
 *   return isBreakout ? [lay(favourite, { stake: 2 })] : [];
 * },
 */
export function rangeOver(window: string | number): RangeOver {
  return new MovingRange(windowLength('rangeOver', window));
}

class MovingRange implements RangeOver {
  readonly #windowMs: number;
  readonly #lowest = new Extremes(-1);
  readonly #highest = new Extremes(1);
  #value: Range | undefined;
  #held = Number.NaN;
  #firstAt = Number.NaN;
  #now = Number.NaN;

  constructor(windowMs: number) {
    this.#windowMs = windowMs;
    Object.freeze(this);
  }

  get value(): Range | undefined {
    return this.#value;
  }

  get isFull(): boolean {
    return this.#now - this.#firstAt >= this.#windowMs;
  }

  add(now: number, value: number | undefined): Range | undefined {
    if (!(now <= this.#now)) this.#now = now;
    if (value !== undefined && Number.isFinite(value) && value !== this.#held) this.#become(value);
    const from = this.#now - this.#windowMs;
    const [low, high] = [this.#lowest.since(from), this.#highest.since(from)];
    if (low === undefined || high === undefined) return undefined;
    if (low !== this.#value?.low || high !== this.#value.high) this.#value = Object.freeze({ low, high });
    return this.#value;
  }

  #become(value: number): void {
    if (Number.isNaN(this.#firstAt)) this.#firstAt = this.#now;
    this.#held = value;
    this.#lowest.add(this.#now, value);
    this.#highest.add(this.#now, value);
  }
}

/** The values that may yet be the extreme of a window: each is more extreme than all that came after it. */
class Extremes {
  readonly #sign: -1 | 1;
  readonly #values: number[] = [];
  /** The instant until which each of them held; Infinity for the last one. */
  readonly #untils: number[] = [];
  #head = 0;

  constructor(sign: -1 | 1) {
    this.#sign = sign;
  }

  add(at: number, value: number): void {
    const [values, untils, sign] = [this.#values, this.#untils, this.#sign];
    if (values.length > this.#head) untils[untils.length - 1] = at;
    while (values.length > this.#head && sign * (values[values.length - 1] ?? 0) <= sign * value) {
      values.pop();
      untils.pop();
    }
    values.push(value);
    untils.push(Number.POSITIVE_INFINITY);
  }

  /** The extreme of all that held after `from`; undefined before the first value. */
  since(from: number): number | undefined {
    while ((this.#untils[this.#head] ?? Number.POSITIVE_INFINITY) <= from) this.#head += 1;
    if (this.#head > COMPACTED_FROM && this.#head * 2 > this.#values.length) {
      this.#values.splice(0, this.#head);
      this.#untils.splice(0, this.#head);
      this.#head = 0;
    }
    return this.#values[this.#head];
  }
}

/** So many values may have left the window before their places are used again. */
const COMPACTED_FROM = 256;

closeClass(MovingRange);
