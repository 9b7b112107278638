/** What each wallet has at stake in each market, as exposure columns with the position's R and M. */

import {
  addUnmatched,
  createExposureColumns,
  type ExposureColumns,
  measureNeeds,
  type Needs,
} from '../../core/exposure.ts';
import type { WinnersRange } from '../../core/market.ts';
import type { Money } from '../../core/number/units.ts';
import { AGAINST, type SideIndex } from '../../core/side.ts';
import { grownBytes, grownFloats, grownInts, SlotPool } from '../columns/columns.ts';
import type { Wallet } from '../records/accounts.ts';
import { measureOneWinner } from '../records/needs.ts';
import { NONE } from '../records/order-columns.ts';
import type { Market } from './market.ts';

const FIRST_CAPACITY = 64;

/** All positions, in columns by position slot; amounts in 10⁻⁶. */
export class Positions {
  readonly markets: (Market | undefined)[] = [];
  wallet = new Int32Array(FIRST_CAPACITY);
  app = new Int32Array(FIRST_CAPACITY);
  account = new Int32Array(FIRST_CAPACITY);
  /** The index of the position's first cell in `columns`. */
  base = new Int32Array(FIRST_CAPACITY);
  /** R and M as held against the account now, in 10⁻⁶. */
  required = new Float64Array(FIRST_CAPACITY);
  matched = new Float64Array(FIRST_CAPACITY);
  /** What settlement or voiding paid, so that a resettlement can take it back. */
  paid = new Float64Array(FIRST_CAPACITY);
  firstOrder = new Int32Array(FIRST_CAPACITY);
  lastOrder = new Int32Array(FIRST_CAPACITY);
  firstLive = new Int32Array(FIRST_CAPACITY);
  walletNext = new Int32Array(FIRST_CAPACITY);
  walletPrevious = new Int32Array(FIRST_CAPACITY);
  /** The number of the last round of postings that touched the position. */
  touchedIn = new Float64Array(FIRST_CAPACITY);
  columns: ExposureColumns = createExposureColumns(256);
  removed = new Uint8Array(256);
  readonly needs: Needs = { required: 0 as Money, matched: 0 as Money };
  readonly #slots = new SlotPool();
  readonly #freeBases = new Map<number, number[]>();
  readonly #shape: { firstSlot: number; outcomes: number; winners: WinnersRange; removed: Uint8Array };
  #cells = 0;

  constructor() {
    this.#shape = { firstSlot: 0, outcomes: 0, winners: { min: 1, max: 1 }, removed: this.removed };
  }

  create(wallet: Wallet, market: Market, account: number): number {
    const slot = this.#slots.acquire();
    if (slot >= this.wallet.length) this.#grow(this.wallet.length * 2);
    this.markets[slot] = market;
    this.wallet[slot] = wallet.id;
    this.app[slot] = wallet.app;
    this.account[slot] = account;
    this.required[slot] = 0;
    this.matched[slot] = 0;
    this.paid[slot] = 0;
    this.firstOrder[slot] = NONE;
    this.lastOrder[slot] = NONE;
    this.firstLive[slot] = NONE;
    this.touchedIn[slot] = 0;
    this.base[slot] = this.#takeCells(market);
    this.walletNext[slot] = wallet.firstPosition;
    this.walletPrevious[slot] = NONE;
    if (wallet.firstPosition !== NONE) this.walletPrevious[wallet.firstPosition] = slot;
    wallet.firstPosition = slot;
    market.enter(wallet.id, slot);
    return slot;
  }

  forget(wallet: Wallet, market: Market, slot: number): void {
    const next = this.walletNext[slot] ?? NONE;
    const previous = this.walletPrevious[slot] ?? NONE;
    if (previous === NONE) wallet.firstPosition = next;
    else this.walletNext[previous] = next;
    if (next !== NONE) this.walletPrevious[next] = previous;
    market.leave(wallet.id);
    this.markets[slot] = undefined;
    const free = this.#freeBases.get(market.outcomes);
    const base = this.baseOf(slot);
    if (free === undefined) this.#freeBases.set(market.outcomes, [base]);
    else free.push(base);
    this.#slots.release(slot);
  }

