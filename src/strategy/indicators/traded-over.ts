/** Prices weighted by the stake that was traded at them: since the market opened, or within a window of time. */

import { closeClass } from '../views/closed-class.ts';
import type { OutcomeView } from '../views/views.ts';
import { windowLength } from './window-length.ts';

/**
 * The mean price at which the outcome was traded so far, each unit of stake counted alike; undefined where nothing was traded, or where the
 * source has no traded volume by price.
 *
 * @example
 * const fair = volumeWeightedPrice(outcome);
 * const isCheap = fair !== undefined && (outcome.bestPrice('Against') ?? 0) > fair;
 */
export function volumeWeightedPrice(outcome: OutcomeView): number | undefined {
  const { stake, payout } = totalOf(outcome);
  return stake > 0 ? payout / stake : undefined;
}

/** What was traded on an outcome within a window. */
export interface Traded {
  /** Stake traded within the window. */
  readonly stake: number;
  /** Its mean price, weighted by stake; undefined where nothing was traded. */
  readonly price: number | undefined;
}

/** Traded volume by window, kept in the `state` of a market and fed with `add`. */
export interface TradedOver {
  /** Reads the outcome's traded ladder as it is at `now`, and returns what was traded in the window that ends there. */
  add(now: number, outcome: OutcomeView): Traded;
  /** What was traded when `add` was called last. */
  readonly value: Traded;
  /** Whether the outcome was watched through the whole window. */
  readonly isFull: boolean;
}

/**
 * What is traded on one outcome within a window of time (`'1m'`, or ms), kept in the strategy's state of a market. Trades before the first
 * `add` do not count.
 *
 * @throws RangeError for a window that is no duration from 1 ms to 24 h
 *
 * @example
 * state: () => ({ traded: tradedOver('1m') }),
 * decide({ market, state, now }) {
 *   const [favourite] = favourites(market);
 *   if (favourite === undefined) return [];
 *   const { stake, price } = state.traded.add(now, favourite);
 *   return stake > 1000 && (favourite.bestAgainst?.price ?? 0) > (price ?? 0) ? [back(favourite, { stake: 2 })] : [];
 * },
 */
export function tradedOver(window: string | number): TradedOver {
  return new TradedInWindow(windowLength('tradedOver', window));
}

interface Total {
  readonly stake: number;
  /** Sum of stake × price. */
  readonly payout: number;
}

function totalOf(outcome: OutcomeView): Total {
  let [stake, payout] = [0, 0];
  for (const level of outcome.tradedLevels()) {
    stake += level.stake;
    payout += level.stake * level.price;
  }
  return { stake, payout };
}

const NOTHING: Traded = Object.freeze({ stake: 0, price: undefined });

class TradedInWindow implements TradedOver {
  readonly #windowMs: number;
  /** What had been traded in all from each of these times on. */
  readonly #at: number[] = [];
  readonly #totals: Total[] = [];
  /** Place of the total that held when the window began. */
  #head = 0;
  #lastTraded = Number.NaN;
  #firstAt = Number.NaN;
  #now = Number.NaN;
  #value: Traded = NOTHING;

  constructor(windowMs: number) {
    this.#windowMs = windowMs;
    Object.freeze(this);
  }

  get value(): Traded {
    return this.#value;
  }

  get isFull(): boolean {
    return this.#now - this.#firstAt >= this.#windowMs;
  }

  add(now: number, outcome: OutcomeView): Traded {
    if (!(now <= this.#now)) this.#now = now;
    if (Number.isNaN(this.#firstAt)) this.#firstAt = now;
    // Nearly always nothing was traded since: then the ladder is not read.
    const { traded } = outcome;
    if (traded !== this.#lastTraded) this.#note(traded, totalOf(outcome));
    while ((this.#at[this.#head + 1] ?? Number.POSITIVE_INFINITY) <= this.#now - this.#windowMs) this.#head += 1;
    if (this.#head > COMPACTED_FROM && this.#head * 2 > this.#at.length) this.#compact();
    this.#value = difference(this.#totals[this.#head], this.#totals.at(-1));
    return this.#value;
  }

  #note(traded: number, total: Total): void {
    // A source that begins to count anew has forgotten what was traded before.
    if (total.stake < (this.#totals.at(-1)?.stake ?? 0)) this.#forget();
    this.#lastTraded = traded;
    this.#at.push(this.#now);
    this.#totals.push(total);
  }

  #forget(): void {
    this.#at.length = 0;
    this.#totals.length = 0;
    this.#head = 0;
  }

  #compact(): void {
    this.#at.splice(0, this.#head);
    this.#totals.splice(0, this.#head);
    this.#head = 0;
  }
}

/** So many totals may have left the window before their places are used again. */
const COMPACTED_FROM = 256;

function difference(first: Total | undefined, last: Total | undefined): Traded {
  if (first === undefined || last === undefined || first === last) return NOTHING;
  const stake = last.stake - first.stake;
  return Object.freeze({ stake, price: stake > 0 ? (last.payout - first.payout) / stake : undefined });
}

closeClass(TradedInWindow);
