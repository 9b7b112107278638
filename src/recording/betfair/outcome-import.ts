/** Folds one runner's source changes: its levels, traded volume, last price and starting prices. */

import { AGAINST, FOR, type SideIndex } from '../../core/side.ts';
import { MONEY_SCALE, PRICE_SCALE } from '../../core/units.ts';
import type { UpdateBuffer } from '../update-buffer.ts';
import { BestWindows } from './best-window.ts';
import type { LadderBook } from './ladder-book.ts';
import type { Losses } from './losses.ts';
import type { PositionPriceSize, PriceSize, RunnerChange } from './message.ts';
import { OFF_LADDER, type PriceScale } from './price-scale.ts';
import { TradedVolume } from './traded-volume.ts';

/** Starting prices, as `side` of the tape's events. */
const NEAR = 0;
const FAR = 1;
export const RECONCILED = 2;

/** What an outcome of a market shares with the others. */
export interface MarketParts {
  readonly book: LadderBook;
  readonly scale: PriceScale;
  readonly losses: Losses;
}

export class OutcomeImport {
  readonly id: string;
  readonly index: number;
  readonly volume: TradedVolume;
  readonly #parts: MarketParts;
  readonly #windows: BestWindows;
  readonly #startingPrices: [number, number, number] = [0, 0, 0];
  #lastTick = OFF_LADDER;
  title: string | undefined;
  ordering: number | undefined;

  constructor(id: string, index: number, parts: MarketParts) {
    this.id = id;
    this.index = index;
    this.#parts = parts;
    this.volume = new TradedVolume(index, parts.scale);
    this.#windows = new BestWindows(index, parts.book, parts.scale);
  }

  /** An image follows. */
  clear(): void {
    this.#windows.clear();
    this.volume.clear();
  }

  /** The best-few picture is given up for the full one. */
  clearWindows(): void {
    this.#windows.clear();
  }

  volumes(rows: readonly PriceSize[]): void {
    for (const row of rows) this.volume.set(row[0], micros(row[1]));
  }

  fullLevels(runner: RunnerChange): void {
    if (runner.atb !== undefined) this.#full(AGAINST, runner.atb);
    if (runner.atl !== undefined) this.#full(FOR, runner.atl);
  }

  /** Call `settle` after the message's last one. */
  bestLevels(runner: RunnerChange): void {
    if (runner.batb !== undefined) this.#best(AGAINST, runner.batb);
    if (runner.batl !== undefined) this.#best(FOR, runner.batl);
  }

  settle(): void {
    this.#windows.settle();
  }

  lastPrice(decimal: number, into: UpdateBuffer): void {
    // 0 says that there was no trade yet.
    if (decimal === 0) return;
    const tick = this.#parts.scale.tickOf(decimal);
    if (tick === OFF_LADDER) this.#parts.losses.add('lastPricesOffLadder');
    else if (tick !== this.#lastTick) {
      this.#lastTick = tick;
      into.lastPrice(this.index, tick);
    }
  }

  startingPrices(runner: RunnerChange, into: UpdateBuffer): void {
    if (runner.spn !== undefined) this.startingPrice(NEAR, runner.spn, into);
    if (runner.spf !== undefined) this.startingPrice(FAR, runner.spf, into);
  }

  /** 'NaN', 'Infinity' and figures up to 1 are no prices: 0 on the tape says that there is none now. */
  startingPrice(which: 0 | 1 | 2, value: number | string, into: UpdateBuffer): void {
    const decimal = Number(value);
    const thousandths = Number.isFinite(decimal) && decimal > 1 ? Math.round(decimal * PRICE_SCALE) : 0;
    if (thousandths === this.#startingPrices[which]) return;
    this.#startingPrices[which] = thousandths;
    into.startingPrice(this.index, which, thousandths);
  }

  #full(side: SideIndex, rows: readonly PriceSize[]): void {
    const { book, scale, losses } = this.#parts;
    for (const row of rows) {
      const tick = scale.tickOf(row[0]);
      if (tick === OFF_LADDER) losses.add('levelsOffLadder');
      else book.set(this.index, side, tick, micros(row[1]));
    }
  }

  #best(side: SideIndex, rows: readonly PositionPriceSize[]): void {
    for (const row of rows) {
      const tick = row[2] === 0 ? OFF_LADDER : this.#parts.scale.tickOf(row[1]);
      if (tick === OFF_LADDER && row[2] !== 0) this.#parts.losses.add('levelsOffLadder');
      this.#windows.write(side, row[0], tick, tick === OFF_LADDER ? 0 : micros(row[2]));
    }
  }
}

function micros(decimal: number): number {
  return Math.round(decimal * MONEY_SCALE);
}
