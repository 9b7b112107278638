/** The prices of one market, whether they are streamed or polled. */

import { assert } from '../../core/checks/assert.ts';
import { TICK_COUNT } from '../../core/number/ladder.ts';
import type { Instant, Money } from '../../core/number/units.ts';
import type { SideIndex } from '../../core/side.ts';
import { PriceLadders } from './price-ladders.ts';

/**
 * Readers take indexes: outcomes in the order given, sides resting. Amounts are backers' stake. Whoever reads an update
 * clears what it replaces, sets its levels, and ends it with `taken`.
 */
export class MarketPrices {
  readonly #outcomes: ReadonlyMap<string, number>;
  readonly #ladders: PriceLadders;
  readonly #traded: Float64Array;
  /** By outcome, side and tick, as the last polled book has it. */
  readonly #matched: Float64Array;
  #isPolled = false;
  #version = 0;
  #isKnown = false;
  #validAt: Instant | undefined;

  /** `outcomeIds` in the market's own order, which is what outcomes' indexes mean. */
  constructor(outcomeIds: readonly string[]) {
    this.#outcomes = new Map(outcomeIds.map((id, index) => [id, index]));
    assert(this.#outcomes.size === outcomeIds.length && outcomeIds.length > 0, 'a market has outcomes, each once');
    this.#ladders = new PriceLadders(outcomeIds.length);
    this.#traded = new Float64Array(outcomeIds.length);
    this.#matched = new Float64Array(outcomeIds.length * 2 * TICK_COUNT);
  }

  /** Counts the updates that were taken; equal versions mean equal prices. */
  get version(): number {
    return this.#version;
  }

  /** Whether the levels are all there is: false before the first snapshot and after `forget`. */
  get isKnown(): boolean {
    return this.#isKnown;
  }

  /** When the newest prices were published, as far as the exchange tells; polled books do not. */
  get validAt(): Instant | undefined {
    return this.#validAt;
  }

  /** Whether the newest prices were read over REST, and not heard by the stream. */
  get isPolled(): boolean {
    return this.#isPolled;
  }

  /** Undefined for an id that is none of the market's outcomes. */
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

  /** Stake matched on an outcome by the last polled book; the stream does not tell it. */
  traded(outcome: number): Money {
    return (this.#traded[outcome] ?? 0) as Money;
  }

  /** Stake matched at a level since the market opened, by the last polled book; what was matched off the ladder is in `traded` alone. */
  matchedAt(outcome: number, side: SideIndex, tick: number): Money {
    return (this.#matched[(outcome * 2 + side) * TICK_COUNT + tick] ?? 0) as Money;
  }

  /** Empties all levels: those set next are all there is. */
  clearLevels(): void {
    this.#ladders.clear();
  }

  /** An amount of 0 empties the level. */
  setLevel(outcome: number, side: SideIndex, tick: number, amount: Money): void {
    this.#ladders.set(outcome, side, tick, amount);
  }

  /** Nothing was traded and nothing matched, until it is told again. */
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

  /** When some of the levels were published. An update may be older than what is known; the newest moment stays. */
  published(at: Instant): void {
    if (at > (this.#validAt ?? Number.NEGATIVE_INFINITY)) this.#validAt = at;
  }

  /** An update was read to its end. */
  taken(source: 'stream' | 'poll'): void {
    this.#isKnown = true;
    this.#version += 1;
    this.#isPolled = source === 'poll';
  }

  /** Nothing rests as far as we know, until the next snapshot: for prices that can no longer be kept up. */
  forget(): void {
    this.#ladders.clear();
    this.#isKnown = false;
    this.#version += 1;
  }
}
