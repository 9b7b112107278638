/** Plays one market: which instant is shown, where it goes next, and what must be there for it. */

import type { ViewMarket } from '../../../pages/view-data.ts';
import { countUpTo, type PartReel } from './book.ts';
import { ownInstants } from './own.ts';
import type { PartCache } from './part-cache.ts';

/** Times as fast as it was; `each` shows one update after another. */
export const SPEEDS = ['1', '5', '20', '100', '500', 'each'] as const;
export type Speed = (typeof SPEEDS)[number];
/** Forward, backward, or standing. */
export type Direction = 1 | -1 | 0;

/** Each update is shown this long where one after another is. */
const EACH_MS = 125;
/** After a pause of the browser no market time is skipped. */
const FRAME_MS_MAX = 250;
const AHEAD = 2;

export class Player {
  readonly market: ViewMarket;
  /** Instants of own events, ascending. */
  readonly own: Float64Array;
  readonly #cache: PartCache;
  #at: number;
  /** The place to reach as soon as the parts for it are there: an instant, or the last update of a part. */
  #goal: number | { readonly lastOf: number } | undefined;
  #speed: Speed = '5';
  #direction: Direction = 0;
  #sinceStep = 0;

  constructor(market: ViewMarket, cache: PartCache, at: number) {
    this.market = market;
    this.own = ownInstants(market);
    this.#cache = cache;
    this.#at = this.#within(at);
    this.#goal = this.#at;
  }

  /** The instant that is shown: everything needed for it is there. */
  get at(): number {
    return this.#at;
  }

  /** What is waited for. */
  get goal(): number | undefined {
    return typeof this.#goal === 'object' ? this.market.parts[this.#goal.lastOf] : this.#goal;
  }

  get isWaiting(): boolean {
    return this.#goal !== undefined;
  }

  get speed(): Speed {
    return this.#speed;
  }

  get direction(): Direction {
    return this.#direction;
  }

  /** The book at the shown instant; undefined until the first part is there. */
  get reel(): PartReel | undefined {
    const reel = this.#cache.get(this.#partOf(this.#at));
    reel?.seek(this.#at);
    return reel;
  }

  setSpeed(speed: Speed): void {
    this.#speed = speed;
    this.#sinceStep = 0;
  }

  faster(by: 1 | -1): void {
    this.setSpeed(SPEEDS[SPEEDS.indexOf(this.#speed) + by] ?? this.#speed);
  }

  /** Playing on from an end begins at the other one. */
  play(direction: Direction): void {
    const { firstAt, lastAt } = this.market;
    if (direction === 1 && this.#at >= lastAt) this.seek(firstAt);
    if (direction === -1 && this.#at <= firstAt) this.seek(lastAt);
    // A pause stays where it was pressed, and does not leap to where it would have played.
    if (direction === 0 && this.#direction !== 0 && this.#cache.get(this.#partOf(this.#at)) !== undefined)
      this.#goal = undefined;
    this.#direction = direction;
    this.#sinceStep = 0;
    this.#want();
  }

  seek(at: number): void {
    this.#goal = this.#within(at);
    this.settle();
  }

  /** One update forward or backward. */
  step(direction: 1 | -1): void {
    if (this.#goal !== undefined) return;
    const { parts } = this.market;
    const part = this.#partOf(this.#at);
    const times = this.#cache.get(part)?.at;
    if (times === undefined) return;
    const index = direction === 1 ? countUpTo(times, this.#at) : countBefore(times, this.#at) - 1;
    const at = times[index];
    if (at !== undefined) return this.seek(at);
    if (direction === 1) {
      const next = parts[part + 1];
      if (next === undefined) this.#direction = 0;
      else this.seek(next);
    } else if (part === 0) this.#direction = 0;
    else {
      this.#goal = { lastOf: part - 1 };
      this.settle();
    }
  }

  /** Steps by hand: what plays is paused. */
  stepOnce(direction: 1 | -1): void {
    this.#direction = 0;
    this.step(direction);
  }

  /** Steps by hand to the next or previous instant at which something happened to an own order. */
  stepOwn(direction: 1 | -1): void {
    const at = this.ownInstant(direction);
    if (at === undefined) return;
    this.#direction = 0;
    this.seek(at);
  }

  /** The instant of the next or previous own event; undefined where there is none. */
  ownInstant(direction: 1 | -1): number | undefined {
    const from = typeof this.#goal === 'number' ? this.#goal : this.#at;
    return this.own[direction === 1 ? countUpTo(this.own, from) : countBefore(this.own, from) - 1];
  }

  /** Market time goes on by what passed in the page; it stands still while a part is missing. */
  tick(ms: number): void {
    if (this.#direction === 0) return;
    const passed = Math.min(ms, FRAME_MS_MAX);
    if (this.#goal !== undefined) return this.settle();
    if (this.#speed === 'each') {
      this.#sinceStep += passed;
      if (this.#sinceStep < EACH_MS) return;
      this.#sinceStep = 0;
      this.step(this.#direction);
    } else this.seek(this.#at + this.#direction * passed * Number(this.#speed));
    const { firstAt, lastAt } = this.market;
    if (this.#at >= lastAt && this.#direction === 1) this.#direction = 0;
    if (this.#at <= firstAt && this.#direction === -1) this.#direction = 0;
  }

  /** Goes to the goal if its part is there; else the part is asked for. */
  settle(): void {
    if (typeof this.#goal === 'object') {
      const last = this.#cache.get(this.#goal.lastOf)?.at.at(-1);
      if (last !== undefined) this.#goal = last;
    }
    if (typeof this.#goal === 'number' && this.#cache.get(this.#partOf(this.#goal)) !== undefined) {
      this.#at = this.#goal;
      this.#goal = undefined;
    }
    this.#want();
  }

  #want(): void {
    const goal = this.#goal ?? this.#at;
    const part = typeof goal === 'object' ? goal.lastOf : this.#partOf(goal);
    const ahead = this.#direction === -1 ? -1 : 1;
    const wanted = [part];
    for (let step = 1; step <= AHEAD; step += 1) wanted.push(part + ahead * step);
    wanted.push(part - ahead);
    this.#cache.want(wanted.filter((each) => each >= 0 && each < this.market.parts.length));
  }

  #partOf(at: number): number {
    return Math.max(0, countUpTo(this.market.parts, at) - 1);
  }

  #within(at: number): number {
    const { firstAt, lastAt } = this.market;
    return Math.round(Math.min(lastAt, Math.max(firstAt, at)));
  }
}

/** How many of the ascending times are before `at`. */
function countBefore(times: ArrayLike<number>, at: number): number {
  return countUpTo(times, at - 0.5);
}
