/** The bot's orders laid over a recorded book under one fill model: the resting stake that one exchange instance matches. */

import { shownStake } from '../../core/book/shown-stake.ts';
import { assert, fail } from '../../core/checks/assert.ts';
import { NO_TICK } from '../../core/number/ladder.ts';
import { type Instant, type Money, ZERO } from '../../core/number/units.ts';
import { AGAINST, betterTick, crosses, FOR, isBetter, type SideIndex } from '../../core/side.ts';
import { type FillSink, type Liquidity, RECORDED } from '../../matching/book/liquidity.ts';
import type { FillRules } from './fill-rules.ts';
import { cellInRow, cellOf, oppositeRow, rowOf, rowOfCell, sideOfRow, tickOfCell } from './level-cell.ts';
import { type OutOfSight, outOfSightOf } from './out-of-sight.ts';
import type { OwnOrders } from './own-orders.ts';
import { PlacesInQueue } from './places-in-queue.ts';
import { marginOfSize } from './queue-place.ts';
import { NO_ORDER, NO_SLOTS, QueuedOrders } from './queued-orders.ts';
import type { RecordedBook } from './recorded-book.ts';
import { Refill } from './refill.ts';

/**
 * Receives each piece of a resting order that the recording fills, always at the order's own price. The sink must take the piece off the
 * order before it returns: `Exchange.matchWithRecorded` does so by `reduce`.
 */
export interface RestingFillSink {
  fillResting(slot: number, stake: Money): void;
  /** An order begins to rest, or rests at another price, with so much stake before it at its price: recorded stake and earlier own orders. */
  rests?: ((slot: number, stakeAhead: Money) => void) | undefined;
}

/**
 * Per level: R the recorded stake, X how much of it we consumed, D what our orders displaced, and our orders in order of arrival, each
 * with the stake of others `ahead` of it: 0 ≤ X ≤ R and 0 ≤ ahead₁ ≤ ahead₂ ≤ … ≤ R + D. What a taker matches, and a strategy sees, is
 * R − X plus our own unmatched stake.
 *
 * After each fill the walk starts again from the head of the queue, so that a sink may withdraw any order. A sink must not place orders
 * while an update is applied: let the exchange do what is due by then before `applyUpdate`.
 */
export class OverlayLiquidity implements Liquidity {
  readonly rules: FillRules;
  readonly #book: RecordedBook;
  readonly #queues: QueuedOrders;
  readonly #sink: RestingFillSink;
  readonly #refill: Refill;
  readonly #places: PlacesInQueue;
  /** Absent where the source shows all levels, or levels outside its window count as there for good. */
  readonly #outOfSight: OutOfSight | undefined;
  #paused = false;
  /** Whether, at the end of the update, stake that crosses our orders fills them: the market resumes, or levels are shown again. */
  #meetsCrossing = false;
  /** Orders placed since the last update, under the rule that they arrive after the next one. */
  readonly #arriving: number[] = [];

  /** `orders`: columns shared by the overlays of all markets that one exchange instance has. */
  constructor(parts: {
    readonly book: RecordedBook;
    readonly orders: OwnOrders;
    readonly rules: FillRules;
    readonly sink: RestingFillSink;
    /** The exchange's time. It is only read where a rule has a half-life or a maximal age. */
    readonly now?: () => Instant;
  }) {
    const { rules, book, orders, sink, now } = parts;
    const queues = new QueuedOrders(book.outcomes * 2, orders);
    this.rules = rules;
    this.#book = book;
    this.#sink = sink;
    this.#queues = queues;
    this.#refill = new Refill(rules.refill, queues, now);
    this.#places = new PlacesInQueue({ rules, queues, book });
    this.#outOfSight = outOfSightOf(rules.levelsOutOfSight, { book, queues, now });
  }

