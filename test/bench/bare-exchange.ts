/**
 * The least that an exchange with accounts does: the bound of the row `exchange`. The same book, exposure and event log, and
 * nothing remembered once it is over: no trades, no statuses, no lists by market and wallet, no refusals but for funds, no rounds
 * of postings, no delays, no settlement.
 */

import { createExposureColumns, type Needs, unmatchedRisk } from '../../src/core/exposure.ts';
import { NO_TICK, priceOfTick, type Tick } from '../../src/core/number/ladder.ts';
import { type Money, type Price, profitAt } from '../../src/core/number/units.ts';
import { AGAINST, crosses, FOR, oppositeIndex, type SideIndex, sideIndex } from '../../src/core/side.ts';
import type { FillSink } from '../../src/matching/book/liquidity.ts';
import { OrderBook, QueueColumns } from '../../src/matching/book/order-book.ts';
import { SlotPool } from '../../src/matching/columns/columns.ts';
import { IdTable } from '../../src/matching/columns/id-table.ts';
import { CANCELLED, MATCHED, PARTIALLY_MATCHED, transactionCode } from '../../src/matching/messages/codes.ts';
import type { Command, PlaceRequest } from '../../src/matching/messages/command.ts';
import { NO_INSTANT, NO_REASON } from '../../src/matching/messages/event-codec.ts';
import { EventLog } from '../../src/matching/messages/event-log.ts';
import { measureOneWinner } from '../../src/matching/records/needs.ts';
import { FIRST_WALLET, WALLETS } from './exchange-run.ts';
import { LIVE_MAX } from './flow.ts';

const WALLETS_MAX = FIRST_WALLET + WALLETS;
/** A taker may live for a moment beside the most that rest. */
const SLOTS = 2 * LIVE_MAX;
const POSTING = transactionCode('TradeCreation');
const DEPOSIT = 1e14;
const ESCROW = 0;

export class BareExchange implements FillSink {
  readonly events = new EventLog();
  readonly #outcomes: number;
  readonly #book: OrderBook;
  readonly #slotById = new IdTable();
  readonly #slots = new SlotPool();
  readonly #columns;
  readonly #removed: Uint8Array;
  readonly #needs: Needs = { required: 0 as Money, matched: 0 as Money };
  /** By wallet: R and M as they are held, and what is left for others. */
  readonly #required = new Float64Array(WALLETS_MAX);
  readonly #matchedLoss = new Float64Array(WALLETS_MAX);
  readonly #available = new Float64Array(WALLETS_MAX).fill(DEPOSIT);
  /** By slot of a live order. */
  readonly #id = new Float64Array(SLOTS);
  readonly #left = new Float64Array(SLOTS);
  readonly #wallet = new Int32Array(SLOTS);
  readonly #cell = new Int32Array(SLOTS);
  readonly #side = new Uint8Array(SLOTS);
  readonly #tick = new Int16Array(SLOTS);
  readonly #level: { outcome: number; side: SideIndex; tick: number } = { outcome: 0, side: FOR, tick: 0 };
  readonly #resting = { slot: 0, outcome: 0, side: FOR as SideIndex, tick: 0, stake: 0 as Money };
  #price = 0 as Price;
  #taker = 0;
  #nextId = 0;
  /** Pieces matched, of makers and takers both. */
  #trades = 0;
  #escrow = 0;
  /** Stake matched, of makers alone. */
  #matched = 0;

  constructor(outcomes: number) {
    this.#outcomes = outcomes;
    this.#book = new OrderBook(new QueueColumns(), outcomes);
    this.#columns = createExposureColumns(WALLETS_MAX * outcomes);
    this.#removed = new Uint8Array(WALLETS_MAX * outcomes);
  }

  get fills(): number {
    return this.#trades / 2;
  }

  get matched(): number {
    return this.#matched;
  }

