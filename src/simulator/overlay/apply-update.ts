/** Applies one recorded update to a market's recorded book and to all its fill models in a single walk. */

import { AGAINST, FOR, type SideIndex } from '../../core/side.ts';
import { grownFloats, grownInts } from '../../matching/columns/columns.ts';
import type { PendingUpdate, RecordSink } from '../../recording/segment/update.ts';
import { cellOf } from './level-cell.ts';
import type { OverlayLiquidity } from './overlay-liquidity.ts';
import { RecordedBook } from './recorded-book.ts';
import { ReachingTrades } from './trades-at-own-price.ts';

const NO_SIDE = -1;
const NO_BOOK = new RecordedBook(1);
const NO_MODELS: readonly OverlayLiquidity[] = [];

/** The prices of an update, and when it was published. */
type Prices = Pick<PendingUpdate, 'publishedAt' | 'recordInto'>;

/**
 * Returns whether the update may have changed an order of ours. Definitions are the caller's business: call `pause` or
 * `resume` of the models (and inform the exchange of the rest) before this. Everything due by then must have been done,
 * because a fill must not set off a placement.
 */
export function applyUpdate(book: RecordedBook, models: readonly OverlayLiquidity[], update: Prices): boolean {
  return areIdle(models) ? applyToBook(book, update) : applyToModels(book, models, update);
}

/**
 * Applies an update where all models are idle. Where no order of ours lies over the recorded book, no model has
 * anything to do, and a trade leaves its level as it was: what the trade took either came back or is set by the update
 * itself.
 */
export function applyToBook(book: RecordedBook, update: Prices): false {
  if (book.window !== undefined) book.window.updateBegins(update.publishedAt);
  update.recordInto(book);
  return false;
}

/** Applies an update where at least one model is not idle. */
export function applyToModels(book: RecordedBook, models: readonly OverlayLiquidity[], update: Prices): true {
  for (let i = 0; i < models.length; i += 1) models[i]?.updateBegins();
  if (book.window !== undefined) book.window.updateBegins(update.publishedAt);
  overlay.begin(book, models);
  try {
    readPrices(update);
    overlay.end();
  } finally {
    overlay.letGo();
  }
  for (let i = 0; i < models.length; i += 1) models[i]?.updateEnded();
  return true;
}

/** Whether no model has anything to do with what an update says. */
export function areIdle(models: readonly OverlayLiquidity[]): boolean {
  for (let i = 0; i < models.length; i += 1) if (models[i]?.isIdle === false) return false;
  return true;
}

/**
 * Reads an update into the book and the models. What reading throws is reported as damage of the tape; an error of an
 * exchange that is filled meanwhile must not be, so it is kept aside and thrown instead.
 */
function readPrices(update: Prices): void {
  try {
    update.recordInto(overlay);
  } catch (error) {
    throw overlay.failure === undefined ? error : overlay.failure.error;
  }
}

/** Takes what an update says to the book, and to the models wherever it can matter to one of them. */
class Overlay implements RecordSink {
  #book = NO_BOOK;
  #models = NO_MODELS;
  /** The trades of the current run: none of them is applied before all of them are known. */
  readonly #trades = new ReachingTrades();
  readonly #traded = new TradedLevels();
  /** What a model or one of its listeners threw. */
  failure: { readonly error: unknown } | undefined;

  begin(book: RecordedBook, models: readonly OverlayLiquidity[]): void {
    this.#book = book;
    this.#models = models;
    this.#trades.clear();
    this.#traded.clear();
  }

  /** Drops the references, so that a market that has ended can be collected. */
  letGo(): void {
    this.#book = NO_BOOK;
    this.#models = NO_MODELS;
    this.failure = undefined;
  }