  baseOf(slot: number): number {
    return this.base[slot] ?? 0;
  }

  accountOf(slot: number): number {
    return this.account[slot] ?? NONE;
  }

  requiredOf(slot: number): Money {
    return (this.required[slot] ?? 0) as Money;
  }

  matchedOf(slot: number): Money {
    return (this.matched[slot] ?? 0) as Money;
  }

  /** Computes R and M of the position from its cells into `needs`. */
  measure(slot: number, market: Market): Needs {
    const base = this.baseOf(slot);
    const isMeasured =
      market.hasOneWinner && measureOneWinner(this.columns, this.removed, base, market.outcomes, this.needs);
    if (isMeasured) return this.needs;
    const shape = this.#shape;
    shape.firstSlot = base;
    shape.outcomes = market.outcomes;
    shape.winners = market.winnersRange;
    shape.removed = this.removed;
    measureNeeds(this.columns, shape, this.needs);
    return this.needs;
  }

  /** Books a change of an order's unmatched stake; `risk` is the rise of its unmatchedRisk. */
  moveUnmatched(slot: number, outcome: number, side: SideIndex, risk: number): void {
    addUnmatched(this.columns, this.baseOf(slot) + outcome, side, risk as Money);
  }

  /** Books a match. `winnings` and `losings` are the backer's profit and stake, on either side. */
  book(slot: number, outcome: number, side: SideIndex, winnings: number, losings: number): void {
    const cell = this.baseOf(slot) + outcome;
    const { win, lose } = this.columns;
    const sign = 1 - 2 * side;
    win[cell] = (win[cell] ?? 0) + sign * winnings;
    lose[cell] = (lose[cell] ?? 0) - sign * losings;
  }

  /** Books a match of stake that was unmatched until now; `released` is the risk that the stake had. */
  fill(slot: number, outcome: number, side: SideIndex, released: number, winnings: number, losings: number): void {
    const cell = this.baseOf(slot) + outcome;
    const { win, lose, unmatchedWin, unmatchedLose } = this.columns;
    const unmatched = side === AGAINST ? unmatchedWin : unmatchedLose;
    unmatched[cell] = (unmatched[cell] ?? 0) - released;
    const sign = 1 - 2 * side;
    win[cell] = (win[cell] ?? 0) + sign * winnings;
    lose[cell] = (lose[cell] ?? 0) - sign * losings;
  }

  #takeCells(market: Market): number {
    const reused = this.#freeBases.get(market.outcomes)?.pop();
    const base = reused ?? this.#cells;
    if (reused === undefined) this.#cells += market.outcomes;
    while (this.#cells > this.removed.length) this.#growCells(this.removed.length * 2);
    for (let i = 0; i < market.outcomes; i += 1) {
      this.columns.win[base + i] = 0;
      this.columns.lose[base + i] = 0;
      this.columns.unmatchedWin[base + i] = 0;
      this.columns.unmatchedLose[base + i] = 0;
      this.removed[base + i] = market.removed[i] ?? 0;
    }
    return base;
  }

  #growCells(cells: number): void {
    this.columns = {
      win: grownFloats(this.columns.win, cells),
      lose: grownFloats(this.columns.lose, cells),
      unmatchedWin: grownFloats(this.columns.unmatchedWin, cells),
      unmatchedLose: grownFloats(this.columns.unmatchedLose, cells),
    };
    this.removed = grownBytes(this.removed, cells);
  }

  #grow(capacity: number): void {
    this.wallet = grownInts(this.wallet, capacity);
    this.app = grownInts(this.app, capacity);
    this.account = grownInts(this.account, capacity);
    this.base = grownInts(this.base, capacity);
    this.required = grownFloats(this.required, capacity);
    this.matched = grownFloats(this.matched, capacity);
    this.paid = grownFloats(this.paid, capacity);
    this.firstOrder = grownInts(this.firstOrder, capacity);
    this.lastOrder = grownInts(this.lastOrder, capacity);
    this.firstLive = grownInts(this.firstLive, capacity);
    this.walletNext = grownInts(this.walletNext, capacity);
    this.walletPrevious = grownInts(this.walletPrevious, capacity);
    this.touchedIn = grownFloats(this.touchedIn, capacity);
  }
}
