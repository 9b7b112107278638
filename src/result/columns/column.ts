/** One column of the rows that a run leaves behind: CSV, JSON and the HTML report are all drawn from lists of these. */

import { amount, signed, utcMs } from '../../words/numbers.ts';

export type Cell = string | number | undefined;

/** Heading and cell stand together, so that neither can be without the other. */
export type Column<Row> = ColumnTexts & (TextColumn<Row> | NumberColumn<Row>);

/** Keeps the names and cells of a list of columns as types, so that the rows made from it are typed by it (`FlatRow`). */
export function columnList<Row>(): <const List extends readonly Column<Row>[]>(list: List) => List {
  return (list) => list;
}

/** One row as an object of cells by name; a cell without a value may be absent. */
export type FlatRow<List extends readonly Column<never>[]> = {
  readonly [One in List[number] as undefined extends ReturnType<One['of']> ? never : One['name']]: ReturnType<
    One['of']
  >;
} & {
  readonly [One in List[number] as undefined extends ReturnType<One['of']> ? One['name'] : never]?: Exclude<
    ReturnType<One['of']>,
    undefined
  >;
};

interface ColumnTexts {
  /** Heading in CSV and JSON. */
  readonly name: string;
  /** Heading in the report; `name` where it is absent. */
  readonly label?: string;
  /** What a cell holds, for the reader who points at the heading in the report. */
  readonly about: string;
  /**
   * Whether the report's lists have the column: always where this is absent, or only where its rows differ in it. The report names the
   * market of rows above them, tells the rest in the life of an order, and leaves out columns without a single value.
   */
  readonly inReport?: 'never' | 'if-rows-differ';
}

interface TextColumn<Row> {
  readonly kind: 'text';
  readonly of: (row: Row) => string | undefined;
}

/**
 * `time` is ms UTC; `money` and `profit` are decimals in the run's currency, a profit with its sign; `price` is decimal odds; `count` is a whole number below
 * 2³¹; `number` is anything else.
 */
interface NumberColumn<Row> {
  readonly kind: 'count' | 'number' | 'price' | 'money' | 'profit' | 'time';
  readonly of: (row: Row) => number | undefined;
}

/** The value of a cell as a person reads it; empty where there is none. */
export function shownCell(kind: Column<never>['kind'], value: Cell): string {
  if (value === undefined || typeof value === 'string') return value ?? '';
  switch (kind) {
    case 'text':
    case 'count':
    case 'number':
      return String(value);
    case 'price':
      return amount(value, Number.isInteger(Math.round(value * 1e6) / 1e4) ? 2 : 3);
    case 'money':
      return amount(value);
    case 'profit':
      return signed(value);
    case 'time':
      return utcMs(value);
  }
}

/** The cells of a row by name; those without a value are left out. */
export function flatRow<Row, List extends readonly Column<Row>[]>(columns: List, row: Row): FlatRow<List> {
  const cells = columns.map((column) => [column.name, column.of(row)] as const);
  return Object.fromEntries(cells.filter(([, cell]) => cell !== undefined)) as FlatRow<List>;
}