  bestTick(outcome: number, side: SideIndex): number {
    const row = rowOf(outcome, side);
    if (this.#queues.isEmpty) return this.#book.bestInRow(row);
    return this.#firstShown(row, this.#book.bestInRow(row), this.#queues.best(row));
  }

  nextTick(outcome: number, side: SideIndex, tick: number): number {
    const row = rowOf(outcome, side);
    return this.#firstShown(row, this.#book.worseInRow(row, tick), this.#queues.worse(row, tick));
  }

  amountAt(outcome: number, side: SideIndex, tick: number): Money {
    if (this.#queues.isEmpty) return this.#book.amountAt(outcome, side, tick);
    return this.#shownAt(cellOf(outcome, side, tick));
  }

  consume(level: { outcome: number; side: SideIndex; tick: number }, stake: Money, sink: FillSink): Money {
    const cell = cellOf(level.outcome, level.side, level.tick);
    const isThere = this.#outOfSight === undefined || this.#outOfSight.isThere(cell);
    let left: number = stake;
    while (left > 0) {
      const slot = this.rules.ownOrders === 'pass' ? NO_ORDER : this.#queues.head(cell);
      const recorded = this.#book.stakeAt(cell);
      const reach = slot === NO_ORDER ? recorded : Math.min(recorded, this.#aheadOf(slot, recorded));
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
    const ahead = this.#places.onArrival(cell, stake);
    this.#sink.rests?.(slot, (ahead + this.#queues.restingAt(cell)) as Money);
    this.#queues.join({ slot, cell, stake, ahead, margin });
    if (this.rules.arrival === 'after-next') this.#arriving.push(slot);
  }

  reduce(slot: number, stake: Money): void {
    const taken = this.#take(slot, stake);
    if (taken !== stake) fail(`slot ${slot} has less than ${stake} to reduce`);
  }

  withdraw(slot: number): void {
    this.#queues.leave(slot);
    this.#arrivalEnds(slot);
  }

  /** Whether no order of ours rests, nothing was consumed, and the end of an update will change nothing either. */
  get isIdle(): boolean {
    return this.#queues.isEmpty && !this.#meetsCrossing && !this.#refill.hasCome;
  }

  /** Whether a change at a price of an outcome can matter here. While an update is applied, this only turns from true to false. */
  isReached(outcome: number, tick: number): boolean {
    return this.#queues.isReached(outcome, tick);
  }

  /** The slots of our orders that stand in what a level shows. */
  ordersAt(outcome: number, side: SideIndex, tick: number): readonly number[] {
    return this.rules.ownOrders === 'pass' ? NO_SLOTS : this.#queues.slotsAt(cellOf(outcome, side, tick));
  }

  /** How much of a level's recorded stake we consumed. */
  consumedAt(outcome: number, side: SideIndex, tick: number): Money {
    return this.#queues.consumedAt(cellOf(outcome, side, tick));
  }

  /** How much of what others had at a level orders of ours displaced, and nobody has given up. */
  displacedAt(outcome: number, side: SideIndex, tick: number): number {
    return this.#queues.displacedAt(cellOf(outcome, side, tick));
  }

  /** Stake that takers of ours would have matched with levels outside the source's window, had those been there. */
  get stakeOutOfSight(): Money {
    return this.#outOfSight?.stakeLeftOut ?? ZERO;
  }

  /** Stops matching (the market is suspended, or not open): the recording goes on, but nothing fills. */
  pause(): void {
    this.#paused = true;
  }

  /** Resumes matching. Recorded stake that crosses our orders by then fills them at the end of the update in which the market resumes. */
  resume(): void {
    this.#meetsCrossing ||= this.#paused;
    this.#paused = false;
  }

  /** Forgets what was consumed, because the market has ended. The exchange must have withdrawn every order before. */
  release(): void {
    this.#queues.clear();
    this.#refill.clear();
    this.#outOfSight?.clear();
  }

  /**
   * Applies stake traded at a level; call it before the book falls by it. The traded stake is one budget: first what stands at better
   * prices, then this level's queue in turn. An order moves up by what of it others got: what filled orders of ours before it is displaced.
   */
  trade(cell: number, stake: number): void {
    if (!this.#paused && this.#queues.stands(rowOfCell(cell))) this.#fillFromTrade(cell, stake);
    if (!this.#queues.has(cell)) return;
    this.#queues.capConsumed(cell, this.#places.tradePassed(cell, stake));
  }

  /**
   * Applies stake traded at a price that displayed none: it passes the queue of the side on which orders of ours stand at or through the
   * price. Where own orders pass each other, both sides may: the tape does not say which one the trade would have met, and it fills neither.
   */
  hiddenTrade(cell: number, stake: number): void {
    const row = rowOfCell(cell);
    const tick = tickOfCell(cell);
    if (this.#restingThrough(row, tick) === 0) return;
    if (this.rules.ownOrders === 'pass' && this.#restingThrough(oppositeRow(row), tick) > 0) return;
    this.trade(cell, stake);
  }

  /** Applies a decrease that trades do not explain; call it before the book falls to `to`. */
  levelFell(cell: number, to: number): void {
    if (!this.#queues.has(cell)) return;
    this.#places.levelFell(cell, to);
    this.#queues.capConsumed(cell, to);
    this.#refill.levelChanges(cell);
  }

  /** Applies new recorded stake; call it after the book rose by it. It first matches opposite orders of ours that it crosses. */
  levelRose(cell: number, rise: number): void {
    this.#refill.levelChanges(cell);
    const own = oppositeRow(rowOfCell(cell));
    this.#places.meetDisplaced(own, cell, rise);
    if (this.#queues.ordersInRow(own) === 0) return;
    if (this.rules.crossing === 'reserved') this.#reserve(own, cell, rise);
    else if (!this.#paused) this.#meet(own, cell, rise);
  }

  /** Applies a last price: it fills the orders that it went through, where that rule is on. */
  lastPrice(outcome: number, tick: number): void {
    if (this.rules.lastPrice === 'ignored' || this.rules.crossing === 'reserved' || this.#paused) return;
    this.#fillThrough(rowOf(outcome, FOR), tick);
    this.#fillThrough(rowOf(outcome, AGAINST), tick);
  }

  /** Begins an update: stake that comes back with time is added. */
  updateBegins(): void {
    this.#refill.updateBegins();
  }

  /**
   * Ends an update: recorded stake fills our orders that it crosses, where the market resumed in this update, or stake came back, or
   * levels are shown again.
   */
  updateEnded(): void {
    for (const slot of this.#arriving) this.#queues.setAhead(slot, this.#places.othersAt(this.#queues.cellOf(slot)));
    this.#arriving.length = 0;
    if (this.#outOfSight !== undefined) this.#showAgain(this.#outOfSight);
    if (!(this.#meetsCrossing || this.#refill.hasCome) || this.#paused) return;
    this.#meetsCrossing = false;
    this.#refill.hasCome = false;
    if (this.rules.crossing === 'reserved') return;
    for (let row = 0; row < this.#book.outcomes * 2; row += 1) this.#meetAllCrossing(row);
  }

  /** R − X: the recorded stake that we have not consumed; 0 where the level was found gone. */
  #free(cell: number): number {
    if (this.#outOfSight?.isGone(cell) === true) return 0;
    return this.#book.stakeAt(cell) - this.#queues.consumedAt(cell);
  }

  /** Levels that were found gone and are shown again count like new stake. */
  #showAgain(outOfSight: OutOfSight): void {
    for (const cell of outOfSight.takeShownAgain()) {
      if (this.rules.crossing === 'reserved') this.#reserve(oppositeRow(rowOfCell(cell)), cell, this.#free(cell));
      else this.#meetsCrossing = true;
    }
  }

  #aheadOf(slot: number, recorded: number): number {
    return this.rules.queue === 'last' ? recorded : this.#queues.ahead(slot);
  }

  /** Takes up to `most` off an order and returns how much. */
  #take(slot: number, most: number): Money {
    const taken = this.#queues.fill(slot, most);
    if (this.#arriving.length > 0 && this.#queues.unmatched(slot) === 0) this.#arrivalEnds(slot);
    return taken;
  }

  #arrivalEnds(slot: number): void {
    const index = this.#arriving.indexOf(slot);
    if (index !== -1) this.#arriving.splice(index, 1);
  }

  #shownAt(cell: number): Money {
    const own = this.rules.ownOrders === 'pass' ? 0 : this.#queues.restingAt(cell);
    return shownStake(this.#free(cell) + own);
  }

  /** The first shown level of a row, from its next level with recorded stake and its next one with own stake on. */
  #firstShown(row: number, recorded: number, own: number): number {
    const tick = this.rules.ownOrders === 'pass' ? recorded : betterTick(sideOfRow(row), own, recorded);
    if (tick === NO_TICK || this.#shownAt(cellInRow(row, tick)) > 0) return tick;
    return this.#firstShown(row, this.#book.worseInRow(row, tick), this.#queues.worse(row, tick));
  }

  #fillFromTrade(cell: number, stake: number): void {
    const reaches = this.#passBetter(cell, stake);
    let budget = reaches;
    let passed = 0;
    while (budget > 0) {
      const slot = this.#queues.head(cell);
      // The last to arrive stands last: behind an order that is still arriving there are no others.
      if (slot === NO_ORDER || this.#arriving.includes(slot)) break;
      const others = Math.min(budget, Math.max(0, this.#aheadOf(slot, this.#book.stakeAt(cell)) - passed));
      passed += others;
      budget -= others;
      budget -= this.#queues.takeMargin(slot, budget);
      if (budget === 0) break;
      const piece = Math.min(budget, this.#queues.unmatched(slot));
      if (this.#places.displace(cell, this.#queues.next(slot), piece)) passed += piece;
      budget -= this.#fill(slot, piece);
    }
    this.#places.displace(cell, this.#queues.head(cell), stake - reaches);
  }

  /**
   * Lets a trade pass what stands at better prices, which fills our orders there, and returns what is left of its budget. Orders that
   * are still arriving use up their part of it without being filled, since it may have gone to orders that were there before.
   */
  #passBetter(cell: number, stake: number): number {
    const row = rowOfCell(cell);
    const side = sideOfRow(row);
    let budget = stake;
    let tick = this.#queues.bestStanding(row);
    while (budget > 0 && tick !== NO_TICK && isBetter(side, tick, tickOfCell(cell))) {
      const better = cellInRow(row, tick);
      budget -= this.#places.takeDisplaced(better, budget);
      const slot = this.#queues.head(better);
      if (slot === NO_ORDER || this.#arriving.includes(slot)) {
        budget -= Math.min(budget, this.#queues.restingAt(better));
        tick = this.#queues.worseStanding(row, tick);
      } else if (budget > 0) budget -= this.#fill(slot, budget);
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

  /** Reserves recorded stake of one level that crosses orders of ours in the row `own`: no order can match it. */
  #reserve(own: number, cell: number, stake: number): void {
    const reserved = Math.min(stake, this.#restingThrough(own, tickOfCell(cell)));
    if (reserved > 0) this.#refill.consumeStake(cell, reserved);
  }

  /** Lets recorded stake of one level fill orders of ours in the row `own`, best price first, each at its own price. */
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
    const opposite = oppositeRow(own);
    let tick = this.#book.bestInRow(opposite);
    while (tick !== NO_TICK) {
      const best = this.#queues.best(own);
      if (best === NO_TICK || !crosses(sideOfRow(own), best, tick)) return;
      const cell = cellInRow(opposite, tick);
      const free = this.#free(cell);
      if (free > 0 && this.#outOfSight?.isThere(cell) !== false) this.#meet(own, cell, free);
      tick = this.#book.worseInRow(opposite, tick);
    }
  }

  /** Our unmatched stake in a row that recorded stake at the tick would cross. */
  #restingThrough(own: number, tick: number): number {
    let sum = 0;
    let resting = this.#queues.best(own);
    while (resting !== NO_TICK && crosses(sideOfRow(own), resting, tick)) {
      sum += this.#queues.restingAt(cellInRow(own, resting));
      resting = this.#queues.worse(own, resting);
    }
    return sum;
  }
}