  end(): void {
    if (this.#trades.count > 0) this.#applyTrades();
    if (this.#traded.count > 0) this.#refillTraded();
  }

  setLevel(outcome: number, side: SideIndex, tick: number, stake: number): void {
    try {
      if (this.#trades.count > 0) this.#applyTrades();
      if (this.#traded.count > 0) this.#traded.markSet(cellOf(outcome, side, tick));
      // Most levels are nowhere near our orders, and no model has anything to do there.
      if (this.#isReached(outcome, tick)) this.#setLevel(cellOf(outcome, side, tick), stake);
      else this.#book.setLevel(outcome, side, tick, stake);
    } catch (error) {
      throw this.#failed(error);
    }
  }

  /**
   * Notes a trade. A trade that reaches no order of ours leaves its level as it was: what it took either came back or
   * is set by the update itself.
   */
  addTraded(outcome: number, tick: number, stake: number): void {
    this.#book.addTraded(outcome, tick, stake);
    if (this.#isReached(outcome, tick)) this.#trades.add(outcome, tick, stake);
  }

  setLastTick(outcome: number, tick: number): void {
    try {
      if (this.#trades.count > 0) this.#applyTrades();
      this.#book.setLastTick(outcome, tick);
      for (let i = 0; i < this.#models.length; i += 1) this.#models[i]?.lastPrice(outcome, tick);
    } catch (error) {
      throw this.#failed(error);
    }
  }

  /** Touches no order: orders at the starting price are not simulated. */
  setStartingPrice(outcome: number, which: number, thousandths: number): void {
    this.#book.setStartingPrice(outcome, which, thousandths);
  }

  #failed(error: unknown): unknown {
    this.failure = { error };
    return error;
  }

  /**
   * Whether a change at a price can matter to a model. What cannot be reached now cannot be reached later in the same
   * update.
   */
  #isReached(outcome: number, tick: number): boolean {
    for (let i = 0; i < this.#models.length; i += 1)
      if (this.#models[i]?.isReached(outcome, tick) === true) return true;
    return false;
  }

  /**
   * Applies the trades of the run. The tape cannot sort trades by side where nothing was displayed at their price, so
   * they are sorted here.
   */
  #applyTrades(): void {
    const trades = this.#trades;
    for (let k = 0; k < 2; k += 1) {
      const side = k === 0 ? AGAINST : FOR;
      trades.sortBestFirst(side);
      for (let place = 0; place < trades.count; place += 1) this.#applyTrade(trades.at(place), side);
    }
    trades.clear();
  }

  /** Applies a trade if its resting side is the given one, or may be: without displayed stake, our orders decide. */
  #applyTrade(trade: number, side: SideIndex): void {
    const outcome = this.#trades.outcome(trade);
    const tick = this.#trades.tick(trade);
    const stake = this.#trades.stake(trade);
    const displayed = this.#displayedSide(outcome, tick);
    if (displayed !== NO_SIDE && displayed !== side) return;
    const cell = cellOf(outcome, side, tick);
    const models = this.#models;
    if (displayed === NO_SIDE) {
      // Our resting orders do not cross each other where they may meet, so at most one side has any at or through the
      // price.
      for (let i = 0; i < models.length; i += 1) models[i]?.hiddenTrade(cell, stake);
      return;
    }
    for (let i = 0; i < models.length; i += 1) models[i]?.trade(cell, stake);
    const held = this.#book.stakeAt(cell);
    this.#traded.note(cell, held);
    this.#book.setStake(cell, held - Math.min(stake, held));
  }

  /** The side that displayed stake at a price before this update. */
  #displayedSide(outcome: number, tick: number): number {
    const against = this.#stakeBefore(cellOf(outcome, AGAINST, tick));
    const forStake = this.#stakeBefore(cellOf(outcome, FOR, tick));
    if (against === 0 && forStake === 0) return NO_SIDE;
    return against >= forStake ? AGAINST : FOR;
  }

  #stakeBefore(cell: number): number {
    const at = this.#traded.indexOf(cell);
    return at === -1 ? this.#book.stakeAt(cell) : this.#traded.heldAt(at);
  }

  #setLevel(cell: number, to: number): void {
    const models = this.#models;
    const from = this.#book.stakeAt(cell);
    if (to < from) {
      for (let i = 0; i < models.length; i += 1) models[i]?.levelFell(cell, to);
      this.#book.setStake(cell, to);
    } else if (to > from) {
      this.#book.setStake(cell, to);
      for (let i = 0; i < models.length; i += 1) models[i]?.levelRose(cell, to - from);
    }
  }

  /**
   * Restores traded levels that the update did not set: they hold what they held before, because what the trade took
   * was replaced.
   */
  #refillTraded(): void {
    const traded = this.#traded;
    for (let k = 0; k < traded.count; k += 1) {
      const cell = traded.cellAt(k);
      if (cell >= 0) this.#setLevel(cell, traded.heldAt(k));
    }
  }
}

/** Marks a level that was set since, and no longer counts. */
const SET = -1;

/**
 * Levels that an update's trades lowered and its level events have not set yet, with the stake they held before the update. A small list,
 * cleared before each update.
 */
class TradedLevels {
  #cells = new Int32Array(32);
  #held = new Float64Array(32);
  #count = 0;

  get count(): number {
    return this.#count;
  }

  clear(): void {
    this.#count = 0;
  }

  /** The level at an index, or a negative number where it was set since. */
  cellAt(index: number): number {
    return this.#cells[index] ?? SET;
  }

  heldAt(index: number): number {
    return this.#held[index] ?? 0;
  }

  /** The index of a level, or −1. An update trades at a handful of levels. */
  indexOf(cell: number): number {
    for (let at = 0; at < this.#count; at += 1) if (this.#cells[at] === cell) return at;
    return -1;
  }

  /** Remembers what a level held, the first time it trades. */
  note(cell: number, held: number): void {
    if (this.indexOf(cell) !== -1) return;
    if (this.#count === this.#cells.length) {
      this.#cells = grownInts(this.#cells, this.#count * 2);
      this.#held = grownFloats(this.#held, this.#count * 2);
    }
    this.#cells[this.#count] = cell;
    this.#held[this.#count] = held;
    this.#count += 1;
  }

  markSet(cell: number): void {
    const at = this.indexOf(cell);
    if (at !== -1) this.#cells[at] = SET;
  }
}

/** One object for all updates: it keeps nothing from one update to the next. */
const overlay = new Overlay();
