/** The book that a view replays: the simulator's own, and a slower one where a market has other prices than the ladder's. */

import { NO_TICK } from '../../../../core/number/ladder.ts';
import type { Money } from '../../../../core/number/units.ts';
import { AGAINST, FOR, type SideIndex } from '../../../../core/side.ts';
import type { RecordSink } from '../../../../recording/segment/update.ts';
import { RecordedBook } from '../../../../simulator/overlay/recorded-book.ts';
import type { MarketScale } from './market-scale.ts';

/** Its ticks are places among the prices of the market. A row is one resting side of one outcome, at outcome × 2 + side. */
export interface MarketBook extends RecordSink {
  readonly outcomes: number;
  amountAt(outcome: number, side: SideIndex, tick: number): Money;
  bestTick(outcome: number, side: SideIndex): number;
  bestInRow(row: number): number;
  worseInRow(row: number, tick: number): number;
  traded(outcome: number): Money;
  tradedAt(outcome: number, tick: number): Money;
  lastTick(outcome: number): number;
}

export function emptyBook(outcomes: number, scale: MarketScale): MarketBook {
  return scale.own === undefined ? new RecordedBook(outcomes) : new OwnPriceBook(outcomes);
}

/** Stakes by place. Such markets are looked at and not traded: the best price is searched for each time. */
class OwnPriceBook implements MarketBook {
  readonly outcomes: number;
  readonly #rows: readonly Map<number, number>[];
  readonly #traded: readonly Map<number, number>[];
  readonly #last: Int16Array;

  constructor(outcomes: number) {
    this.outcomes = outcomes;
    this.#rows = Array.from({ length: outcomes * 2 }, () => new Map());
    this.#traded = Array.from({ length: outcomes }, () => new Map());
    this.#last = new Int16Array(outcomes).fill(NO_TICK);
  }

  setLevel(outcome: number, side: SideIndex, tick: number, stake: number): void {
    const row = this.#rows[outcome * 2 + side];
    if (stake > 0) row?.set(tick, stake);
    else row?.delete(tick);
  }

  addTraded(outcome: number, tick: number, stake: number): void {
    this.#traded[outcome]?.set(tick, this.tradedAt(outcome, tick) + stake);
  }

  setLastTick(outcome: number, tick: number): void {
    this.#last[outcome] = tick;
  }

  /** A view shows none. */
  setStartingPrice(): void {}

  amountAt(outcome: number, side: SideIndex, tick: number): Money {
    return (this.#rows[outcome * 2 + side]?.get(tick) ?? 0) as Money;
  }

  bestTick(outcome: number, side: SideIndex): number {
    return this.bestInRow(outcome * 2 + side);
  }

  bestInRow(row: number): number {
    return this.#nearest(row, (row & 1) === FOR ? NO_TICK : Number.POSITIVE_INFINITY);
  }

  worseInRow(row: number, tick: number): number {
    return this.#nearest(row, tick);
  }

  /** The first tick above `from` of what can be laid, below it of what can be backed; NO_TICK where there is none. */
  #nearest(row: number, from: number): number {
    const isBelow = (row & 1) === AGAINST;
    let nearest = NO_TICK;
    for (const tick of this.#rows[row]?.keys() ?? []) {
      if (isBelow ? tick >= from : tick <= from) continue;
      if (nearest === NO_TICK || (isBelow ? tick > nearest : tick < nearest)) nearest = tick;
    }
    return nearest;
  }

  traded(outcome: number): Money {
    return [...(this.#traded[outcome]?.values() ?? [])].reduce((sum, stake) => sum + stake, 0) as Money;
  }

  tradedAt(outcome: number, tick: number): Money {
    return (this.#traded[outcome]?.get(tick) ?? 0) as Money;
  }

  lastTick(outcome: number): number {
    return this.#last[outcome] ?? NO_TICK;
  }
}
