/** The prices of one market, whether they are streamed or polled. */

import { PriceLadders } from '../../core/book/price-ladders.ts';
import { assert } from '../../core/checks/assert.ts';
import type { StartingPriceKind } from '../../core/market.ts';
import { NO_TICK, TICK_COUNT } from '../../core/number/ladder.ts';
import { type Instant, type Money, type Price, ZERO } from '../../core/number/units.ts';
import { AGAINST, FOR, type SideIndex } from '../../core/side.ts';
import { type Untold, UntoldLevels } from './untold-levels.ts';

/** A level as the exchange says that it is: an outcome's index, the side of resting orders, and the backer's stake. */
export interface PriceLevel {
  readonly outcome: number;
  readonly side: SideIndex;
  readonly tick: number;
  readonly amount: Money;
}

/** When the exchange made a message, by its clock, and when it was received, by ours. */
export interface Told {
  readonly at: Instant;
  readonly receivedAt: number;
}

/** A reading: when it was asked for by our clock, and what the exchange's showed then at least. */
export interface Asked {
  readonly since: number;
  readonly earliest: number;
  /** Whether some of its levels could not be read: then the book shows less than there is. */
  readonly isPartial?: boolean;
}

/**
 * Outcomes are given by index, in the order of the constructor's ids; sides are those of resting orders; amounts are backers'
 * stake. What is streamed is laid over what was read level by level, and nothing older over anything newer: a message may be late,
 * come twice, or be overtaken.
 */
export class MarketPrices {
  readonly #outcomes: ReadonlyMap<string, number>;
  readonly #ladders: PriceLadders;
  readonly #traded: Float64Array;
  /** Matched stake by outcome, side and tick, from the last polled book. */
  readonly #matched: Float64Array;
  /** By outcome, side and tick: what the stream said last of a level, by the exchange's time. */
  readonly #told = new Map<number, PriceLevel & Told>();
  readonly #untold = new UntoldLevels();
  readonly #lastPrices: (Price | undefined)[] = [];
  /** By outcome and kind. */
  readonly #startingPrices = new Map<string, Price>();
  /** The newest reading of the whole book. */
  #asked: Asked = { since: Number.NEGATIVE_INFINITY, earliest: Number.NEGATIVE_INFINITY };
  #snapshot: Told | undefined;
  #isPolled = false;
  #isKnown = false;
  /** Whether all levels of the last book that was read could be read. */
  #isWhole = false;
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

  /** When the newest streamed prices were published; books that are read do not say it. */
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
    return (this.#matched[cellOf({ outcome, side, tick })] ?? 0) as Money;
  }

  /** Price of the last trade; undefined where the exchange tells none. */
  lastPrice(outcome: number): Price | undefined {
    return this.#lastPrices[outcome];
  }

  /** As the exchange has shown it by now; undefined where it tells none. */
  startingPrice(outcome: number, which: StartingPriceKind): Price | undefined {
    return this.#startingPrices.get(`${outcome} ${which}`);
  }

  /** When the newest book that was read was asked for, ms on our clock; minus infinity before the first. */
  get readAt(): number {
    return this.#asked.since;
  }

