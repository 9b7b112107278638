/** What the change messages of one market add up to: its definition, and each runner's prices. */

import { isObject } from '../../../codec/schema-node.ts';
import { faultOfDefinition } from '../mcm/source-definition.ts';

/** Fields of rows [price, size], and of rows [level, price, size]; a size of 0 removes a row. */
const BY_PRICE = ['atb', 'atl', 'trd', 'spb', 'spl'] as const;
const BY_LEVEL = ['batb', 'batl', 'bdatb', 'bdatl'] as const;
const NUMBERS = ['tv', 'ltp', 'spn', 'spf'] as const;
export type PriceField = (typeof BY_PRICE)[number];
export type LevelField = (typeof BY_LEVEL)[number];
type NumberField = (typeof NUMBERS)[number];
type Rows = readonly (readonly number[])[];

/** What one change says of one runner, as it came. */
export interface RunnerRows extends Readonly<Partial<Record<PriceField | LevelField, Rows>>> {
  readonly id: number;
  readonly hc?: number;
  readonly tv?: number;
  readonly ltp?: number;
  /** A text may say that there is none. */
  readonly spn?: unknown;
  readonly spf?: unknown;
}

/** A runner as it stands. */
export class RunnerFold {
  readonly id: number;
  readonly handicap: number;
  readonly byPrice = mapsOf<PriceField, number>(BY_PRICE);
  readonly byLevel = mapsOf<LevelField, readonly [price: number, size: number]>(BY_LEVEL);
  /** They stand here as they came: where there is no starting price, a text may say so. */
  readonly #numbers = new Map<NumberField, unknown>();

  constructor(id: number, handicap: number) {
    this.id = id;
    this.handicap = handicap;
  }

  /** Undefined where there is none, or none was told. */
  number(field: NumberField): number | undefined {
    const value = this.#numbers.get(field);
    return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
  }

  /** Takes fields that were checked. */
  apply(change: Readonly<Record<string, unknown>>): void {
    for (const field of NUMBERS) if (isTold(change[field])) this.#numbers.set(field, change[field]);
    for (const field of BY_PRICE)
      for (const [price = 0, size = 0] of rowsOf(change[field]))
        if (size === 0) this.byPrice[field].delete(price);
        else this.byPrice[field].set(price, size);
    for (const field of BY_LEVEL)
      for (const [level = 0, price = 0, size = 0] of rowsOf(change[field]))
        if (size === 0) this.byLevel[field].delete(level);
        else this.byLevel[field].set(level, [price, size]);
  }

