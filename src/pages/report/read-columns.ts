/** Reads tables that `write-columns.ts` wrote: in the page, and where a report is drawn again. */

import { assert, defined } from '../../core/checks/assert.ts';
import {
  COLUMN_FORMAT,
  type ColumnFile,
  type ColumnHead,
  type ColumnTable,
  HEAD_LENGTH,
  type NumberColumn,
  type TableHead,
  type TextColumn,
} from './columns.ts';

export function readColumns(file: Uint8Array): ColumnFile {
  const length = new DataView(file.buffer, file.byteOffset, file.byteLength).getUint32(0, true);
  const text = new TextDecoder().decode(file.subarray(HEAD_LENGTH, HEAD_LENGTH + length));
  const head: ColumnHead = JSON.parse(text);
  assert(head.format === COLUMN_FORMAT, 'the data must be in the format of this version');
  const bytes = { file, at: HEAD_LENGTH + length };
  return { facts: head.facts, tables: new Map(head.tables.map((table) => [table.name, tableOf(table, bytes)])) };
}

interface Bytes {
  readonly file: Uint8Array;
  at: number;
}

function tableOf({ rows, columns }: TableHead, bytes: Bytes): ColumnTable {
  const numbers = new Map<string, NumberColumn>();
  const texts = new Map<string, TextColumn>();
  for (const column of columns) {
    const end = bytes.at + column.bytes;
    if ('texts' in column) texts.set(column.name, { texts: column.texts, cells: cellsOf(rows, bytes) });
    else {
      const near = column.near === undefined ? undefined : defined(numbers.get(column.near), 'it comes before');
      numbers.set(column.name, numbersOf(rows, bytes, { scale: 10 ** column.decimals, near }));
    }
    assert(bytes.at === end, 'a column has as many bytes as its head says');
  }
  return { rows, numbers, texts };
}

function cellsOf(rows: number, bytes: Bytes): Uint32Array {
  const cells = new Uint32Array(rows);
  for (let row = 0; row < rows; row += 1) cells[row] = next(bytes);
  return cells;
}

interface Scaled {
  readonly scale: number;
  readonly near: NumberColumn | undefined;
}

function numbersOf(rows: number, bytes: Bytes, { scale, near }: Scaled): NumberColumn {
  const numbers = new Float64Array(rows).fill(Number.NaN);
  let last = 0;
  for (let row = 0; row < rows; row += 1) {
    const code = next(bytes);
    if (code === 0) continue;
    const step = code % 2 === 1 ? (code - 1) / 2 : -code / 2;
    const beside = near?.[row] ?? Number.NaN;
    last = step + (Number.isNaN(beside) ? last : Math.round(beside * scale));
    numbers[row] = last / scale;
  }
  return numbers;
}

/** Multiplied, not shifted: times in milliseconds have more than 32 bits. */
function next(bytes: Bytes): number {
  const { file } = bytes;
  let value = 0;
  let unit = 1;
  for (;;) {
    const byte = file[bytes.at++] ?? 0;
    value += (byte & 127) * unit;
    if (byte < 128) return value;
    unit *= 128;
  }
}
