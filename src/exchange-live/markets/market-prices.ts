/** The prices of one market, whether they are streamed or polled. */

import { PriceLadders } from '../../core/book/price-ladders.ts';
import { assert } from '../../core/checks/assert.ts';
import { TICK_COUNT } from '../../core/number/ladder.ts';
import type { Instant, Money } from '../../core/number/units.ts';
import type { SideIndex } from '../../core/side.ts';

/**
 * Outcomes are given by index, in the order of the constructor's ids; sides are those of resting orders; amounts are backers'
 * stake. To apply an update, clear what it replaces, set its levels, and call `taken`.
 */
export class MarketPrices {
  readonly #outcomes: ReadonlyMap<string, number>;
  readonly #ladders: PriceLadders;
  readonly #traded: Float64Array;
  /** Matched stake by outcome, side and tick, from the last polled book. */
  readonly #matched: Float64Array;
  #isPolled = false;
  #isKnown = false;
  #validAt: Instant | undefined;

  /** `outcomeIds`: in the market's own order, which defines the outcomes' indexes. */
  constructor(outcomeIds: readonly string[]) {
    this.#outcomes = new Map(outcomeIds.map((id, index) => [id, index]));
    assert(this.#outcomes.size === outcomeIds.length && outcomeIds.length > 0, 'a market has outcomes, each once');
    this.#ladders = new PriceLadders(outcomeIds.length);
    this.#traded = new Float64Array(outcomeIds.length);
    this.#matched = new Float64Array(outcomeIds.length * 2 * TICK_COUNT);
  }

  /** Whether the levels are complete: false before the first snapshot. */
  get isKnown(): boolean {
    return this.#isKnown;
  }

  /** When the newest prices were published, as far as the exchange says; polled books do not say it. */
  get validAt(): Instant | undefined {
    return this.#validAt;
  }

  /** Whether the newest prices were read over REST and did not come from the stream. */
  get isPolled(): boolean {
    return this.#isPolled;
  }

  /** The index of an outcome; undefined if the market has no such outcome. */
  outcomeOf(id: string): number | undefined {
    return this.#outcomes.get(id);
  }

  bestTick(outcome: number, side: SideIndex): number {
    return this.#ladders.bestTick(outcome, side);
  }

  nextTick(outcome: number, side: SideIndex, tick: number): number {
    return this.#ladders.nextTick(outcome, side, tick);
  }

  amountAt(outcome: number, side: SideIndex, tick: number): Money {
    return this.#ladders.amountAt(outcome, side, tick);
  }

  /** Stake matched on an outcome, from the last polled book; the stream does not report it. */
  traded(outcome: number): Money {
    return (this.#traded[outcome] ?? 0) as Money;
  }

  /**
   * Stake matched at a level since the market opened, from the last polled book. What was matched off the ladder is only in
   * `traded`.
   */
  matchedAt(outcome: number, side: SideIndex, tick: number): Money {
    return (this.#matched[(outcome * 2 + side) * TICK_COUNT + tick] ?? 0) as Money;
  }

  /** Empties all levels: those that are set next are complete. */
  clearLevels(): void {
    this.#ladders.clear();
  }

  /** Sets the stake at a level; an amount of 0 empties it. */
  setLevel(outcome: number, side: SideIndex, tick: number, amount: Money): void {
    this.#ladders.set(outcome, side, tick, amount);
  }

  /** Sets all traded and matched amounts to zero. */
  clearTraded(): void {
    this.#traded.fill(0);
    this.#matched.fill(0);
  }

  addTraded(outcome: number, amount: Money): void {
    this.#traded[outcome] = (this.#traded[outcome] ?? 0) + amount;
  }

  setMatched(outcome: number, side: SideIndex, tick: number, amount: Money): void {
    this.#matched[(outcome * 2 + side) * TICK_COUNT + tick] = amount;
  }

  /** Notes when some of the levels were published. An update may be older than what is known: the newest time stays. */
  published(at: Instant): void {
    if (at > (this.#validAt ?? Number.NEGATIVE_INFINITY)) this.#validAt = at;
  }

  /** Ends an update. */
  taken(source: 'stream' | 'poll'): void {
    this.#isKnown = true;
    this.#isPolled = source === 'poll';
  }
}
