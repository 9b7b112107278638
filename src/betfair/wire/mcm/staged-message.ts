/** One stream message as columns, complete before any of it is imported: what its lines said, and no more. */

import { PRICE_SCALE } from '../../../core/number/units.ts';
import type { SourceDefinition } from './source-definition.ts';

/** The fields of a runner that have rows. In rows of pairs [price, size] the position is unused. */
export const TRD = 0;
export const ATB = 1;
export const ATL = 2;
export const BATB = 3;
export const BATL = 4;
export const FIELDS = 5;

export type RowField = typeof TRD | typeof ATB | typeof ATL | typeof BATB | typeof BATL;
const ROW_FIELDS: readonly RowField[] = [TRD, ATB, ATL, BATB, BATL];

/** What a message that the exchange sends in several parts says of each. */
export const SEGMENTS = ['SEG_START', 'SEG', 'SEG_END'] as const;
export type SegmentType = (typeof SEGMENTS)[number];

/** A message of more rows takes no further line: no exchange sends one, and a damaged file must not fill the memory. */
const ROWS_MAX = 4_000_000;

/** The mark in the columns of prices that a message does not mention the field. A JSON number is never infinite. */
export const UNSAID = Number.NEGATIVE_INFINITY;

/**
 * Filled by the line scanner or from JSON, and reused from line to line: entries beyond the counts are old. Market
 * changes own runs of runners, and runners own runs of rows per field; `from` = `to` means an empty field, -1 an absent
 * one.
 */
export class StagedMessage {
  publishedAt = 0;
  /** The exchange's mark of the message, which all of its lines bear; empty where there is none. */
  clk = '';
  /** The kind of the message, where it is none of market changes. */
  otherOp: string | undefined;
  /** Which part of its message the line is; undefined where the message was sent whole. */
  segment: SegmentType | undefined;
  changes = 0;
  readonly ids: string[] = [];
  readonly images: boolean[] = [];
  readonly definitions: (SourceDefinition | undefined)[] = [];
  readonly runnersFrom: number[] = [];
  readonly runnersTo: number[] = [];

  runners = 0;
  readonly runnerIds: number[] = [];
  /** The runner's handicap; 0 where it has none. */
  readonly handicaps: number[] = [];
  /** The last price as a decimal, or UNSAID. */
  readonly lastPrices: number[] = [];
  /** Starting prices in 10⁻³: 0 where the source says that there is none, or UNSAID. */
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
    this.clk = '';
    this.otherOp = undefined;
    this.segment = undefined;
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

  /**
   * Whether a line goes on with this message: it has the same mark and publish time, or is a further segment of a message
   * that has not ended.
   */
  isContinuedBy(next: StagedMessage): boolean {
    if (this.changes === 0 || this.rows > ROWS_MAX) return false;
    if (this.publishedAt === next.publishedAt && this.clk !== '' && this.clk === next.clk) return true;
    const isEnded = this.segment === undefined || this.segment === 'SEG_END';
    return !isEnded && (next.segment === 'SEG' || next.segment === 'SEG_END') && next.publishedAt >= this.publishedAt;
  }

  /** Adds what a further line of the message says. */
  append(next: StagedMessage): void {
    this.publishedAt = next.publishedAt;
    this.segment = next.segment;
    for (let change = 0; change < next.changes; change += 1) {
      const at = this.startChange();
      this.ids[at] = next.ids[change] as string;
      this.images[at] = next.images[change] === true;
      this.definitions[at] = next.definitions[change];
      const to = next.runnersTo[change] as number;
      for (let runner = next.runnersFrom[change] as number; runner < to; runner += 1) this.#copyRunner(next, runner);
      this.endChange(at);
    }
  }

  /**
   * Merges all that the message says about one market into one change: images in one of them, definition and clearing
   * apart. What a later image replaces is left out. Each market's runners stand together afterwards.
   */
  merge(): void {
    if (this.changes < 2) return;
    const parts = this.#partsByMarket();
    if (parts.length === this.changes) return;
    const { images, definitions } = this;
    const merged = parts.map((changes) => {
      const image = changes.findLast((change) => images[change] === true);
      const defined = changes.findLast((change) => definitions[change] !== undefined);
      return {
        id: this.ids[changes[0] as number] as string,
        image: image !== undefined,
        definition: defined === undefined ? undefined : definitions[defined],
        runners: changes.filter((change) => change >= (image ?? 0)).flatMap((change) => this.#runnersOf(change)),
      };
    });
    this.#putInOrder(merged.flatMap(({ runners }) => runners));
    this.changes = 0;
    this.runners = 0;
    for (const { id, image, definition, runners } of merged) {
      const at = this.startChange();
      this.ids[at] = id;
      this.images[at] = image;
      this.definitions[at] = definition;
      this.runners += runners.length;
      this.endChange(at);
    }
  }

  /** Whether any runner of the change has the field. */
  anyHas(change: number, field: RowField): boolean {
    const to = this.runnersTo[change] as number;
    for (let runner = this.runnersFrom[change] as number; runner < to; runner += 1) {
      if (this.has(runner, field)) return true;
    }
    return false;
  }

  #copyRunner(from: StagedMessage, runner: number): void {
    const at = this.startRunner();
    this.runnerIds[at] = from.runnerIds[runner] as number;
    this.handicaps[at] = from.handicaps[runner] as number;
    this.lastPrices[at] = from.lastPrices[runner] as number;
    this.nears[at] = from.nears[runner] as number;
    this.fars[at] = from.fars[runner] as number;
    for (const field of ROW_FIELDS) {
      if (!from.has(runner, field)) continue;
      this.startRows(at, field);
      const to = from.rowsTo[runner * FIELDS + field] as number;
      for (let row = from.rowsFrom[runner * FIELDS + field] as number; row < to; row += 1)
        this.row(from.positions[row] as number, from.prices[row] as number, from.sizes[row] as number);
      this.endRows(at, field);
    }
  }

  /** The changes of each market, in the order in which the message names the markets. */
  #partsByMarket(): readonly number[][] {
    const parts = new Map<string, number[]>();
    for (let change = 0; change < this.changes; change += 1) {
      const id = this.ids[change] as string;
      const known = parts.get(id);
      if (known === undefined) parts.set(id, [change]);
      else known.push(change);
    }
    return [...parts.values()];
  }

  #runnersOf(change: number): readonly number[] {
    const from = this.runnersFrom[change] as number;
    return Array.from({ length: (this.runnersTo[change] as number) - from }, (_, i) => from + i);
  }

  /** Moves the runners' columns; their rows stay where they are. */
  #putInOrder(order: readonly number[]): void {
    for (const column of [this.runnerIds, this.handicaps, this.lastPrices, this.nears, this.fars]) {
      const values = order.map((runner) => column[runner] as number);
      for (const [at, value] of values.entries()) column[at] = value;
    }
    const fields = order.flatMap((runner) => Array.from({ length: FIELDS }, (_, field) => runner * FIELDS + field));
    for (const column of [this.rowsFrom, this.rowsTo]) {
      // For an absent field, the end of its run was never written.
      const values = fields.map((field) => column[field] ?? -1);
      for (const [at, value] of values.entries()) column[at] = value;
    }
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

/**
 * A starting price in 10⁻³. 'NaN', 'Infinity' and numbers up to 1 are no prices: they give 0, which means on the tape
 * that there is none now.
 */
export function startingPriceOf(value: unknown): number {
  const decimal = Number(value);
  return Number.isFinite(decimal) && decimal > 1 ? Math.round(decimal * PRICE_SCALE) : 0;
}
