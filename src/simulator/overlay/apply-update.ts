/** One recorded update, applied to a market's book and all its lanes in a single walk. */

import { AGAINST, FOR, type SideIndex } from '../../core/side.ts';
import type { PendingUpdate, RecordSink } from '../../recording/segment/update.ts';
import { cellOf } from './level-cell.ts';
import type { OverlayLiquidity } from './overlay-liquidity.ts';
import { RecordedBook } from './recorded-book.ts';
import { TradedLevels } from './traded-levels.ts';
import { ReachingTrades } from './trades-at-own-price.ts';

const NO_SIDE = -1;
const NO_BOOK = new RecordedBook(1);
const NO_LANES: readonly OverlayLiquidity[] = [];

/** Tells what an update says of prices, and when. */
type Prices = Pick<PendingUpdate, 'publishedAt' | 'recordInto'>;

/**
 * Says whether it may have done anything to an order of ours. Definitions are the caller's: tell lanes of a pause or resumption
 * (and the exchange of the rest) before this. The exchange has done what was due by then, since a fill must not set off a placement.
 */
export function applyUpdate(book: RecordedBook, lanes: readonly OverlayLiquidity[], update: Prices): boolean {
  return areIdle(lanes) ? applyToBook(book, update) : applyToModels(book, lanes, update);
}

/**
 * The same where all lanes are idle. Where nothing of ours lies over the crowd, no lane has anything to do, and a trade leaves its
 * level as it was, since what it took either came back or is set by the update itself.
 */
export function applyToBook(book: RecordedBook, update: Prices): false {
  if (book.window !== undefined) book.window.updateBegins(update.publishedAt);
  update.recordInto(book);
  return false;
}

/** The same where a lane is not idle. */
export function applyToModels(book: RecordedBook, lanes: readonly OverlayLiquidity[], update: Prices): true {
  for (let i = 0; i < lanes.length; i += 1) lanes[i]?.updateBegins();
  if (book.window !== undefined) book.window.updateBegins(update.publishedAt);
  overlay.begin(book, lanes);
  try {
    tell(update);
    overlay.end();
  } finally {
    overlay.letGo();
  }
  for (let i = 0; i < lanes.length; i += 1) lanes[i]?.updateEnded();
  return true;
}

/** Whether no lane has anything to do with what an update says. */
export function areIdle(lanes: readonly OverlayLiquidity[]): boolean {
  for (let i = 0; i < lanes.length; i += 1) if (lanes[i]?.isIdle === false) return false;
  return true;
}

/** A recording answers for what it cannot read, and must not be blamed for what goes wrong in an exchange meanwhile. */
function tell(update: Prices): void {
  try {
    update.recordInto(overlay);
  } catch (error) {
    throw overlay.failure === undefined ? error : overlay.failure.error;
  }
}

/** Takes what an update says to the book, and to the lanes where it can matter to one of them. */
class Overlay implements RecordSink {
  #book = NO_BOOK;
  #lanes = NO_LANES;
  /** Of the run of trades at hand: no trade of it is applied before all of it is known. */
  readonly #trades = new ReachingTrades();
  readonly #traded = new TradedLevels();
  /** What a lane threw, or whoever it told of a fill. */
  failure: { readonly error: unknown } | undefined;

  begin(book: RecordedBook, lanes: readonly OverlayLiquidity[]): void {
    this.#book = book;
    this.#lanes = lanes;
    this.#trades.clear();
    this.#traded.clear();
  }

  /** A market that is over must not live on in here. */
  letGo(): void {
    this.#book = NO_BOOK;
    this.#lanes = NO_LANES;
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
      // Most levels are nowhere near our orders, and no lane has anything to do.
      if (this.#isReached(outcome, tick)) this.#setLevel(cellOf(outcome, side, tick), stake);
      else this.#book.setLevel(outcome, side, tick, stake);
    } catch (error) {
      throw this.#failed(error);
    }
  }

  /** A trade that reaches nothing of ours leaves its level as it was: what it took either came back or is set by the update itself. */
  addTraded(outcome: number, tick: number, stake: number): void {
    this.#book.addTraded(outcome, tick, stake);
    if (this.#isReached(outcome, tick)) this.#trades.add(outcome, tick, stake);
  }

  setLastTick(outcome: number, tick: number): void {
    try {
      if (this.#trades.count > 0) this.#applyTrades();
      this.#book.setLastTick(outcome, tick);
      for (let i = 0; i < this.#lanes.length; i += 1) this.#lanes[i]?.lastPrice(outcome, tick);
    } catch (error) {
      throw this.#failed(error);
    }
  }

  #failed(error: unknown): unknown {
    this.failure = { error };
    return error;
  }

  /** Whether a change at a price can do anything in a lane. What it cannot reach now, it does not reach later in the update. */
  #isReached(outcome: number, tick: number): boolean {
    for (let i = 0; i < this.#lanes.length; i += 1) if (this.#lanes[i]?.isReached(outcome, tick) === true) return true;
    return false;
  }

  /** The tape cannot order trades by side when nothing was displayed at their price, so the order is made here. */
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
    const lanes = this.#lanes;
    if (displayed === NO_SIDE) {
      // Our resting orders do not cross each other where they meet, so that one side at most has any at or through it.
      for (let i = 0; i < lanes.length; i += 1) lanes[i]?.hiddenTrade(cell, stake);
      return;
    }
    for (let i = 0; i < lanes.length; i += 1) lanes[i]?.trade(cell, stake);
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
    const lanes = this.#lanes;
    const from = this.#book.stakeAt(cell);
    if (to < from) {
      for (let i = 0; i < lanes.length; i += 1) lanes[i]?.levelFell(cell, to);
      this.#book.setStake(cell, to);
    } else if (to > from) {
      this.#book.setStake(cell, to);
      for (let i = 0; i < lanes.length; i += 1) lanes[i]?.levelRose(cell, to - from);
    }
  }

  /** A traded level that the update leaves alone still holds what it held: what the trade took was replaced. */
  #refillTraded(): void {
    const traded = this.#traded;
    for (let k = 0; k < traded.count; k += 1) {
      const cell = traded.cellAt(k);
      if (cell >= 0) this.#setLevel(cell, traded.heldAt(k));
    }
  }
}

/** One for all: nothing of an update outlives it. */
const overlay = new Overlay();
