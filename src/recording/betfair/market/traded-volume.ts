/** Finds new trades in Betfair's traded volume, which counts both sides and may fall. */

import { OFF_LADDER, type PriceScale } from '../message/price-scale.ts';

/** A rise is little up to this (10⁻⁶ of both sides' volume), or up to the given share of the price's volume. */
const LITTLE = 100_000;
const LITTLE_SHARE = 0.005;
/** Fewer little rises than this say nothing about an outcome's prices as a whole. */
const FEWEST_REVALUED = 3;

/** The volume of each price in the source's picture, and the highest volume that the price ever had. */
class Rows {
  volumes = new Float64Array(0);
  marks = new Float64Array(0);

  reserve(count: number): void {
    if (count <= this.volumes.length) return;
    const { volumes, marks } = this;
    const size = Math.max(count + 16, volumes.length * 2);
    this.volumes = new Float64Array(size);
    this.marks = new Float64Array(size);
    this.volumes.set(volumes);
    this.marks.set(marks);
  }
}

/**
 * One outcome's volume by price: the source's picture, and the highest volume of each price so far (its mark). A trade
 * is a rise above the mark, in a message in which the sum of the picture rises too. The sum is our own: the source's
 * `tv` is the outcome's total in some files and the total of the message's prices in others.
 */
export class TradedVolume {
  readonly #scale: PriceScale;
  /** Rows by tick, and rows of prices that are no ticks, by order of appearance. */
  readonly #ticks = new Rows();
  readonly #others = new Rows();
  readonly #otherByPrice = new Map<number, number>();
  #sum = 0;
  #sumBefore = 0;
  #fell = false;
  /** How many prices had volume before this message and have it now, and how many of them rose by little. */
  #known = 0;
  #knownBefore = 0;
  #little = 0;
  /** This message's rises, in 10⁻⁶ of both sides' volume; entries beyond the count are old. */
  riseCount = 0;
  readonly riseTicks: number[] = [];
  readonly riseAmounts: number[] = [];
  readonly riseLittle: boolean[] = [];
  #offLadder = 0;
  #offLadderLittle = 0;

  constructor(scale: PriceScale) {
    this.#scale = scale;
  }

  /** Begins a message that says something about this outcome's volume. */
  start(): void {
    this.#sumBefore = this.#sum;
    this.#fell = false;
    this.#knownBefore = this.#known;
    this.#little = 0;
    this.riseCount = 0;
    this.#offLadder = 0;
    this.#offLadderLittle = 0;
  }

  /** Clears the picture, because an image follows; the marks stay. */
  clear(): void {
    this.#ticks.volumes.fill(0);
    this.#others.volumes.fill(0);
    this.#sum = 0;
    this.#known = 0;
  }

  /** Sets the volume traded at a price, in 10⁻⁶ of both sides. */
  set(decimal: number, volume: number): void {
    const tick = this.#scale.tickOf(decimal);
    const little = this.#little;
    if (tick === OFF_LADDER) {
      if (this.#rise(this.#others, this.#other(decimal), volume) <= 0) return;
      this.#offLadder += 1;
      this.#offLadderLittle += this.#little - little;
      return;
    }
    const rise = this.#rise(this.#ticks, tick, volume);
    if (rise <= 0) return;
    this.riseLittle[this.riseCount] = this.#little > little;
    this.riseTicks[this.riseCount] = tick;
    this.riseAmounts[this.riseCount] = rise;
    this.riseCount += 1;
  }

  /**
   * Whether the message's rises are trades. While the market is suspended, a fall beside them shows that a removal
   * relabelled prices.
   */
  isTrading(suspended: boolean): boolean {
    return this.#sum > this.#sumBefore && !(suspended && this.#fell);
  }

  /** Whether most prices that had volume rose by little, which means that the volume was revalued. */
  get isRevalued(): boolean {
    return this.#little >= FEWEST_REVALUED && this.#little * 2 > this.#knownBefore;
  }

  get rises(): number {
    return this.riseCount + this.#offLadder;
  }

  /** How many of this message's trades are at prices that are no ticks. */
  get tradesOffLadder(): number {
    return this.isRevalued ? this.#offLadder - this.#offLadderLittle : this.#offLadder;
  }

  #rise(rows: Rows, at: number, volume: number): number {
    rows.reserve(at + 1);
    const before = rows.volumes[at] as number;
    const mark = rows.marks[at] as number;
    this.#sum += volume - before;
    if (volume < before) this.#fell = true;
    else if (before > 0 && volume > before && volume - before <= Math.max(LITTLE, before * LITTLE_SHARE))
      this.#little += 1;
    if (before > 0 !== volume > 0) this.#known += volume > 0 ? 1 : -1;
    rows.volumes[at] = volume;
    // Half of a rise must be whole 10⁻⁶; an odd unit waits for the next rise.
    const rise = Math.floor((volume - mark) / 2) * 2;
    if (rise > 0) rows.marks[at] = mark + rise;
    return rise;
  }

  #other(decimal: number): number {
    const known = this.#otherByPrice.get(decimal);
    if (known !== undefined) return known;
    const next = this.#otherByPrice.size;
    this.#otherByPrice.set(decimal, next);
    return next;
  }
}
