/** One recorded update, applied to a market's book and all its lanes in a single walk. */

import { AGAINST, FOR, isBetter, type SideIndex } from '../../core/side.ts';
import { grownInts } from '../../matching/columns.ts';
import { LAST_PRICE, LEVEL, type PendingUpdate, TRADE, type UpdateColumns } from '../../recording/update.ts';
import { cellOf } from './level-cell.ts';
import type { OverlayLane } from './overlay-lane.ts';
import type { RecordedBook } from './recorded-book.ts';
import { TradedLevels } from './traded-levels.ts';

/** Scratch of the update at hand. */
const traded = new TradedLevels();
/** The update's trades that reach something of ours, best first for the side at hand. */
let bestFirst = new Int32Array(32);
let reaching = 0;

const NO_SIDE = -1;

/**
 * Definitions are the caller's: tell lanes of a pause or resumption (and the exchange of the rest) before this. The
 * exchange has done what was due by then, since a fill must not set off a placement.
 */
export function applyUpdate(book: RecordedBook, lanes: readonly OverlayLane[], update: PendingUpdate): void {
  // Where nothing of ours lies over the crowd, no lane has anything to do, and a trade leaves its level as it was, since
  // what it took either came back or is set by the update itself.
  if (areNeutral(lanes)) update.recordInto(book);
  else overlay(book, lanes, update.columns());
  for (let i = 0; i < lanes.length; i += 1) lanes[i]?.updateEnded();
}

function overlay(book: RecordedBook, lanes: readonly OverlayLane[], update: UpdateColumns): void {
  traded.clear();
  const { count, kind, outcome, tick, side, amount } = update;
  for (let i = 0; i < count; i += 1) {
    const of = outcome[i] ?? 0;
    const at = tick[i] ?? 0;
    switch (kind[i]) {
      case TRADE:
        i = applyTrades(book, lanes, update, i);
        break;
      case LEVEL: {
        const cell = cellOf(of, side[i] === AGAINST ? AGAINST : FOR, at);
        if (traded.count > 0) traded.markSet(cell);
        // Most levels are nowhere near our orders, and no lane has anything to do.
        if (isReached(lanes, of, at)) setLevel(book, lanes, cell, amount[i] ?? 0);
        else book.setStake(cell, amount[i] ?? 0);
        break;
      }
      case LAST_PRICE:
        book.setLastTick(of, at);
        for (let k = 0; k < lanes.length; k += 1) lanes[k]?.lastPrice(of, at);
        break;
    }
  }
  if (traded.count > 0) refillTraded(book, lanes);
}

/** Whether a change at a price can do anything in a lane. What it cannot reach now, it does not reach later in the update. */
function isReached(lanes: readonly OverlayLane[], outcome: number, tick: number): boolean {
  for (let i = 0; i < lanes.length; i += 1) if (lanes[i]?.isReached(outcome, tick) === true) return true;
  return false;
}

function areNeutral(lanes: readonly OverlayLane[]): boolean {
  for (let i = 0; i < lanes.length; i += 1) if (lanes[i]?.isNeutral === false) return false;
  return true;
}

/**
 * Applies the run of trades that starts at `from`; returns its last index. A trade that reaches nothing of ours leaves its level
 * as it was: what it took either came back or is set by the update itself.
 */
function applyTrades(book: RecordedBook, lanes: readonly OverlayLane[], update: UpdateColumns, from: number): number {
  const { count, kind, outcome, tick, amount } = update;
  let end = from;
  reaching = 0;
  for (; end < count && kind[end] === TRADE; end += 1) {
    const of = outcome[end] ?? 0;
    const at = tick[end] ?? 0;
    book.addTraded(of, at, amount[end] ?? 0);
    if (isReached(lanes, of, at)) reach(end);
  }
  if (reaching === 0) return end - 1;
  // The tape cannot order trades by side when nothing was displayed at their price, so the order is made here.
  for (let k = 0; k < 2; k += 1) {
    const side = k === 0 ? AGAINST : FOR;
    sortBestFirst(update, side);
    for (let at = 0; at < reaching; at += 1) applyTrade(book, lanes, update, bestFirst[at] ?? 0, side);
  }
  return end - 1;
}

function reach(index: number): void {
  if (reaching === bestFirst.length) bestFirst = grownInts(bestFirst, 2 * reaching);
  bestFirst[reaching] = index;
  reaching += 1;
}

/**
 * Insertion sort: a message has a handful of trades. Those of one price stay in the order of the message, whichever side they
 * were sorted for before.
 */
function sortBestFirst({ tick }: UpdateColumns, side: SideIndex): void {
  for (let i = 1; i < reaching; i += 1) {
    const index = bestFirst[i] ?? 0;
    const own = tick[index] ?? 0;
    let at = i;
    for (; at > 0; at -= 1) {
      const before = bestFirst[at - 1] ?? 0;
      const other = tick[before] ?? 0;
      if (!isBetter(side, own, other) && (own !== other || before < index)) break;
      bestFirst[at] = before;
    }
    bestFirst[at] = index;
  }
}

/** Applies a trade if its resting side is the given one, or may be: without displayed stake, our orders decide. */
function applyTrade(
  book: RecordedBook,
  lanes: readonly OverlayLane[],
  update: UpdateColumns,
  index: number,
  side: SideIndex,
): void {
  const outcome = update.outcome[index] ?? 0;
  const tick = update.tick[index] ?? 0;
  const stake = update.amount[index] ?? 0;
  const displayed = displayedSide(book, outcome, tick);
  if (displayed !== NO_SIDE && displayed !== side) return;
  const cell = cellOf(outcome, side, tick);
  if (displayed === NO_SIDE) {
    // Our resting orders do not cross each other where they meet, so that one side at most has any at or through it.
    for (let i = 0; i < lanes.length; i += 1) lanes[i]?.hiddenTrade(cell, stake);
    return;
  }
  for (let i = 0; i < lanes.length; i += 1) lanes[i]?.trade(cell, stake);
  const held = book.stakeAt(cell);
  traded.note(cell, held);
  book.setStake(cell, held - Math.min(stake, held));
}

/** The side that displayed stake at a price before this update. */
function displayedSide(book: RecordedBook, outcome: number, tick: number): number {
  const against = stakeBefore(book, cellOf(outcome, AGAINST, tick));
  const forStake = stakeBefore(book, cellOf(outcome, FOR, tick));
  if (against === 0 && forStake === 0) return NO_SIDE;
  return against >= forStake ? AGAINST : FOR;
}

function stakeBefore(book: RecordedBook, cell: number): number {
  const at = traded.indexOf(cell);
  return at === -1 ? book.stakeAt(cell) : traded.heldAt(at);
}

function setLevel(book: RecordedBook, lanes: readonly OverlayLane[], cell: number, to: number): void {
  const from = book.stakeAt(cell);
  if (to < from) {
    for (let i = 0; i < lanes.length; i += 1) lanes[i]?.levelFell(cell, to);
    book.setStake(cell, to);
  } else if (to > from) {
    book.setStake(cell, to);
    for (let i = 0; i < lanes.length; i += 1) lanes[i]?.levelRose(cell, to - from);
  }
}

/** A traded level that the update leaves alone still holds what it held: what the trade took was replaced. */
function refillTraded(book: RecordedBook, lanes: readonly OverlayLane[]): void {
  for (let k = 0; k < traded.count; k += 1) {
    const cell = traded.cellAt(k);
    if (cell >= 0) setLevel(book, lanes, cell, traded.heldAt(k));
  }
}
