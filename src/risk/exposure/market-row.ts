/** One market of the exposure book: its positions as a whole, of each strategy in it and of each wallet in it. */

import { defined } from '../../core/checks/assert.ts';
import type { WinnersRange } from '../../core/market.ts';
import type { SideIndex } from '../../core/side.ts';
import type { ExposureMarket, ExposureOrder } from './exposed.ts';
import { applyTo, follow, type Sum, sumAt, track } from './exposure-sums.ts';
import type { LiveOrders } from './live-orders.ts';
import { Position, type PositionChange } from './position.ts';
import type { PositionColumns } from './position-columns.ts';

/** Of an event, over its markets. */
export interface EventSum extends Sum {
  markets: number;
}

/** Of all strategies and of all wallets, by index. */
export interface OwnerSums {
  readonly byStrategy: Sum[];
  readonly byWallet: Sum[];
}

export class MarketRow {
  readonly facts: ExposureMarket;
  readonly event: EventSum;
  /** Made with the first order. */
  live: LiveOrders | undefined;
  whole: Position | undefined;
  readonly byStrategy: (Position | undefined)[] = [];
  readonly byWallet: (Position | undefined)[] = [];
  readonly #columns: PositionColumns;
  readonly #sums: OwnerSums;
  readonly #removed = new Set<number>();
  #winners: WinnersRange;
  /** As long as one strategy trades here with one wallet: its position, the wallet's and the whole are one object. */
  #isShared = false;

  constructor(facts: ExposureMarket, event: EventSum, columns: PositionColumns, sums: OwnerSums) {
    this.facts = facts;
    this.event = event;
    this.#winners = facts.winners;
    this.#columns = columns;
    this.#sums = sums;
  }

  ofMarket(order: ExposureOrder): Position {
    this.#seat(order);
    return defined(this.whole, 'a seated order has its positions');
  }

  ofStrategy(order: ExposureOrder): Position {
    this.#seat(order);
    return defined(this.byStrategy[order.strategy], 'a seated order has its positions');
  }

  ofWallet(order: ExposureOrder): Position {
    this.#seat(order);
    return defined(this.byWallet[order.wallet], 'a seated order has its positions');
  }

  /** Books a change in each position that the order belongs to, and in their sums. */
  apply(order: ExposureOrder, side: SideIndex, change: PositionChange): void {
    const { outcome } = order;
    const whole = this.ofMarket(order);
    const strategySum = sumAt(this.#sums.byStrategy, order.strategy);
    const walletSum = sumAt(this.#sums.byWallet, order.wallet);
    if (this.#isShared) {
      const { required, matched } = whole;
      whole.apply(outcome, side, change);
      follow(this.event, whole, required, matched);
      follow(strategySum, whole, required, matched);
      follow(walletSum, whole, required, matched);
      return;
    }
    applyTo(whole, this.event, outcome, side, change);
    applyTo(this.ofStrategy(order), strategySum, outcome, side, change);
    applyTo(this.ofWallet(order), walletSum, outcome, side, change);
  }

  removeOutcome(outcome: number): void {
    if (this.#removed.has(outcome)) return;
    this.#removed.add(outcome);
    this.#forEach((position) => position.removeOutcome(outcome));
  }

  setWinners(winners: WinnersRange): void {
    this.#winners = winners;
    this.#forEach((position) => position.setWinners(winners));
  }

  /** Gives all cells back; the row must not be used again. */
  drop(): void {
    this.#forEach((position) => position.drop());
  }

  /** Makes the positions that an order lacks, all of them: whoever holds one may ask for the next. */
  #seat({ strategy, wallet }: ExposureOrder): void {
    if (this.byStrategy[strategy] === undefined || this.byWallet[wallet] === undefined) this.#open(strategy, wallet);
  }

  #open(strategy: number, wallet: number): void {
    if (this.whole === undefined) {
      this.whole = this.#newPosition();
      this.byStrategy[strategy] = this.whole;
      this.byWallet[wallet] = this.whole;
      this.#isShared = true;
      return;
    }
    if (this.#isShared) this.#part(this.whole);
    this.byStrategy[strategy] ??= this.#newPosition();
    this.byWallet[wallet] ??= this.#newPosition();
  }

  /** Another strategy or wallet comes: what was one object becomes three. */
  #part(shared: Position): void {
    this.byStrategy[this.byStrategy.indexOf(shared)] = shared.copy();
    this.byWallet[this.byWallet.indexOf(shared)] = shared.copy();
    this.#isShared = false;
  }

  #newPosition(): Position {
    const position = new Position(this.#columns, { outcomes: this.facts.outcomes, winners: this.#winners });
    for (const outcome of this.#removed) position.removeOutcome(outcome);
    return position;
  }

  /** Lets each position change, one object once; the sums follow. */
  #forEach(act: (position: Position) => void): void {
    const { whole } = this;
    if (whole === undefined) return;
    const { required, matched } = whole;
    track(whole, this.event, act);
    const owners = [
      [this.byStrategy, this.#sums.byStrategy],
      [this.byWallet, this.#sums.byWallet],
    ] as const;
    for (const [positions, sums] of owners) {
      for (const [owner, position] of positions.entries()) {
        if (position === whole) follow(sumAt(sums, owner), whole, required, matched);
        else if (position !== undefined) track(position, sumAt(sums, owner), act);
      }
    }
  }
}
