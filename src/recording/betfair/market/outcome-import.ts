/** Turns one runner's source changes into events: its levels, traded volume, last price and starting prices. */

import type { SourceRunner } from '../../../betfair/wire/mcm/source-definition.ts';
import {
  ATB,
  ATL,
  BATB,
  BATL,
  FIELDS,
  type RowField,
  type StagedMessage,
  TRD,
  UNSAID,
} from '../../../betfair/wire/mcm/staged-message.ts';
import { MONEY_SCALE } from '../../../core/number/units.ts';
import { AGAINST, FOR, type SideIndex } from '../../../core/side.ts';
import { FAR, NEAR } from '../../segment/update.ts';
import type { UpdateBuffer } from '../../segment/update-buffer.ts';
import { factorOf, isRemoved } from '../message/definition.ts';
import { OFF_LADDER, type PriceScale } from '../message/price-scale.ts';
import { BestWindows, type WindowDepth } from './best-window.ts';
import type { LadderBook } from './ladder-book.ts';
import type { Losses } from './losses.ts';
import { TradedVolume } from './traded-volume.ts';

/** What the outcomes of a market share. */
export interface MarketParts {
  readonly book: LadderBook;
  readonly scale: PriceScale;
  readonly losses: Losses;
  readonly depth: WindowDepth;
}

/** One outcome of a market while it is imported. */
export class OutcomeImport {
  readonly id: string;
  readonly index: number;
  readonly volume: TradedVolume;
  readonly #parts: MarketParts;
  /** Present only where the source shows the best few levels. */
  #windows: BestWindows | undefined;
  readonly #startingPrices: [number, number, number] = [0, 0, 0];
  #lastTick = OFF_LADDER;
  /**
   * The tick of the last price where it differs from the one before; only valid in the message that reported volumes
   * last.
   */
  movedTo = OFF_LADDER;
  /** The name in the first definition that lists it; undefined where that has none. */
  title: string | undefined;
  ordering: number | undefined;
  /** The name in the latest definition. */
  latestTitle: string | undefined;
  isDefined = false;
  isRemoved = false;
  /** The index of the update that named the outcome last. */
  spokenIn = -1;

  constructor(id: string, index: number, parts: MarketParts) {
    this.id = id;
    this.index = index;
    this.#parts = parts;
    this.volume = new TradedVolume(parts.scale);
  }

  /** Applies a definition's entry for the outcome; does nothing where the definition does not list it. */
  define(runner: SourceRunner | undefined): void {
    if (!this.isDefined) {
      this.title = runner?.name;
      this.ordering = runner?.sortPriority;
      this.isDefined = true;
    }
    this.latestTitle = runner?.name ?? this.latestTitle;
    if (runner === undefined) return;
    const wasRemoved = this.isRemoved;
    this.isRemoved = isRemoved(runner);
    if (this.isRemoved && !wasRemoved && factorOf(runner) === undefined) this.#parts.losses.add('impossibleFactors');
  }

  /** Clears levels and volume, because an image (a complete picture) follows. */
  clear(): void {
    this.#windows?.clear();
    this.volume.clear();
  }

  /** Gives up the best-few picture in favour of the full ladder. */
  clearWindows(): void {
    this.#windows?.clear();
  }

  /** Begins a message that says something about traded volume. */
  startVolumes(): void {
    this.movedTo = OFF_LADDER;
    this.volume.start();
  }

  volumes(message: StagedMessage, runner: number): void {
    this.#move(message.lastPrices[runner] as number);
    const at = runner * FIELDS + TRD;
    const from = message.rowsFrom[at] as number;
    if (from === -1) return;
    const { prices, sizes } = message;
    const to = message.rowsTo[at] as number;
    for (let row = from; row < to; row += 1) this.volume.set(prices[row] as number, micros(sizes[row] as number));
  }

  fullLevels(message: StagedMessage, runner: number): void {
    this.#full(AGAINST, message, runner, ATB);
    this.#full(FOR, message, runner, ATL);
  }

  /**
   * Applies the message's best-few positions of a runner. Call `settle` after the message's last one. Returns whether
   * windows are deeper than was known.
   */
  bestLevels(message: StagedMessage, runner: number): boolean {
    const isDeeper = this.#best(AGAINST, message, runner, BATB);
    return this.#best(FOR, message, runner, BATL) || isDeeper;
  }

  /** Drops levels that a window showed once and no longer shows. */
  forgetUnshown(): void {
    this.#windows?.forget();
  }

  settle(): void {
    this.#windows?.settle();
  }

  lastPrice(decimal: number, into: UpdateBuffer): void {
    // 0 means that there was no trade yet.
    if (decimal === 0 || decimal === UNSAID) return;
    const tick = this.#parts.scale.tickOf(decimal);
    if (tick === OFF_LADDER) this.#parts.losses.add('lastPricesOffLadder');
    else if (tick !== this.#lastTick) {
      this.#lastTick = tick;
      into.lastPrice(this.index, tick);
    }
  }

  startingPrices(near: number, far: number, into: UpdateBuffer): void {
    this.startingPrice(NEAR, near, into);
    this.startingPrice(FAR, far, into);
  }

  /** Appends a starting price in 10⁻³: 0 for none, UNSAID where the message does not mention it. */
  startingPrice(which: 0 | 1 | 2, thousandths: number, into: UpdateBuffer): void {
    if (thousandths === UNSAID || thousandths === this.#startingPrices[which]) return;
    this.#startingPrices[which] = thousandths;
    into.startingPrice(this.index, which, thousandths);
  }

  #move(decimal: number): void {
    if (decimal === 0 || decimal === UNSAID) return;
    const tick = this.#parts.scale.tickOf(decimal);
    this.movedTo = tick === this.#lastTick ? OFF_LADDER : tick;
  }

  #full(side: SideIndex, message: StagedMessage, runner: number, field: RowField): void {
    const at = runner * FIELDS + field;
    const from = message.rowsFrom[at] as number;
    if (from === -1) return;
    const { book, scale, losses } = this.#parts;
    const { prices, sizes } = message;
    const to = message.rowsTo[at] as number;
    for (let row = from; row < to; row += 1) {
      const tick = scale.tickOf(prices[row] as number);
      if (tick === OFF_LADDER) losses.add('levelsOffLadder');
      else book.set(this.index, side, tick, micros(sizes[row] as number));
    }
  }

  #best(side: SideIndex, message: StagedMessage, runner: number, field: RowField): boolean {
    const at = runner * FIELDS + field;
    const from = message.rowsFrom[at] as number;
    if (from === -1) return false;
    const { scale, losses, depth } = this.#parts;
    this.#windows ??= new BestWindows(this.index, this.#parts);
    const windows = this.#windows;
    const { positions, prices, sizes } = message;
    const to = message.rowsTo[at] as number;
    let isDeeper = false;
    for (let row = from; row < to; row += 1) {
      const size = sizes[row] as number;
      if (depth.see(positions[row] as number)) isDeeper = true;
      const tick = size === 0 ? OFF_LADDER : scale.tickOf(prices[row] as number);
      if (tick === OFF_LADDER && size !== 0) losses.add('levelsOffLadder');
      windows.write(side, positions[row] as number, tick, tick === OFF_LADDER ? 0 : micros(size));
    }
    return isDeeper;
  }
}

function micros(decimal: number): number {
  return Math.round(decimal * MONEY_SCALE);
}
