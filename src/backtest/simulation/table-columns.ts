/** Typed-array columns of a table of which all grow together: one that was forgotten would lose its later rows without a word. */

import { defined } from '../../core/checks/assert.ts';

type TableColumn = Int32Array<ArrayBuffer> | Uint8Array<ArrayBuffer> | Float64Array<ArrayBuffer>;

/** Copies each column of a table into the column of the same name of a longer one, and returns the longer table. */
export function copiedInto<Columns extends Readonly<Record<string, TableColumn>>>(
  longer: Columns,
  shorter: Columns,
): Columns {
  for (const [name, column] of Object.entries(longer)) column.set(defined(shorter[name], 'both have the same columns'));
  return longer;
}

/** The first rows of each column, in memory of their own; a column may have several cells a row. */
export function cutTo<Columns extends Readonly<Record<string, TableColumn>>>(
  rows: number,
  columns: Columns,
  capacity: number,
): Columns {
  const cut = Object.entries(columns).map(([name, column]) => [
    name,
    column.slice(0, (column.length / capacity) * rows),
  ]);
  return Object.fromEntries(cut);
}

/** The value in a row that was written before. */
export function cellOf(column: ArrayLike<number>, row: number): number {
  return defined(column[row], 'the row is in the table');
}

/** Texts of a column of indexes, each kept once: there are few, or else as many as rows have one. */
export class TextTable {
  readonly #texts: string[];
  readonly #indexByText = new Map<string, number>();

  /** `texts` are those of another table, whose rows can then be read. */
  constructor(texts: readonly string[] = []) {
    this.#texts = [...texts];
  }

  /** All of them, by index. */
  get texts(): readonly string[] {
    return this.#texts;
  }

  /** Its index, from 0. */
  indexOf(text: string): number {
    const known = this.#indexByText.get(text);
    if (known !== undefined) return known;
    this.#indexByText.set(text, this.#texts.length);
    this.#texts.push(text);
    return this.#texts.length - 1;
  }

  /** Undefined for an index that is none, such as -1. */
  at(index: number): string | undefined {
    return this.#texts[index];
  }
}