  /** Whether no money came or went: what wallets have, what is held of it, and what is in escrow, is what was paid in. */
  isConserved(): boolean {
    let total = this.#escrow;
    for (let wallet = 0; wallet < WALLETS_MAX; wallet += 1) {
      const held = (this.#required[wallet] ?? 0) - (this.#matchedLoss[wallet] ?? 0);
      total += (this.#available[wallet] ?? 0) + held;
    }
    return total === WALLETS_MAX * DEPOSIT;
  }

  apply(command: Command): void {
    if (command.kind === 'place') {
      const { requests } = command;
      for (let item = 0; item < requests.length; item += 1) {
        const request = requests[item];
        if (request !== undefined) this.#place(item, request);
      }
    } else if (command.kind === 'cancel') {
      const { orders = [] } = command;
      for (let i = 0; i < orders.length; i += 1) this.#cancel(orders[i] ?? 0);
    }
  }

  filled(maker: number, stake: Money): void {
    const winnings = profitAt(stake, this.#price);
    const left = (this.#left[maker] ?? 0) - stake;
    this.#left[maker] = left;
    const side: SideIndex = this.#side[maker] === FOR ? FOR : AGAINST;
    const released =
      side === FOR ? stake : profitAt((left + stake) as Money, this.#price) - profitAt(left as Money, this.#price);
    this.#risk(side, this.#cell[maker] ?? 0, -released);
    this.#bookMatch(this.#cell[maker] ?? 0, side, winnings, stake);
    this.#bookMatch(this.#cell[this.#taker] ?? 0, oppositeIndex(side), winnings, stake);
    const { events } = this;
    events.orderMatched(this.#trades, this.#id[maker] ?? 0, this.#price, stake);
    events.orderChanged(this.#id[maker] ?? 0, left === 0 ? MATCHED : PARTIALLY_MATCHED, left, 0, NO_REASON);
    events.orderMatched(this.#trades + 1, this.#id[this.#taker] ?? 0, this.#price, stake);
    this.#trades += 2;
    this.#matched += stake;
    this.#hold(this.#wallet[maker] ?? 0);
    if (left === 0) this.#forget(maker);
  }

  #place(item: number, request: PlaceRequest): void {
    const { wallet, outcome, tick, stake } = request;
    const side = sideIndex(request.side);
    const cell = wallet * this.#outcomes + outcome;
    this.#risk(side, cell, unmatchedRisk(side, stake, priceOfTick(tick)));
    this.#measure(wallet);
    const rise = this.#needs.required - (this.#required[wallet] ?? 0);
    if (rise > (this.#available[wallet] ?? 0)) throw new RangeError('the flow never spends all of a deposit');
    this.#required[wallet] = this.#needs.required;
    this.#available[wallet] = (this.#available[wallet] ?? 0) - rise;
    const slot = this.#slots.acquire();
    const id = this.#nextId;
    this.#nextId = id + 1;
    this.#slotById.set(id, slot);
    this.#id[slot] = id;
    this.#left[slot] = stake;
    this.#wallet[slot] = wallet;
    this.#cell[slot] = cell;
    this.#side[slot] = side;
    this.#tick[slot] = tick;
    this.events.orderAccepted(1, item, id, NO_INSTANT);
    const left = this.#match(slot, outcome, side, tick, stake);
    if (left === 0) this.#forget(slot);
    else this.#rest(slot, outcome, side, tick, left);
  }

  /** What is left of the order. */
  #match(taker: number, outcome: number, side: SideIndex, tick: Tick, stake: Money): Money {
    const level = this.#level;
    level.outcome = outcome;
    level.side = oppositeIndex(side);
    this.#taker = taker;
    let left: number = stake;
    while (left > 0) {
      const best = this.#book.bestTick(outcome, level.side);
      if (best === NO_TICK || !crosses(side, tick, best)) break;
      level.tick = best;
      this.#price = priceOfTick(best as Tick);
      left -= this.#book.consume(level, left as Money, this);
    }
    if (left === stake) return stake;
    const limit = priceOfTick(tick);
    this.#left[taker] = left;
    this.#risk(
      side,
      this.#cell[taker] ?? 0,
      unmatchedRisk(side, left as Money, limit) - unmatchedRisk(side, stake, limit),
    );
    this.#hold(this.#wallet[taker] ?? 0);
    this.events.orderChanged(this.#id[taker] ?? 0, left === 0 ? MATCHED : PARTIALLY_MATCHED, left, 0, NO_REASON);
    return left as Money;
  }

  #rest(slot: number, outcome: number, side: SideIndex, tick: Tick, stake: Money): void {
    const resting = this.#resting;
    resting.slot = slot;
    resting.outcome = outcome;
    resting.side = side;
    resting.tick = tick;
    resting.stake = stake;
    this.#book.rest(resting);
  }

  #cancel(id: number): void {
    const slot = this.#slotById.get(id);
    if (slot < 0) return;
    this.#book.withdraw(slot);
    const left = (this.#left[slot] ?? 0) as Money;
    const side: SideIndex = this.#side[slot] === FOR ? FOR : AGAINST;
    this.#risk(side, this.#cell[slot] ?? 0, -unmatchedRisk(side, left, priceOfTick((this.#tick[slot] ?? 0) as Tick)));
    this.#hold(this.#wallet[slot] ?? 0);
    this.events.orderChanged(id, CANCELLED, 0, left, NO_REASON);
    this.#forget(slot);
  }

  #forget(slot: number): void {
    this.#slotById.delete(this.#id[slot] ?? 0);
    this.#slots.release(slot);
  }

  #risk(side: SideIndex, cell: number, change: number): void {
    const column = side === FOR ? this.#columns.unmatchedLose : this.#columns.unmatchedWin;
    column[cell] = (column[cell] ?? 0) + change;
  }

  #bookMatch(cell: number, side: SideIndex, winnings: number, losings: number): void {
    const { win, lose } = this.#columns;
    const sign = 1 - 2 * side;
    win[cell] = (win[cell] ?? 0) + sign * winnings;
    lose[cell] = (lose[cell] ?? 0) - sign * losings;
  }

  #measure(wallet: number): void {
    const outcomes = this.#outcomes;
    measureOneWinner(this.#columns, this.#removed, wallet * outcomes, outcomes, this.#needs);
  }

  /** Holds R and M anew, and posts what M changed by. */
  #hold(wallet: number): void {
    this.#measure(wallet);
    const { required, matched } = this.#needs;
    this.#available[wallet] = (this.#available[wallet] ?? 0) - (required - (this.#required[wallet] ?? 0));
    this.#required[wallet] = required;
    const amount = matched - (this.#matchedLoss[wallet] ?? 0);
    if (amount === 0) return;
    this.#matchedLoss[wallet] = matched;
    this.#escrow += amount;
    this.events.transaction(wallet, 0, POSTING, -amount, 0);
    this.events.transaction(ESCROW, 0, POSTING, amount, 0);
  }
}
