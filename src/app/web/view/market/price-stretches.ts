/** Least and greatest best prices of a market over its time, in stretches of equal length, and how many updates each has. */

import { NO_TICK } from '../../../../core/number/ladder.ts';
import { AGAINST, FOR } from '../../../../core/side.ts';
import type { ViewPriceColumns, ViewPrices } from '../../../../pages/view-data.ts';
import { LEVEL, type UpdateColumns } from '../../../../recording/segment/update.ts';
import type { MarketBook } from './market-book.ts';
import type { MarketScale } from './market-scale.ts';

const STRETCHES = 600;
/** Back low and high, lay low and high. */
const CELLS = 4;

export class PriceStretches {
  readonly #book: MarketBook;
  readonly #scale: MarketScale;
  readonly #startAt: number;
  readonly #stretchMs: number;
  readonly #updates: Uint32Array;
  /** The ticks by outcome, stretch and cell. */
  readonly #ticks: Int16Array;
  #stretch = 0;
  /** Whether all outcomes were read in this stretch. */
  #isRead = false;

  constructor(book: MarketBook, scale: MarketScale, span: { readonly firstAt: number; readonly lastAt: number }) {
    const ms = span.lastAt - span.firstAt;
    this.#book = book;
    this.#scale = scale;
    this.#startAt = span.firstAt;
    this.#stretchMs = Math.ceil((ms + 1) / STRETCHES);
    this.#updates = new Uint32Array(Math.floor(ms / this.#stretchMs) + 1);
    this.#ticks = new Int16Array(book.outcomes * this.#updates.length * CELLS).fill(NO_TICK);
  }

  /** Call it before the book changes at this time: what was in force until then counts in each stretch that has begun. */
  moveTo(at: number, isTraded: boolean): void {
    const stretch = Math.floor((at - this.#startAt) / this.#stretchMs);
    while (this.#stretch < stretch) {
      this.#stretch += 1;
      const hadTime = this.#startAt + this.#stretch * this.#stretchMs < at;
      this.#isRead = isTraded && hadTime;
      if (this.#isRead) this.readAll();
    }
    this.#updates[stretch] = (this.#updates[stretch] ?? 0) + 1;
  }

  /** Call it when the market is traded and these levels of its book have changed. */
  changed({ count, kind, outcome }: UpdateColumns): void {
    // A stretch that begins with this very update knows no outcome yet.
    if (!this.#isRead) return this.readAll();
    for (let i = 0; i < count; i += 1) if (kind[i] === LEVEL) this.#read(outcome[i] ?? 0);
  }

  readAll(): void {
    this.#isRead = true;
    for (let outcome = 0; outcome < this.#book.outcomes; outcome += 1) this.#read(outcome);
  }

  shown(): ViewPrices {
    return {
      startAt: this.#startAt,
      stretchMs: this.#stretchMs,
      updates: [...this.#updates],
      outcomes: Array.from({ length: this.#book.outcomes }, (_, outcome) => this.#columnsOf(outcome)),
    };
  }

  #read(outcome: number): void {
    const at = (outcome * this.#updates.length + this.#stretch) * CELLS;
    this.#widen(at, this.#book.bestTick(outcome, AGAINST));
    this.#widen(at + 2, this.#book.bestTick(outcome, FOR));
  }

  #columnsOf(outcome: number): ViewPriceColumns {
    const stretches = this.#updates.length;
    const column = (cell: number): (number | null)[] =>
      Array.from({ length: stretches }, (_, stretch) => {
        const tick = this.#ticks[(outcome * stretches + stretch) * CELLS + cell] ?? NO_TICK;
        return tick === NO_TICK ? null : this.#scale.decimalAt(tick);
      });
    return { backLow: column(0), backHigh: column(1), layLow: column(2), layHigh: column(3) };
  }

  /** The lowest of a stretch is at `low`, the highest beside it. */
  #widen(low: number, tick: number): void {
    if (tick === NO_TICK) return;
    const ticks = this.#ticks;
    if (ticks[low] === NO_TICK || tick < (ticks[low] ?? 0)) ticks[low] = tick;
    if (tick > (ticks[low + 1] ?? 0)) ticks[low + 1] = tick;
  }
}