  /** A change that tells all of it. */
  image(): Readonly<Record<string, unknown>> {
    const rows = BY_PRICE.filter((field) => this.byPrice[field].size > 0).map((field) => [
      field,
      [...this.byPrice[field]],
    ]);
    const levels = BY_LEVEL.filter((field) => this.byLevel[field].size > 0).map((field) => [
      field,
      [...this.byLevel[field]].map(([level, row]) => [level, ...row]),
    ]);
    const handicap = this.handicap === 0 ? {} : { hc: this.handicap };
    return { ...Object.fromEntries([...this.#numbers, ...rows, ...levels]), id: this.id, ...handicap };
  }

  /** As a text, whatever the order in which its rows were told; undefined where nothing is known of it. */
  picture(): string | undefined {
    const { id, hc, ...known } = this.image();
    const sorted = Object.entries(known).map(([field, value]) => [field, Array.isArray(value) ? value.sort() : value]);
    return sorted.length === 0 ? undefined : JSON.stringify([id, hc, sorted.sort()]);
  }
}

export class MarketFold {
  readonly id: string;
  /** The newest one, as it came. */
  definition: Readonly<Record<string, unknown>> | undefined;
  #tv: number | undefined;
  readonly #runners = new Map<string, RunnerFold>();

  constructor(id: string) {
    this.id = id;
  }

  /** Its runners by id and handicap, as `47999 0`. */
  get runners(): ReadonlyMap<string, RunnerFold> {
    return this.#runners;
  }

  /** Whether it is over, and no more will be told. */
  get isClosed(): boolean {
    return this.definition?.['status'] === 'CLOSED';
  }

  /** Takes a change that `faultOfChange` has nothing against. */
  apply(change: Readonly<Record<string, unknown>>): void {
    const { img, marketDefinition, tv } = change;
    if (img === true) {
      this.#runners.clear();
      this.#tv = undefined;
    }
    if (isObject(marketDefinition)) this.definition = marketDefinition;
    if (typeof tv === 'number') this.#tv = tv;
    for (const runner of runnersOf(change)) {
      const { id, hc = 0 } = runner;
      const known = this.#runners.get(keyOf(id, hc)) ?? new RunnerFold(id, hc);
      this.#runners.set(keyOf(id, hc), known);
      known.apply({ ...runner });
    }
  }

  /** Whether an image, which may come in several changes, tells what is known already. */
  isAsIn(image: readonly Readonly<Record<string, unknown>>[]): boolean {
    const told = new MarketFold(this.id);
    for (const change of image) if (faultOfChange(change) === undefined) told.apply(change);
    return told.#picture() === this.#picture();
  }

  /** As a text, whatever the order in which runners and rows were told. */
  #picture(): string {
    const runners = [...this.#runners.values()].flatMap((each) => each.picture() ?? []);
    return JSON.stringify([this.definition, this.#tv, runners.sort()]);
  }

  /** A change that tells all of it. */
  image(): Readonly<Record<string, unknown>> {
    const definition = this.definition === undefined ? {} : { marketDefinition: this.definition };
    const tv = this.#tv === undefined ? {} : { tv: this.#tv };
    return {
      id: this.id,
      img: true,
      ...definition,
      ...tv,
      rc: [...this.#runners.values()].map((each) => each.image()),
    };
  }
}

/** What a change says of runners; only of a change that `faultOfChange` has nothing against. */
export function runnersOf({ rc }: Readonly<Record<string, unknown>>): readonly RunnerRows[] {
  return Array.isArray(rc) ? rc : [];
}

/** Why a market change cannot be believed; undefined where it can. */
export function faultOfChange(change: unknown): string | undefined {
  if (!isObject(change)) return 'a market change is no object';
  const { id, marketDefinition, rc } = change;
  if (typeof id !== 'string') return 'a market change has no id';
  const definition = isTold(marketDefinition) ? faultOfDefinition(marketDefinition) : undefined;
  if (definition !== undefined) return definition;
  if (!isTold(rc)) return undefined;
  if (!Array.isArray(rc)) return '"rc" is no array';
  for (const runner of rc) {
    const fault = faultOfRunner(runner);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function faultOfRunner(runner: unknown): string | undefined {
  if (!isObject(runner) || typeof runner['id'] !== 'number') return 'a runner change has no id';
  if (isTold(runner['hc']) && typeof runner['hc'] !== 'number') return '"hc" is no number';
  for (const field of ['tv', 'ltp'])
    if (isTold(runner[field]) && typeof runner[field] !== 'number') return `"${field}" is no number`;
  const wide = [...BY_PRICE.map((field) => [field, 2] as const), ...BY_LEVEL.map((field) => [field, 3] as const)];
  const wrong = wide.find(([field, width]) => isTold(runner[field]) && !areRows(runner[field], width));
  return wrong === undefined ? undefined : `"${wrong[0]}" holds something else than rows of ${wrong[1]} numbers`;
}

function areRows(rows: unknown, width: number): boolean {
  const isRow = (row: unknown) =>
    Array.isArray(row) && row.length === width && row.every((value) => typeof value === 'number' && value >= 0);
  return Array.isArray(rows) && rows.every(isRow);
}

function rowsOf(rows: unknown): Rows {
  return Array.isArray(rows) ? rows : [];
}

function isTold(value: unknown): boolean {
  return value !== undefined && value !== null;
}

function keyOf(id: number, handicap: number): string {
  return `${id} ${handicap}`;
}

function mapsOf<Field extends string, V>(fields: readonly Field[]): Readonly<Record<Field, Map<number, V>>> {
  return Object.fromEntries(fields.map((field) => [field, new Map()])) as Record<Field, Map<number, V>>;
}
