/** A part of a market's recording as its book at any instant of it: walked forward and backward, by what each event changed. */

import type { ViewEvent, ViewPart } from '../../../pages/view-data.ts';

/** Stakes by price in thousandths: exact keys. Nothing rests at a price that is not there. */
export interface OutcomeBook {
  readonly for: Map<number, number>;
  readonly against: Map<number, number>;
  readonly traded: Map<number, number>;
  /** Last traded price in thousandths. */
  last: number | undefined;
  /** Traded at all prices. */
  tradedSum: number;
}

export interface LevelChange {
  readonly kind: ViewEvent[0];
  readonly outcome: number;
  readonly price: number;
}

const KINDS: readonly ViewEvent[0][] = ['for', 'against', 'trade', 'last'];
const [FOR, AGAINST, TRADE] = [0, 1, 2];

export class PartReel {
  readonly part: number;
  /** The books after the updates that were applied: changed in place by `seek`. */
  readonly outcomes: readonly OutcomeBook[];
  /** The times of its updates, ascending. */
  readonly at: Float64Array;
  /** The first event of each update, and the end of the last one. */
  readonly #from: Int32Array;
  readonly #kind: Uint8Array;
  readonly #outcome: Uint16Array;
  readonly #price: Int32Array;
  /** What stood there before the event, and after it; NaN for no last price. */
  readonly #before: Float64Array;
  readonly #after: Float64Array;
  #applied = 0;

  constructor({ part, book, updates }: ViewPart) {
    this.part = part;
    this.outcomes = book.outcomes.map((outcome) => ({
      for: levels(outcome.for),
      against: levels(outcome.against),
      traded: levels(outcome.traded),
      last: outcome.last === undefined ? undefined : thousandths(outcome.last),
      tradedSum: exact(outcome.traded.reduce((sum, [, stake]) => sum + stake, 0)),
    }));
    this.at = Float64Array.from(updates, ({ at }) => at);
    this.#from = new Int32Array(updates.length + 1);
    const events = updates.reduce((sum, update) => sum + update.events.length, 0);
    this.#kind = new Uint8Array(events);
    this.#outcome = new Uint16Array(events);
    this.#price = new Int32Array(events);
    this.#before = new Float64Array(events);
    this.#after = new Float64Array(events);
    let next = 0;
    for (const [index, update] of updates.entries()) {
      for (const event of update.events) this.#learn(next++, event);
      this.#from[index + 1] = next;
    }
    this.#applied = updates.length;
  }

  /** How many of its updates the book holds. */
  get applied(): number {
    return this.#applied;
  }

  /** Brings the book to an instant: with all updates up to it, and none after. */
  seek(at: number): void {
    const wanted = countUpTo(this.at, at);
    for (; this.#applied < wanted; this.#applied += 1) {
      const to = this.#from[this.#applied + 1] ?? 0;
      for (let event = this.#from[this.#applied] ?? 0; event < to; event += 1) this.#set(event, this.#after);
    }
    for (; this.#applied > wanted; this.#applied -= 1) {
      const first = this.#from[this.#applied - 1] ?? 0;
      for (let event = (this.#from[this.#applied] ?? 0) - 1; event >= first; event -= 1) this.#set(event, this.#before);
    }
  }

  /** What the last applied update changed. */
  changes(): readonly LevelChange[] {
    const changes: LevelChange[] = [];
    if (this.#applied === 0) return changes;
    const to = this.#from[this.#applied] ?? 0;
    for (let event = this.#from[this.#applied - 1] ?? 0; event < to; event += 1) {
      if (Object.is(this.#before[event], this.#after[event])) continue;
      const kind = KINDS[this.#kind[event] ?? 0] ?? 'last';
      changes.push({ kind, outcome: this.#outcome[event] ?? 0, price: this.#price[event] ?? 0 });
    }
    return changes;
  }

  /** Applies an event for the first time, and keeps what stood there before. */
  #learn(event: number, [kind, outcome, price, stake]: ViewEvent): void {
    const code = KINDS.indexOf(kind);
    const at = thousandths(price);
    this.#kind[event] = code;
    this.#outcome[event] = outcome;
    this.#price[event] = at;
    const book = this.outcomes[outcome];
    if (book === undefined) return;
    if (code === FOR || code === AGAINST) {
      this.#before[event] = sideOf(book, code).get(at) ?? 0;
      this.#after[event] = stake;
    } else if (code === TRADE) {
      const before = book.traded.get(at) ?? 0;
      this.#before[event] = before;
      this.#after[event] = exact(before + stake);
    } else {
      this.#before[event] = book.last ?? Number.NaN;
      this.#after[event] = at;
    }
    this.#set(event, this.#after);
  }

  #set(event: number, values: Float64Array): void {
    const book = this.outcomes[this.#outcome[event] ?? 0];
    if (book === undefined) return;
    const code = this.#kind[event] ?? 0;
    const price = this.#price[event] ?? 0;
    const value = values[event] ?? 0;
    if (code === FOR || code === AGAINST) put(sideOf(book, code), price, value);
    else if (code === TRADE) {
      book.tradedSum = exact(book.tradedSum + value - (book.traded.get(price) ?? 0));
      put(book.traded, price, value);
    } else book.last = Number.isNaN(value) ? undefined : value;
  }
}

/** The best price of a side for its taker, in thousandths: the lowest of resting For stake, the highest of resting Against stake. */
export function bestOf(book: OutcomeBook, side: 'for' | 'against'): number | undefined {
  let best: number | undefined;
  for (const price of book[side].keys())
    if (best === undefined || (side === 'for' ? price < best : price > best)) best = price;
  return best;
}

/** How many of the ascending times are not after `at`. */
export function countUpTo(times: ArrayLike<number>, at: number): number {
  let [low, high] = [0, times.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((times[middle] ?? 0) <= at) low = middle + 1;
    else high = middle;
  }
  return low;
}

export function thousandths(price: number): number {
  return Math.round(price * 1000);
}

/** Stakes are decimals of millionths: sums are brought back onto them, so that no order of adding shows. */
export function exact(stake: number): number {
  return Math.round(stake * 1e6) / 1e6;
}

function sideOf(book: OutcomeBook, code: number): Map<number, number> {
  return code === FOR ? book.for : book.against;
}

function put(levels: Map<number, number>, price: number, stake: number): void {
  if (stake === 0) levels.delete(price);
  else levels.set(price, stake);
}

function levels(pairs: readonly (readonly [price: number, stake: number])[]): Map<number, number> {
  return new Map(pairs.map(([price, stake]) => [thousandths(price), stake]));
}
