/** The prices of one market, whether they are streamed or polled. */

import { assert } from '../../core/checks/assert.ts';
import { TICK_COUNT } from '../../core/number/ladder.ts';
import { type Instant, type Money, ZERO } from '../../core/number/units.ts';
import { AGAINST, FOR, type SideIndex } from '../../core/side.ts';
import { partFromWire, tickFromWire } from '../../wire/decimals.ts';
import { WIRE_FAULTS } from '../../wire/fault.ts';
import { instantFromWire } from '../../wire/instants.ts';
import type { Read } from '../../wire/notation.ts';
import type { PriceBook } from '../../wire/prices.ts';
import { PriceLadders } from './price-ladders.ts';
import type { StreamUpdate } from './stream-event.ts';

export type PriceUpdate = Extract<StreamUpdate, { readonly type: 'MarketPriceUpdate' }>;
export type PolledBook = Read<typeof PriceBook>;

export const PRICE_FAULTS = {
  ...WIRE_FAULTS,
  UNKNOWN_MARKET: 'nobody has asked for the prices of this market',
  UNKNOWN_OUTCOME: 'the market has no such outcome',
  UNKNOWN_SIDE: 'the side is neither For nor Against',
  UNKNOWN_UPDATE: 'the update is neither a snapshot nor an increment',
  NO_SNAPSHOT: 'an increment came while there is nothing to add it to',
} as const;

/** A part of an update that was passed over; all else of the update holds. */
export interface PriceFault {
  readonly code: keyof typeof PRICE_FAULTS;
  /** `prices[3]`; empty for the whole. */
  readonly path: string;
}

interface Row {
  readonly side: string;
  readonly outcomeId: string;
  readonly price: number;
}

/** Readers take indexes: outcomes in the order given, sides resting. Amounts are backers' stake. */
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

  /** Whether the newest prices were read over REST, and not heard by the stream. */
  get isPolled(): boolean {
    return this.#isPolled;
  }

  /** A snapshot replaces all levels; an increment sets those that it names. */
  fold(update: PriceUpdate): readonly PriceFault[] {
    const isSnapshot = update.updateType === 'Snapshot';
    if (!isSnapshot && update.updateType !== 'Incremental') return [{ code: 'UNKNOWN_UPDATE', path: '' }];
    if (!isSnapshot && !this.#isKnown) return [{ code: 'NO_SNAPSHOT', path: '' }];
    const faults: PriceFault[] = [];
    if (isSnapshot) this.#ladders.clear();
    let validText = '';
    for (const [index, level] of update.prices.entries()) {
      this.#setLevel(level, level.liquidity, index, faults);
      // The levels of an update mostly share their moment, and reading it is what costs.
      if (level.validAt !== validText) this.#hear(level.validAt);
      validText = level.validAt;
    }
    this.#taken();
    this.#isPolled = false;
    return faults;
  }

  /** A polled book replaces all levels, and what was traded. */
  replace(book: PolledBook): readonly PriceFault[] {
    const faults: PriceFault[] = [];
    this.#ladders.clear();
    this.#traded.fill(0);
    this.#matched.fill(0);
    for (const [index, row] of book.prices.entries()) {
      this.#setLevel(row, row.amount, index, faults);
      this.#addTraded(row, row.matched, index, faults);
    }
    this.#taken();
    this.#isPolled = true;
    return faults;
  }

  /** Nothing rests as far as we know, until the next snapshot: for prices that can no longer be kept up. */
  forget(): void {
    this.#ladders.clear();
    this.#isKnown = false;
    this.#version += 1;
  }

  #taken(): void {
    this.#isKnown = true;
    this.#version += 1;
  }

  /** A level whose amount makes no sense is emptied: nothing is sure to rest there. */
  #setLevel(row: Row, liquidity: number, index: number, faults: PriceFault[]): void {
    const path = `prices[${index}]`;
    const outcome = this.#outcomes.get(row.outcomeId);
    if (outcome === undefined) return addFault(faults, 'UNKNOWN_OUTCOME', path);
    const side = restingSide(row.side);
    if (side === undefined) return addFault(faults, 'UNKNOWN_SIDE', path);
    const tick = tickFromWire(row.price);
    if (tick.kind === 'faults') return addFault(faults, tick.faults[0].code, path);
    const amount = partFromWire(liquidity);
    if (amount.kind === 'faults') addFault(faults, amount.faults[0].code, path);
    this.#ladders.set(outcome, side, tick.value, amount.kind === 'read' ? amount.value : ZERO);
  }

  /** Also of levels off the ladder, since a fill may lie between its prices. */
  #addTraded(row: Row, matched: number, index: number, faults: PriceFault[]): void {
    const outcome = this.#outcomes.get(row.outcomeId);
    if (outcome === undefined) return;
    const amount = partFromWire(matched);
    if (amount.kind === 'faults') return addFault(faults, amount.faults[0].code, `prices[${index}].matched`);
    this.#traded[outcome] = (this.#traded[outcome] ?? 0) + amount.value;
    const side = restingSide(row.side);
    const tick = tickFromWire(row.price);
    if (side === undefined || tick.kind === 'faults') return;
    this.#matched[(outcome * 2 + side) * TICK_COUNT + tick.value] = amount.value;
  }

  /** An increment may be older than what is known; the newest moment stays. */
  #hear(validAt: string): void {
    const at = instantFromWire(validAt);
    if (at.kind === 'read' && at.value > (this.#validAt ?? Number.NEGATIVE_INFINITY)) this.#validAt = at.value;
  }
}

function restingSide(side: string): SideIndex | undefined {
  if (side === 'For') return FOR;
  return side === 'Against' ? AGAINST : undefined;
}

function addFault(faults: PriceFault[], code: PriceFault['code'], path: string): void {
  faults.push({ code, path });
}
