/** Finds new trades in Betfair's traded volume, which counts both sides and is not monotone. */

import { OFF_LADDER, type PriceScale } from './price-scale.ts';

/** A rise found in this message: both sides' volume in micros. */
export interface Rise {
  readonly outcome: number;
  readonly tick: number;
  readonly amount: number;
}

/** A price's volume in the source's picture, and the most that it ever was. */
interface Row {
  readonly tick: number;
  volume: number;
  mark: number;
}

/**
 * One outcome's volume by price: the source's picture, and the high-water mark of each price. A trade is a rise above
 * the mark, in a message in which the sum of the picture rises too. The sum is our own: the source's `tv` is the
 * outcome's total in some files and the total of the message's prices in others.
 */
export class TradedVolume {
  readonly #outcome: number;
  readonly #scale: PriceScale;
  readonly #rows = new Map<number, Row>();
  #sum = 0;
  #sumBefore = 0;
  #fell = false;
  #rises: Rise[] = [];
  #offLadder = 0;

  constructor(outcome: number, scale: PriceScale) {
    this.#outcome = outcome;
    this.#scale = scale;
  }

  /** Begins a message that says something of this outcome's volume. */
  start(): void {
    this.#sumBefore = this.#sum;
    this.#fell = false;
    this.#rises = [];
    this.#offLadder = 0;
  }

  /** An image follows: the picture is made anew, the marks stay. */
  clear(): void {
    for (const row of this.#rows.values()) row.volume = 0;
    this.#sum = 0;
  }

  /** Volume traded at a price, in micros, both sides. */
  set(decimal: number, volume: number): void {
    let row = this.#rows.get(decimal);
    if (row === undefined) {
      row = { tick: this.#scale.tickOf(decimal), volume: 0, mark: 0 };
      this.#rows.set(decimal, row);
    }
    this.#sum += volume - row.volume;
    if (volume < row.volume) this.#fell = true;
    row.volume = volume;
    // Halves are whole micros; an odd one waits for the next rise.
    const rise = Math.floor((volume - row.mark) / 2) * 2;
    if (rise <= 0) return;
    row.mark += rise;
    if (row.tick === OFF_LADDER) this.#offLadder += 1;
    else this.#rises.push({ outcome: this.#outcome, tick: row.tick, amount: rise });
  }

  /** This message's trades. While suspended, a fall beside the rises shows a relabelling at a removal, no trading. */
  trades(suspended: boolean): readonly Rise[] {
    return this.#isTrading(suspended) ? this.#rises : [];
  }

  /** Trades of this message at prices that are no ticks. */
  offLadder(suspended: boolean): number {
    return this.#isTrading(suspended) ? this.#offLadder : 0;
  }

  get rises(): number {
    return this.#rises.length + this.#offLadder;
  }

  #isTrading(suspended: boolean): boolean {
    return this.#sum > this.#sumBefore && !(suspended && this.#fell);
  }
}
