/** The recorded book of a market at one moment, in compact columns, and as a page shows it. */

import { NO_TICK } from '../../../../core/number/ladder.ts';
import { type Money, moneyToDecimal } from '../../../../core/number/units.ts';
import { AGAINST, FOR, type SideIndex } from '../../../../core/side.ts';
import type { ViewBook } from '../../../../pages/view-data.ts';
import type { MarketBook } from './market-book.ts';
import type { MarketScale } from './market-scale.ts';

/** Ten bytes a cell: a level that holds stake, or a price at which something was traded. */
export class BookPicture {
  /** Three starts for each outcome: resting For stake, resting Against stake, traded; and the end of the last. */
  readonly #starts: Uint32Array;
  readonly #ticks: Int16Array;
  readonly #amounts: Float64Array;
  readonly #last: Int16Array;

  constructor(book: MarketBook, { size }: MarketScale) {
    const starts = [0];
    const ticks: number[] = [];
    const amounts: number[] = [];
    for (let outcome = 0; outcome < book.outcomes; outcome += 1) {
      for (const cells of [
        levelsOf(book, outcome, FOR),
        levelsOf(book, outcome, AGAINST),
        tradedOf(book, outcome, size),
      ]) {
        for (const [tick, amount] of cells) {
          ticks.push(tick);
          amounts.push(amount);
        }
        starts.push(ticks.length);
      }
    }
    this.#starts = Uint32Array.from(starts);
    this.#ticks = Int16Array.from(ticks);
    this.#amounts = Float64Array.from(amounts);
    this.#last = Int16Array.from({ length: book.outcomes }, (_, outcome) => book.lastTick(outcome));
  }

  get cells(): number {
    return this.#ticks.length;
  }

  /** Brings an empty book into this state. */
  into(book: MarketBook): void {
    for (let outcome = 0; outcome < this.#last.length; outcome += 1) {
      this.#each(outcome * 3, (tick, amount) => book.setLevel(outcome, FOR, tick, amount));
      this.#each(outcome * 3 + 1, (tick, amount) => book.setLevel(outcome, AGAINST, tick, amount));
      this.#each(outcome * 3 + 2, (tick, amount) => book.addTraded(outcome, tick, amount));
      book.setLastTick(outcome, this.#last[outcome] ?? NO_TICK);
    }
  }

  #each(row: number, take: (tick: number, amount: number) => void): void {
    const end = this.#starts[row + 1] ?? 0;
    for (let at = this.#starts[row] ?? 0; at < end; at += 1) take(this.#ticks[at] ?? 0, this.#amounts[at] ?? 0);
  }
}

export function shownBook(book: MarketBook, scale: MarketScale): ViewBook {
  const outcomes = Array.from({ length: book.outcomes }, (_, outcome) => {
    const last = book.lastTick(outcome);
    return {
      for: decimals(levelsOf(book, outcome, FOR), scale),
      against: decimals(levelsOf(book, outcome, AGAINST), scale),
      traded: decimals(tradedOf(book, outcome, scale.size), scale),
      last: last === NO_TICK ? undefined : scale.decimalAt(last),
    };
  });
  return { outcomes };
}

type Cell = readonly [tick: number, amount: number];

/** Best first. */
function* levelsOf(book: MarketBook, outcome: number, side: SideIndex): Generator<Cell> {
  const row = outcome * 2 + side;
  for (let tick = book.bestInRow(row); tick !== NO_TICK; tick = book.worseInRow(row, tick))
    yield [tick, book.amountAt(outcome, side, tick)];
}

function* tradedOf(book: MarketBook, outcome: number, ticks: number): Generator<Cell> {
  if (book.traded(outcome) === 0) return;
  for (let tick = 0; tick < ticks; tick += 1) {
    const amount = book.tradedAt(outcome, tick);
    if (amount !== 0) yield [tick, amount];
  }
}

function decimals(cells: Iterable<Cell>, scale: MarketScale): readonly (readonly [price: number, stake: number])[] {
  return Array.from(cells, ([tick, amount]) => [scale.decimalAt(tick), moneyToDecimal(amount as Money)]);
}
