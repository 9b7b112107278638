/** Our orders laid over a recorded crowd under one fill rule: the resting stake that one exchange instance matches. */

import { assert } from '../../core/checks/assert.ts';
import { NO_TICK } from '../../core/number/ladder.ts';
import { type Instant, type Money, ZERO } from '../../core/number/units.ts';
import { AGAINST, betterTick, crosses, FOR, isBetter, type SideIndex } from '../../core/side.ts';
import { type FillSink, type Liquidity, RECORDED } from '../../matching/book/liquidity.ts';
import type { FillRules } from './fill-rules.ts';
import { cellInRow, cellOf, oppositeRow, rowOf, rowOfCell, sideOfRow, tickOfCell } from './level-cell.ts';
import { type OutOfSight, outOfSightOf } from './out-of-sight.ts';
import type { OwnOrders } from './own-orders.ts';
import { aheadAfterFall, marginOfSize } from './queue-place.ts';
import { NO_ORDER, QueuedOrders } from './queued-orders.ts';
import type { RecordedBook } from './recorded-book.ts';
import { Refill } from './refill.ts';

/**
 * Told of each piece of a resting order that the recording fills, always at the order's own price. The sink must take
 * the piece off the order before it returns: `Exchange.matchWithRecorded` does so by `reduce`.
 */
export interface RestingFillSink {
  fillResting(slot: number, stake: Money): void;
}

/**
 * Per level: R the crowd's recorded stake, X what of it we ate, and our orders in order of arrival, each with the
 * crowd stake `ahead` of it: 0 ≤ X ≤ R and 0 ≤ ahead₁ ≤ ahead₂ ≤ … ≤ R. What a taker meets, and a strategy sees, is
 * R − X plus our own unmatched stake.
 *
 * After each fill the walk starts again from the head of the queue, so that a sink may withdraw any order. A sink must
 * not place orders while an update is applied: let the exchange do what is due by then before `applyUpdate`.
 */
export class OverlayLiquidity implements Liquidity {
  readonly rules: FillRules;
  readonly #book: RecordedBook;
  readonly #queues: QueuedOrders;
  readonly #sink: RestingFillSink;
  readonly #refill: Refill;
  /** Absent where all levels are shown, or are there for good. */
  readonly #outOfSight: OutOfSight | undefined;
  #paused = false;
  /** At the end of an update, stake that is there and crosses our orders meets them: the market resumes, or levels are shown again. */
  #meetsCrossing = false;
  /** Orders that rest since the last update, where they count as arriving after the next. */
  readonly #arriving: number[] = [];

  /** `orders`: shared by the lanes of all markets that one exchange instance has. */
  constructor(parts: {
    readonly book: RecordedBook;
    readonly orders: OwnOrders;
    readonly rules: FillRules;
    readonly sink: RestingFillSink;
    /** The exchange's time, in which half-lives and ages count; else nobody asks. */
    readonly now?: () => Instant;
  }) {
    const { rules, book, orders, sink, now } = parts;
    const queues = new QueuedOrders(book.outcomes * 2, orders);
    this.rules = rules;
    this.#book = book;
    this.#sink = sink;
    this.#queues = queues;
    this.#refill = new Refill(rules.refill, queues, now);
    this.#outOfSight = outOfSightOf(rules.levelsOutOfSight, { book, queues, now });
  }

