/** Tables of a run as bytes, column by column, so that a page holds a hundred thousand rows: their shape. */

/** What is written of one column. Texts are written once each, and their cells as places in that list. */
export interface ColumnPlan<Row> {
  readonly name: string;
  readonly of: (row: Row) => number | string | undefined;
  /** Digits after the point that are kept; 0 where absent. Texts have none. */
  readonly decimals?: number;
  /** An earlier column of numbers that this one is near: only the difference is written. */
  readonly near?: string;
}

export interface TablePlan<Row> {
  readonly name: string;
  readonly columns: readonly ColumnPlan<Row>[];
  readonly rows: Iterable<Row>;
}

/** Numbers of a column, row by row; NaN where there is none. */
export type NumberColumn = Float64Array;

/** Texts of a column: `texts[cells[row] - 1]`, and none where the cell is 0. */
export interface TextColumn {
  readonly texts: readonly string[];
  readonly cells: Uint32Array;
}

export interface ColumnTable {
  readonly rows: number;
  readonly numbers: ReadonlyMap<string, NumberColumn>;
  readonly texts: ReadonlyMap<string, TextColumn>;
}

export interface ColumnFile {
  readonly facts: unknown;
  readonly tables: ReadonlyMap<string, ColumnTable>;
}

/** The head of the bytes, as JSON after its length. */
export interface ColumnHead {
  readonly format: typeof COLUMN_FORMAT;
  /** Whatever is beside the tables, as plain data. */
  readonly facts: unknown;
  readonly tables: readonly TableHead[];
}

export interface TableHead {
  readonly name: string;
  readonly rows: number;
  readonly columns: readonly ColumnHeadEntry[];
}

/** Bytes of the columns follow each other in this order. */
export type ColumnHeadEntry =
  | { readonly name: string; readonly bytes: number; readonly decimals: number; readonly near?: string }
  | { readonly name: string; readonly bytes: number; readonly texts: readonly string[] };

/** Another one where the facts have got more as well: what was written before is then refused, and not drawn in part. */
export const COLUMN_FORMAT = 'oddsmith-columns-4';
/** Bytes that hold the length of the head. */
export const HEAD_LENGTH = 4;
