/** One market of the exposure book: its positions as a whole, of each strategy in it and of each wallet in it. */

import { defined } from '../../core/checks/assert.ts';
import type { WinnersRange } from '../../core/market.ts';
import type { SideIndex } from '../../core/side.ts';
import type { ExposureMarket, ExposureOrder } from './exposed.ts';
import { add, applyTo, type Sum, subtract, sumAt } from './exposure-sums.ts';
import type { LiveOrders } from './live-orders.ts';
import { Position, type PositionChange } from './position.ts';
import type { PositionColumns } from './position-columns.ts';

/** The sum of an event over its markets, and how many of these are open. */
export interface EventSum extends Sum {
  markets: number;
}

/** The sums of each strategy and of each wallet, by index. */
export interface OwnerSums {
  readonly byStrategy: Sum[];
  readonly byWallet: Sum[];
}

export class MarketExposure {
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
  /** True while one strategy trades here with one wallet: its position, the wallet's and the whole are one object. */
  #isShared = false;

  constructor(facts: ExposureMarket, event: EventSum, columns: PositionColumns, sums: OwnerSums) {
    this.facts = facts;
    this.event = event;
    this.#winners = facts.winners;
    this.#columns = columns;
    this.#sums = sums;
  }

  ofMarket(order: ExposureOrder): Position {
    this.#ensurePositions(order);
    return defined(this.whole, 'an order has its positions once they are opened');
  }

  ofStrategy(order: ExposureOrder): Position {
    this.#ensurePositions(order);
    return defined(this.byStrategy[order.strategy], 'an order has its positions once they are opened');
  }

  ofWallet(order: ExposureOrder): Position {
    this.#ensurePositions(order);
    return defined(this.byWallet[order.wallet], 'an order has its positions once they are opened');
  }

  /** Books a change in each position that the order belongs to, and in their sums. */
  apply(order: ExposureOrder, side: SideIndex, change: PositionChange): void {
    const { outcome } = order;
    const whole = this.ofMarket(order);
    const strategySum = sumAt(this.#sums.byStrategy, order.strategy);
    const walletSum = sumAt(this.#sums.byWallet, order.wallet);
    if (this.#isShared) {
      subtract(strategySum, whole);
      subtract(walletSum, whole);
      applyTo(whole, this.event, outcome, side, change);
      add(strategySum, whole);
      add(walletSum, whole);
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
    if (winners.min === this.#winners.min && winners.max === this.#winners.max) return;
    this.#winners = winners;
    this.#forEach((position) => position.setWinners(winners));
  }

  /** Releases the slots of all positions; this object must not be used again. */
  drop(): void {
    this.#forEach((position) => position.drop());
  }

  /** Makes all positions that an order lacks at once: the code that holds one of them may ask for the next. */
  #ensurePositions({ strategy, wallet }: ExposureOrder): void {
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
    if (this.#isShared) this.#separate(this.whole);
    this.byStrategy[strategy] ??= this.#newPosition();
    this.byWallet[wallet] ??= this.#newPosition();
  }

  /** A second strategy or wallet begins to trade here: the one shared position becomes three. */
  #separate(shared: Position): void {
    this.byStrategy[this.byStrategy.indexOf(shared)] = shared.copy();
    this.byWallet[this.byWallet.indexOf(shared)] = shared.copy();
    this.#isShared = false;
  }

  #newPosition(): Position {
    const position = new Position(this.#columns, { outcomes: this.facts.outcomes, winners: this.#winners });
    for (const outcome of this.#removed) position.removeOutcome(outcome);
    return position;
  }

  /** Changes each position, a shared one only once, and carries the differences into the sums. */
  #forEach(act: (position: Position) => void): void {
    const held = this.#positionsBySum();
    for (const [sum, position] of held) subtract(sum, position);
    for (const position of new Set(held.map(([, each]) => each))) act(position);
    for (const [sum, position] of held) add(sum, position);
  }

  #positionsBySum(): readonly (readonly [Sum, Position])[] {
    if (this.whole === undefined) return [];
    const { byStrategy, byWallet } = this.#sums;
    const held: (readonly [Sum, Position])[] = [[this.event, this.whole]];
    for (const [index, position] of this.byStrategy.entries())
      if (position) held.push([sumAt(byStrategy, index), position]);
    for (const [index, position] of this.byWallet.entries())
      if (position) held.push([sumAt(byWallet, index), position]);
    return held;
  }
}
