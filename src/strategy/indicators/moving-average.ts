/** Moving averages of a value that holds until it changes, each moment of it counted alike. */

import { halved } from '../../core/number/steady-math.ts';
import { closeClass } from '../views/closed-class.ts';
import { windowLength } from './window-length.ts';

/**
 * An average that is kept in the `state` of a market and fed with `add`, at each call or where the value changes. It has
 * the unit of what it is given.
 */
export interface MovingAverage {
  /**
   * Notes that the value is this from `now` on, and returns the average until `now`. A value of undefined (no price) changes nothing: the
   * one before holds on.
   */
  add(now: number, value: number | undefined): number | undefined;
  /** The average when `add` was called last; undefined before the first value. */
  readonly value: number | undefined;
  /** Whether there was a value through the whole window (of the exponential one: through four half-lives). */
  readonly isFull: boolean;
}

/**
 * The simple moving average over a window of time (`'30s'`, or ms). It is kept in the strategy's state of a market, and moves when it is
 * given a value. What came more often does not count for more: a price that stood for ten seconds counts ten times one that stood for one.
 *
 * @throws RangeError for a window that is no duration from 1 ms to 24 h
 *
 * @example
 * state: () => ({ trend: simpleAverage('2m') }),
 * decide({ market, state, now }) {
 *   const [favourite] = favourites(market);
 *   const trend = state.trend.add(now, favourite?.bestPrice('Against'));
 *   const isCheap = favourite !== undefined && state.trend.isFull && (favourite.bestAgainst?.price ?? 0) > (trend ?? 0);
 *   return isCheap ? [back(favourite, { stake: 2 })] : [];
 * },
 */
export function simpleAverage(window: string | number): MovingAverage {
  return new SimpleAverage(windowLength('simpleAverage', window));
}

/**
 * The exponential moving average: what was known counts half as much after each half-life (`'30s'`, or ms). It moves at once and forgets
 * nothing abruptly, and it takes the same little memory whatever its half-life.
 *
 * @throws RangeError for a half-life that is no duration from 1 ms to 24 h
 *
 * @example
 * state: () => ({ fast: exponentialAverage('10s'), slow: exponentialAverage('2m') }),
 * decide({ market, state, now }) {
 *   const [favourite] = favourites(market);
 *   const fast = state.fast.add(now, favourite?.lastPrice) ?? 0;
 *   const slow = state.slow.add(now, favourite?.lastPrice) ?? 0;
 *   return favourite !== undefined && fast < slow ? [back(favourite, { stake: 2 })] : [];
 * },
 */
export function exponentialAverage(halfLife: string | number): MovingAverage {
  return new ExponentialAverage(windowLength('exponentialAverage', halfLife));
}

class SimpleAverage implements MovingAverage {
  readonly #windowMs: number;
  /** The values that held within the window, and since when; the last one holds still. */
  readonly #at: number[] = [];
  readonly #values: number[] = [];
  /** Place of the oldest one that counts. */
  #head = 0;
  /** Sum of value × ms over the window. */
  #area = 0;
  #firstAt = Number.NaN;
  /** The instants at which the window begins and ends. */
  #from = Number.NaN;
  #now = Number.NaN;

  constructor(windowMs: number) {
    this.#windowMs = windowMs;
    Object.freeze(this);
  }

  get value(): number | undefined {
    const { length } = this.#values;
    if (length === 0) return undefined;
    const span = this.#now - this.#from;
    return span > 0 ? this.#area / span : this.#values[length - 1];
  }

  get isFull(): boolean {
    return this.#now - this.#firstAt >= this.#windowMs;
  }

  add(now: number, value: number | undefined): number | undefined {
    this.#moveTo(now);
    if (value !== undefined && Number.isFinite(value)) this.#become(value);
    return this.value;
  }

  /** The last value held until now, and what is older than the window leaves it. */
  #moveTo(now: number): void {
    // A clock that was set back stands still until it has caught up, also before the first value.
    if (now <= this.#now) return;
    const held = this.#values[this.#values.length - 1];
    if (held !== undefined) this.#area += held * (now - this.#now);
    this.#now = now;
    if (held === undefined) return;
    const from = Math.max(this.#firstAt, now - this.#windowMs);
    while (this.#from < from) {
      const until = Math.min(this.#at[this.#head + 1] ?? from, from);
      this.#area -= (this.#values[this.#head] ?? 0) * (until - this.#from);
      this.#from = until;
      if (this.#at[this.#head + 1] === until) this.#head += 1;
    }
    if (this.#head > COMPACTED_FROM && this.#head * 2 > this.#at.length) this.#compact();
  }

  #become(value: number): void {
    const { length } = this.#values;
    if (length === 0) {
      this.#firstAt = this.#now;
      this.#from = this.#now;
    } else if (this.#values[length - 1] === value) return;
    else if (this.#at[length - 1] === this.#now) {
      this.#values[length - 1] = value;
      return;
    }
    this.#at.push(this.#now);
    this.#values.push(value);
  }

  #compact(): void {
    this.#at.splice(0, this.#head);
    this.#values.splice(0, this.#head);
    this.#head = 0;
  }
}

/** So many values may have left the window before their places are used again. */
const COMPACTED_FROM = 256;
/** After so many half-lives the first value counts less than a sixteenth. */
const FULL_AFTER = 4;

class ExponentialAverage implements MovingAverage {
  readonly #halfLifeMs: number;
  #average: number | undefined;
  /** The value that holds now. */
  #held = 0;
  #firstAt = Number.NaN;
  #now = Number.NaN;

  constructor(halfLifeMs: number) {
    this.#halfLifeMs = halfLifeMs;
    Object.freeze(this);
  }

  get value(): number | undefined {
    return this.#average;
  }

  get isFull(): boolean {
    return this.#now - this.#firstAt >= FULL_AFTER * this.#halfLifeMs;
  }

  add(now: number, value: number | undefined): number | undefined {
    if (!(now <= this.#now)) {
      if (this.#average !== undefined) {
        const left = halved((now - this.#now) / this.#halfLifeMs);
        this.#average = this.#held + (this.#average - this.#held) * left;
      }
      this.#now = now;
    }
    if (value === undefined || !Number.isFinite(value)) return this.#average;
    if (this.#average === undefined) {
      this.#average = value;
      this.#firstAt = this.#now;
    }
    this.#held = value;
    return this.#average;
  }
}

closeClass(SimpleAverage);
closeClass(ExponentialAverage);
