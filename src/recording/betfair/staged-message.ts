/** One stream message as columns, complete before anything is imported of it: what a line said, and no more. */

import { PRICE_SCALE } from '../../core/units.ts';
import type { SourceDefinition } from './source-definition.ts';

/** A runner's rows by field. Of pairs [price, size] the position is unused. */
export const TRD = 0;
export const ATB = 1;
export const ATL = 2;
export const BATB = 3;
export const BATL = 4;
export const FIELDS = 5;

export type RowField = typeof TRD | typeof ATB | typeof ATL | typeof BATB | typeof BATL;

/** In the columns of prices: the message does not say. No JSON number is infinite. */
export const UNSAID = Number.NEGATIVE_INFINITY;

/**
 * Filled by the scanner of lines or from JSON, reused from line to line: entries beyond the counts are old. Market
 * changes own runs of runners, runners own runs of rows per field; `from` = `to` says an empty field, -1 an absent one.
 */
export class StagedMessage {
  publishedAt = 0;
  changes = 0;
  readonly ids: string[] = [];
  readonly images: boolean[] = [];
  readonly definitions: (SourceDefinition | undefined)[] = [];
  readonly runnersFrom: number[] = [];
  readonly runnersTo: number[] = [];

  runners = 0;
  readonly runnerIds: number[] = [];
  /** 0 where the runner has none. */
  readonly handicaps: number[] = [];
  /** Decimal, or UNSAID. */
  readonly lastPrices: number[] = [];
  /** 10⁻³, 0 where the source says that there is no price, or UNSAID. */
  readonly nears: number[] = [];
  readonly fars: number[] = [];
  readonly rowsFrom: number[] = [];
  readonly rowsTo: number[] = [];

  rows = 0;
  positions = new Float64Array(256);
  prices = new Float64Array(256);
  sizes = new Float64Array(256);

  clear(): void {
    this.publishedAt = 0;
    this.changes = 0;
    this.runners = 0;
    this.rows = 0;
  }

  /** Opens a change; its runners follow until `endChange`. */
  startChange(): number {
    const at = this.changes;
    this.changes = at + 1;
    this.ids[at] = '';
    this.images[at] = false;
    this.definitions[at] = undefined;
    this.runnersFrom[at] = this.runners;
    this.runnersTo[at] = this.runners;
    return at;
  }

  endChange(at: number): void {
    this.runnersTo[at] = this.runners;
  }

  startRunner(): number {
    const at = this.runners;
    this.runners = at + 1;
    this.handicaps[at] = 0;
    this.lastPrices[at] = UNSAID;
    this.nears[at] = UNSAID;
    this.fars[at] = UNSAID;
    for (let field = at * FIELDS; field < at * FIELDS + FIELDS; field += 1) this.rowsFrom[field] = -1;
    return at;
  }

  startRows(runner: number, field: RowField): void {
    this.rowsFrom[runner * FIELDS + field] = this.rows;
  }

  endRows(runner: number, field: RowField): void {
    this.rowsTo[runner * FIELDS + field] = this.rows;
  }

  row(position: number, price: number, size: number): void {
    const at = this.rows;
    if (at === this.prices.length) this.#grow();
    this.positions[at] = position;
    this.prices[at] = price;
    this.sizes[at] = size;
    this.rows = at + 1;
  }

  has(runner: number, field: RowField): boolean {
    return this.rowsFrom[runner * FIELDS + field] !== -1;
  }

  /** Whether any runner of the change has the field. */
  anyHas(change: number, field: RowField): boolean {
    const to = this.runnersTo[change] as number;
    for (let runner = this.runnersFrom[change] as number; runner < to; runner += 1) {
      if (this.has(runner, field)) return true;
    }
    return false;
  }

  #grow(): void {
    const { positions, prices, sizes } = this;
    this.positions = new Float64Array(positions.length * 2);
    this.prices = new Float64Array(prices.length * 2);
    this.sizes = new Float64Array(sizes.length * 2);
    this.positions.set(positions);
    this.prices.set(prices);
    this.sizes.set(sizes);
  }
}

/** 'NaN', 'Infinity' and figures up to 1 are no prices: 0 on the tape says that there is none now. */
export function startingPriceOf(value: unknown): number {
  const decimal = Number(value);
  return Number.isFinite(decimal) && decimal > 1 ? Math.round(decimal * PRICE_SCALE) : 0;
}