  /**
   * Whether a level, as it is known, shows the state that an order of ours took on `at` a time of the exchange's clock. A streamed level says
   * when it was so. A book that was read does not: it shows what was known when it was asked for, or was so by then for certain. What
   * happened while it was on its way counts from the next reading on.
   */
  shows(level: Omit<PriceLevel, 'amount'>, state: { readonly at: Instant; readonly knownAt: number }): boolean {
    const told = this.#told.get(cellOf(level));
    if (told !== undefined && isSince(told, this.#asked)) return state.at <= told.at;
    return state.knownAt <= this.#asked.since || state.at <= this.#asked.earliest;
  }

  /** The stream spoke of these levels, or of the whole book, whether or not it is new enough to be taken. */
  hear(levels: readonly PriceLevel[], { isWhole, receivedAt }: { isWhole: boolean; receivedAt: number }): void {
    for (const level of levels) this.#untold.heard(cellOf(level), receivedAt);
    if (isWhole) this.#untold.heardWhole(receivedAt);
  }

  /** The stream missed something that it tells by itself: until it speaks again, nothing is expected of it. */
  forgetHeard(): void {
    this.#untold.clear();
  }

  /** Takes a streamed level, unless a newer one is known. Before the first whole book it is kept, to be laid over that. */
  tell(level: PriceLevel, told: Told): void {
    const cell = cellOf(level);
    const known = this.#told.get(cell);
    if (known !== undefined && known.at > told.at) return;
    this.#told.set(cell, { ...level, ...told });
    this.#set(level);
    this.#isPolled = false;
    if (told.at > (this.#validAt ?? Number.NEGATIVE_INFINITY)) this.#validAt = told.at;
  }

  /** Takes a streamed book, which is whole: a level that it does not name is empty. */
  tellWhole(levels: readonly PriceLevel[], told: Told): void {
    const empty = this.#held().map((level) => ({ ...level, amount: ZERO }));
    this.#isKnown = true;
    this.#snapshot = told;
    // The levels that it names are set last.
    for (const level of [...empty, ...levels]) this.tell(level, told);
  }

  /**
   * Takes a book that was read. What the stream said since it was asked for is laid over it, since that may be newer; a streamed book
   * that came since then is whole by itself. Returns what earlier readings corrected and the stream never told.
   */
  read(levels: readonly PriceLevel[], asked: Asked): Untold | undefined {
    const { since, isPartial = false } = asked;
    const before = this.#untold.isStreamed && this.#isWhole && !isPartial ? this.#amounts() : undefined;
    if (this.#snapshot === undefined || !isSince(this.#snapshot, asked)) {
      this.#ladders.clear();
      for (const level of levels) this.#set(level);
      for (const level of this.#told.values()) if (isSince(level, asked)) this.#set(level);
    }
    for (const [cell, { at }] of this.#told) if (at < asked.earliest) this.#told.delete(cell);
    const from = this.#asked.since;
    this.#asked = asked;
    this.#isKnown = true;
    this.#isWhole = !isPartial;
    this.#isPolled = true;
    return before && this.#untold.corrected({ cells: differing(before, this.#amounts()), from, to: since });
  }

  #amounts(): ReadonlyMap<number, number> {
    return new Map(this.#held().map((at) => [cellOf(at), this.amountAt(at.outcome, at.side, at.tick)]));
  }

  #held(): readonly Omit<PriceLevel, 'amount'>[] {
    const held: Omit<PriceLevel, 'amount'>[] = [];
    for (let outcome = 0; outcome < this.#outcomes.size; outcome += 1)
      for (const side of [FOR, AGAINST])
        for (let tick = this.bestTick(outcome, side); tick !== NO_TICK; tick = this.nextTick(outcome, side, tick))
          held.push({ outcome, side, tick });
    return held;
  }

  #set({ outcome, side, tick, amount }: PriceLevel): void {
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

  setLastPrice(outcome: number, price: Price): void {
    this.#lastPrices[outcome] = price;
  }

  setStartingPrice(outcome: number, which: StartingPriceKind, price: Price): void {
    this.#startingPrices.set(`${outcome} ${which}`, price);
  }

  setMatched(outcome: number, side: SideIndex, tick: number, amount: Money): void {
    this.#matched[cellOf({ outcome, side, tick })] = amount;
  }
}

function cellOf({ outcome, side, tick }: Omit<PriceLevel, 'amount'>): number {
  return (outcome * 2 + side) * TICK_COUNT + tick;
}

/** The cells of which the two do not say the same. */
function differing(one: ReadonlyMap<number, number>, other: ReadonlyMap<number, number>): readonly number[] {
  return [...new Set([...one.keys(), ...other.keys()])].filter((cell) => one.get(cell) !== other.get(cell));
}

/** Whether it may be newer than the reading's answer. */
function isSince({ at, receivedAt }: Told, { since, earliest }: Asked): boolean {
  return receivedAt >= since && at >= earliest;
}
