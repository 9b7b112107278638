/** Writes tables as columns: numbers as steps from the row before, in as few bytes as each takes. */

import { assert } from '../../core/checks/assert.ts';
import {
  COLUMN_FORMAT,
  type ColumnHeadEntry,
  type ColumnPlan,
  HEAD_LENGTH,
  type TableHead,
  type TablePlan,
} from './columns.ts';

/** A table whose rows are packed, so that tables of different rows can be written into one file. */
export interface PackedTable {
  readonly head: TableHead;
  readonly parts: readonly Uint8Array[];
}

/** Facts and tables as one file of bytes, to be compressed. `facts` is plain data that JSON can hold. */
export function writeColumns(facts: unknown, tables: readonly PackedTable[]): Uint8Array {
  const head = new TextEncoder().encode(
    JSON.stringify({ format: COLUMN_FORMAT, facts, tables: tables.map((table) => table.head) }),
  );
  const parts = tables.flatMap((table) => table.parts);
  const file = new Uint8Array(HEAD_LENGTH + head.length + parts.reduce((sum, part) => sum + part.length, 0));
  new DataView(file.buffer).setUint32(0, head.length, true);
  file.set(head, HEAD_LENGTH);
  let at = HEAD_LENGTH + head.length;
  for (const part of parts) {
    file.set(part, at);
    at += part.length;
  }
  return file;
}

/** Rows are read once, one by one. */
export function packTable<Row>({ name, columns, rows }: TablePlan<Row>): PackedTable {
  const writers = columns.map((column) => new ColumnWriter(column));
  const byName = new Map(writers.map((writer) => [writer.name, writer]));
  let count = 0;
  for (const row of rows) {
    for (const writer of writers) writer.add(row, byName);
    count += 1;
  }
  const done = writers.map((writer) => writer.done());
  return {
    head: { name, rows: count, columns: done.map(({ head }) => head) },
    parts: done.map(({ bytes }) => bytes),
  };
}

const FIRST_BYTES = 1024;

class ColumnWriter<Row> {
  readonly name: string;
  readonly #plan: ColumnPlan<Row>;
  readonly #scale: number;
  #bytes = new Uint8Array(FIRST_BYTES);
  #length = 0;
  #last = 0;
  /** The scaled number of the row that was added last; undefined where it has none. */
  #current: number | undefined;
  /** Texts by their place, where the column holds texts. */
  #texts: Map<string, number> | undefined;

  constructor(plan: ColumnPlan<Row>) {
    this.name = plan.name;
    this.#plan = plan;
    this.#scale = 10 ** (plan.decimals ?? 0);
  }

  add(row: Row, others: ReadonlyMap<string, ColumnWriter<Row>>): void {
    const cell = this.#plan.of(row);
    if (typeof cell === 'string') return this.#addText(cell);
    if (cell === undefined || !Number.isFinite(cell)) {
      this.#current = undefined;
      return this.#write(0);
    }
    const scaled = Math.round(cell * this.#scale);
    assert(Number.isSafeInteger(scaled), 'a cell of a page is within what a number holds exactly');
    this.#current = scaled;
    const near = this.#plan.near === undefined ? undefined : others.get(this.#plan.near)?.currentIn(this.#scale);
    const step = scaled - (near ?? this.#last);
    this.#last = scaled;
    // Even for steps up, odd for steps down; 0 stands for no number.
    this.#write((step >= 0 ? step * 2 : -step * 2 - 1) + 1);
  }

  /** The number of the current row, in units of another column. */
  currentIn(scale: number): number | undefined {
    return this.#current === undefined ? undefined : Math.round((this.#current / this.#scale) * scale);
  }

  done(): { readonly head: ColumnHeadEntry; readonly bytes: Uint8Array } {
    const bytes = this.#bytes.subarray(0, this.#length);
    const { name, decimals = 0, near } = this.#plan;
    if (this.#texts !== undefined)
      return { head: { name, bytes: bytes.length, texts: [...this.#texts.keys()] }, bytes };
    const head = { name, bytes: bytes.length, decimals };
    return { head: near === undefined ? head : { ...head, near }, bytes };
  }

  #addText(text: string): void {
    this.#texts ??= new Map();
    const place = this.#texts.get(text) ?? this.#texts.size + 1;
    this.#texts.set(text, place);
    this.#write(place);
  }

  /** A whole number of 0 or more, seven bits to a byte, the lowest first. */
  #write(value: number): void {
    if (this.#length + 9 > this.#bytes.length) {
      const larger = new Uint8Array(this.#bytes.length * 2);
      larger.set(this.#bytes);
      this.#bytes = larger;
    }
    let rest = value;
    while (rest >= 128) {
      this.#bytes[this.#length++] = (rest % 128) + 128;
      rest = Math.floor(rest / 128);
    }
    this.#bytes[this.#length++] = rest;
  }
}