  bestTick(outcome: number, side: SideIndex): number {
    const row = rowOf(outcome, side);
    if (this.#queues.isEmpty) return this.#book.bestInRow(row);
    const crowd = this.#firstUnconsumed(row, this.#book.bestInRow(row));
    if (this.rules.ownOrders === 'pass') return crowd;
    return betterTick(side, this.#queues.best(row), crowd);
  }

  nextTick(outcome: number, side: SideIndex, tick: number): number {
    const row = rowOf(outcome, side);
    const crowd = this.#firstUnconsumed(row, this.#book.worseInRow(row, tick));
    if (this.rules.ownOrders === 'pass') return crowd;
    return betterTick(side, this.#queues.worse(row, tick), crowd);
  }

  amountAt(outcome: number, side: SideIndex, tick: number): Money {
    const cell = cellOf(outcome, side, tick);
    if (this.#queues.isEmpty) return this.#book.stakeAt(cell);
    const own = this.rules.ownOrders === 'pass' ? 0 : this.#queues.restingAt(cell);
    return (this.#free(cell) + own) as Money;
  }

  consume(level: { outcome: number; side: SideIndex; tick: number }, stake: Money, sink: FillSink): Money {
    const cell = cellOf(level.outcome, level.side, level.tick);
    const isThere = this.#outOfSight === undefined || this.#outOfSight.isThere(cell);
    let left: number = stake;
    while (left > 0) {
      const slot = this.rules.ownOrders === 'pass' ? NO_ORDER : this.#queues.head(cell);
      const recorded = this.#book.stakeAt(cell);
      const reach = slot === NO_ORDER ? recorded : this.#aheadOf(slot, recorded);
      const fromRecorded = isThere ? Math.min(left, reach - this.#queues.consumedAt(cell)) : 0;
      if (fromRecorded > 0) {
        this.#refill.consumeStake(cell, fromRecorded);
        left -= fromRecorded;
        sink.filled(RECORDED, fromRecorded as Money);
        continue;
      }
      if (slot === NO_ORDER) break;
      const piece = this.#take(slot, left);
      left -= piece;
      sink.filled(slot, piece);
    }
    if (!isThere && left > 0) this.#outOfSight?.leaveOut(cell, left);
    return (stake - left) as Money;
  }

  rest(order: { slot: number; outcome: number; side: SideIndex; tick: number; stake: Money }): void {
    const cell = cellOf(order.outcome, order.side, order.tick);
    const { slot, stake } = order;
    this.#outOfSight?.forgetWhereNeutral();
    const margin = this.rules.size === 'against-us' ? marginOfSize(stake, this.#book.stakeAt(cell)) : 0;
    this.#queues.join({ slot, cell, stake, ahead: this.#aheadOnArrival(cell, stake), margin });
    if (this.rules.arrival === 'after-next') this.#arriving.push(slot);
  }

  reduce(slot: number, stake: Money): void {
    const taken = this.#take(slot, stake);
    if (taken !== stake) assert(false, `slot ${slot} has less than ${stake} to reduce`);
  }

  withdraw(slot: number): void {
    this.#queues.leave(slot);
    this.#arrivalEnds(slot);
  }

  /** Nothing of ours is laid over the crowd: the lane shows exactly what was recorded. */
  get isNeutral(): boolean {
    return this.#queues.isEmpty;
  }

  /** The same, and the end of an update brings nothing about either. */
  get isIdle(): boolean {
    return this.#queues.isEmpty && !this.#meetsCrossing && !this.#refill.hasCome;
  }

  /** Whether a change at a price of an outcome can do anything here. While an update is applied, it comes to do less and less. */
  isReached(outcome: number, tick: number): boolean {
    return this.#queues.isReached(outcome, tick);
  }

  /** How much of a level's recorded stake we ate. */
  consumedAt(outcome: number, side: SideIndex, tick: number): Money {
    return this.#queues.consumedAt(cellOf(outcome, side, tick));
  }

  /** Stake that takers of ours would have matched with levels out of the source's sight, had they been there. */
  get stakeOutOfSight(): Money {
    return this.#outOfSight?.stakeLeftOut ?? ZERO;
  }

  /** The market stops matching (suspended, or not open): the recording goes on, but nothing fills. */
  pause(): void {
    this.#paused = true;
  }

  /** Matching goes on. What crosses our orders by then is met at the end of the update in which the market resumes. */
  resume(): void {
    this.#meetsCrossing ||= this.#paused;
    this.#paused = false;
  }

  /** The market has ended: forgets what was eaten. The exchange has withdrawn every order before. */
  release(): void {
    this.#queues.clear();
    this.#refill.clear();
    this.#outOfSight?.clear();
  }

  /**
   * Stake traded at a level, called before the book falls by it. One budget: our orders at better prices, then this
   * level's queue in turn. The crowd's queue moves up by what was recorded, whoever was filled.
   */
  trade(cell: number, stake: number): void {
    const row = rowOfCell(cell);
    if (this.#queues.ordersInRow(row) > 0 && !this.#paused) this.#fillFromTrade(cell, stake);
    if (!this.#queues.has(cell)) return;
    const recorded = this.#book.stakeAt(cell);
    const fallen = Math.min(stake, recorded);
    if (this.rules.queue === 'in-turn') {
      for (let slot = this.#queues.head(cell); slot !== NO_ORDER; slot = this.#queues.next(slot)) {
        this.#queues.setAhead(slot, Math.max(0, this.#queues.ahead(slot) - fallen));
      }
    }
    this.#queues.capConsumed(cell, recorded - fallen);
  }

  /**
   * Stake traded at a price that displayed none. Where own orders pass each other, both sides of a market may stand at
   * or through it, and the tape does not say which one the trade would have met: then it fills neither.
   */
  hiddenTrade(cell: number, stake: number): void {
    if (this.rules.ownOrders === 'pass' && this.#restingThrough(oppositeRow(rowOfCell(cell)), tickOfCell(cell)) > 0)
      return;
    this.trade(cell, stake);
  }

  /** A decrease that trades do not explain, called before the book falls to `to`. */
  levelFell(cell: number, to: number): void {
    if (!this.#queues.has(cell)) return;
    if (this.rules.queue === 'in-turn') {
      const from = this.#book.stakeAt(cell);
      let ahead = 0;
      for (let slot = this.#queues.head(cell); slot !== NO_ORDER; slot = this.#queues.next(slot)) {
        // A power above 1 would let a later order of ours pass an earlier one.
        ahead = Math.max(
          ahead,
          aheadAfterFall(this.rules.cancellations, { ahead: this.#queues.ahead(slot), from, to }),
        );
        this.#queues.setAhead(slot, ahead);
      }
    }
    this.#queues.capConsumed(cell, to);
    this.#refill.levelChanges(cell);
  }

  /** New recorded stake, called after the book rose by it: it first meets opposite orders of ours that it crosses. */
  levelRose(cell: number, rise: number): void {
    this.#refill.levelChanges(cell);
    const own = oppositeRow(rowOfCell(cell));
    if (this.#queues.ordersInRow(own) === 0) return;
    if (this.rules.crossing === 'reserved') this.#reserve(own, cell, rise);
    else if (!this.#paused) this.#meet(own, cell, rise);
  }

  /** A last price: fills what it went through, where that rule is on. */
  lastPrice(outcome: number, tick: number): void {
    if (this.rules.lastPrice === 'ignored' || this.rules.crossing === 'reserved' || this.#paused) return;
    this.#fillThrough(rowOf(outcome, FOR), tick);
    this.#fillThrough(rowOf(outcome, AGAINST), tick);
  }

  /** Begins an update. */
  updateBegins(): void {
    this.#refill.updateBegins();
  }

  /** Ends an update: our orders meet what crosses them where the market resumed in it, and what came back or is shown again. */
  updateEnded(): void {
    for (const slot of this.#arriving) this.#queues.setAhead(slot, this.#book.stakeAt(this.#queues.cellOf(slot)));
    this.#arriving.length = 0;
    if (this.#outOfSight !== undefined) this.#showAgain(this.#outOfSight);
    if (!(this.#meetsCrossing || this.#refill.hasCome) || this.#paused) return;
    this.#meetsCrossing = false;
    this.#refill.hasCome = false;
    if (this.rules.crossing === 'reserved') return;
    for (let row = 0; row < this.#book.outcomes * 2; row += 1) this.#meetAllCrossing(row);
  }

  /** R − X: the crowd's stake that is still there for us. Nothing where it was found gone. */
  #free(cell: number): number {
    if (this.#outOfSight?.isGone(cell) === true) return 0;
    return this.#book.stakeAt(cell) - this.#queues.consumedAt(cell);
  }

  /** What was found gone and is shown again comes like new stake. */
  #showAgain(outOfSight: OutOfSight): void {
    for (const cell of outOfSight.takeShownAgain()) {
      if (this.rules.crossing === 'reserved') this.#reserve(oppositeRow(rowOfCell(cell)), cell, this.#free(cell));
      else this.#meetsCrossing = true;
    }
  }

  #aheadOf(slot: number, recorded: number): number {
    return this.rules.queue === 'last' ? recorded : this.#queues.ahead(slot);
  }

  #aheadOnArrival(cell: number, stake: Money): number {
    if (this.rules.queue === 'first') return 0;
    const recorded = this.#book.stakeAt(cell);
    if (this.rules.size !== 'for-us') return recorded;
    const last = this.#queues.tail(cell);
    const least = last === NO_ORDER ? 0 : this.#queues.ahead(last);
    return Math.max(least, recorded - marginOfSize(stake, recorded));
  }

  /** Takes up to `most` off an order. */
  #take(slot: number, most: number): Money {
    const taken = this.#queues.fill(slot, most);
    if (this.#arriving.length > 0 && this.#queues.unmatched(slot) === 0) this.#arrivalEnds(slot);
    return taken;
  }

  #isArriving(slot: number): boolean {
    return this.#arriving.length > 0 && this.#arriving.includes(slot);
  }

  #arrivalEnds(slot: number): void {
    const at = this.#arriving.indexOf(slot);
    if (at !== -1) this.#arriving.splice(at, 1);
  }

  #firstUnconsumed(row: number, from: number): number {
    let tick = from;
    while (tick !== NO_TICK && this.#free(cellInRow(row, tick)) === 0) tick = this.#book.worseInRow(row, tick);
    return tick;
  }

  #fillFromTrade(cell: number, stake: number): void {
    let budget = this.#fillBetter(cell, stake);
    let passed = 0;
    while (budget > 0) {
      const slot = this.#queues.head(cell);
      // Who arrived last stands last: behind one that is still arriving there are no others.
      if (slot === NO_ORDER || this.#isArriving(slot)) return;
      const crowd = Math.min(budget, Math.max(0, this.#aheadOf(slot, this.#book.stakeAt(cell)) - passed));
      passed += crowd;
      budget -= crowd;
      budget -= this.#queues.takeMargin(slot, budget);
      if (budget > 0) budget -= this.#fill(slot, budget);
    }
  }

  /**
   * Fills our orders at better prices than the traded level; returns what is left of the budget. Orders that are still arriving take
   * their part of it and are not filled, since it may have gone to those who were there.
   */
  #fillBetter(cell: number, stake: number): number {
    const row = rowOfCell(cell);
    let budget = stake;
    let tick = this.#queues.best(row);
    while (budget > 0 && tick !== NO_TICK && isBetter(sideOfRow(row), tick, tickOfCell(cell))) {
      const at = cellInRow(row, tick);
      const slot = this.#queues.head(at);
      if (slot === NO_ORDER || this.#isArriving(slot)) {
        budget -= Math.min(budget, this.#queues.restingAt(at));
        tick = this.#queues.worse(row, tick);
      } else budget -= this.#fill(slot, budget);
    }
    return budget;
  }

  #fillThrough(row: number, tick: number): void {
    for (;;) {
      const best = this.#queues.best(row);
      if (best === NO_TICK || !isBetter(sideOfRow(row), best, tick)) return;
      this.#fill(this.#queues.head(cellInRow(row, best)), Number.POSITIVE_INFINITY);
    }
  }

  #fill(slot: number, most: number): number {
    const unmatched = this.#queues.unmatched(slot);
    const piece = Math.min(unmatched, most) as Money;
    this.#sink.fillResting(slot, piece);
    assert(this.#queues.unmatched(slot) <= unmatched - piece, `the fill of slot ${slot} was not taken off it`);
    return piece;
  }

  /** Crowd stake of one level crosses orders of ours in the row `own`, and is kept from everybody else. */
  #reserve(own: number, cell: number, stake: number): void {
    const reserved = Math.min(stake, this.#restingThrough(own, tickOfCell(cell)));
    if (reserved > 0) this.#refill.consumeStake(cell, reserved);
  }

  /** Crowd stake of one level meets orders of ours in the row `own`, best price first, each at its own price. */
  #meet(own: number, cell: number, stake: number): void {
    const tick = tickOfCell(cell);
    let left = stake;
    while (left > 0) {
      const best = this.#queues.best(own);
      if (best === NO_TICK || !crosses(sideOfRow(own), best, tick)) return;
      const slot = this.#queues.head(cellInRow(own, best));
      const piece = Math.min(this.#queues.unmatched(slot), left);
      this.#refill.consumeStake(cell, piece);
      left -= this.#fill(slot, piece);
    }
  }

  #meetAllCrossing(own: number): void {
    const crowd = oppositeRow(own);
    let tick = this.#book.bestInRow(crowd);
    while (tick !== NO_TICK) {
      const best = this.#queues.best(own);
      if (best === NO_TICK || !crosses(sideOfRow(own), best, tick)) return;
      const cell = cellInRow(crowd, tick);
      const free = this.#free(cell);
      if (free > 0 && this.#outOfSight?.isThere(cell) !== false) this.#meet(own, cell, free);
      tick = this.#book.worseInRow(crowd, tick);
    }
  }

  /** Our unmatched stake in a row that crowd stake at the tick would cross. */
  #restingThrough(own: number, tick: number): number {
    let sum = 0;
    let at = this.#queues.best(own);
    while (at !== NO_TICK && crosses(sideOfRow(own), at, tick)) {
      sum += this.#queues.restingAt(cellInRow(own, at));
      at = this.#queues.worse(own, at);
    }
    return sum;
  }
}
