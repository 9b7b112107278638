/** One recorded update, applied to a market's book and all its lanes in a single walk. */

import { AGAINST, FOR, isBetter, type SideIndex } from '../../core/side.ts';
import { LAST_PRICE, LEVEL, type PendingUpdate, TRADE, type UpdateColumns } from '../../recording/update.ts';
import { cellOf } from './level-cell.ts';
import type { OverlayLane } from './overlay-lane.ts';
import type { RecordedBook } from './recorded-book.ts';
import { TradedLevels } from './traded-levels.ts';

/** Scratch of the update at hand. */
const traded = new TradedLevels();
/** The update's trades, best first for the side at hand. */
let bestFirst = new Int32Array(32);

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
  for (let i = 0; i < update.count; i += 1) {
    const outcome = update.outcome[i] ?? 0;
    const tick = update.tick[i] ?? 0;
    switch (update.kind[i]) {
      case TRADE:
        i = applyTrades(book, lanes, update, i);
        break;
      case LEVEL: {
        const cell = cellOf(outcome, update.side[i] === AGAINST ? AGAINST : FOR, tick);
        if (traded.count > 0) traded.markSet(cell);
        setLevel(book, lanes, cell, update.amount[i] ?? 0);
        break;
      }
      case LAST_PRICE:
        book.setLastTick(outcome, tick);
        for (const lane of lanes) lane.lastPrice(outcome, tick);
        break;
    }
  }
  refillTraded(book, lanes);
}

function areNeutral(lanes: readonly OverlayLane[]): boolean {
  for (let i = 0; i < lanes.length; i += 1) if (lanes[i]?.isNeutral === false) return false;
  return true;
}

/** Applies the run of trades that starts at `from`; returns its last index. */
function applyTrades(book: RecordedBook, lanes: readonly OverlayLane[], update: UpdateColumns, from: number): number {
  let end = from;
  while (end < update.count && update.kind[end] === TRADE) {
    book.addTraded(update.outcome[end] ?? 0, update.tick[end] ?? 0, update.amount[end] ?? 0);
    end += 1;
  }
  // The tape cannot order trades by side when nothing was displayed at their price, so the order is made here.
  for (let k = 0; k < 2; k += 1) {
    const side = k === 0 ? AGAINST : FOR;
    sortBestFirst(update, from, end, side);
    for (let at = 0; at < end - from; at += 1) applyTrade(book, lanes, update, bestFirst[at] ?? 0, side);
  }
  return end - 1;
}

/** Insertion sort, stable: a message has a handful of trades. */
function sortBestFirst(update: UpdateColumns, from: number, end: number, side: SideIndex): void {
  if (end - from > bestFirst.length) bestFirst = new Int32Array(2 * (end - from));
  for (let i = from; i < end; i += 1) {
    const tick = update.tick[i] ?? 0;
    let at = i - from;
    while (at > 0 && isBetter(side, tick, update.tick[bestFirst[at - 1] ?? 0] ?? 0)) {
      bestFirst[at] = bestFirst[at - 1] ?? 0;
      at -= 1;
    }
    bestFirst[at] = i;
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
    for (const lane of lanes) lane.hiddenTrade(cell, stake);
    return;
  }
  for (const lane of lanes) lane.trade(cell, stake);
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
    for (const lane of lanes) lane.levelFell(cell, to);
    book.setStake(cell, to);
  } else if (to > from) {
    book.setStake(cell, to);
    for (const lane of lanes) lane.levelRose(cell, to - from);
  }
}

/** A traded level that the update leaves alone still holds what it held: what the trade took was replaced. */
function refillTraded(book: RecordedBook, lanes: readonly OverlayLane[]): void {
  for (let k = 0; k < traded.count; k += 1) {
    const cell = traded.cellAt(k);
    if (cell >= 0) setLevel(book, lanes, cell, traded.heldAt(k));
  }
}
