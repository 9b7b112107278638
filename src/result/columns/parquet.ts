/** Rows of a run as a Parquet file, a group of rows at a time: only one group is in memory. */

import { ByteWriter, type ColumnSource, ParquetWriter, schemaFromColumnData } from 'hyparquet-writer';
import { defined } from '../../core/checks/assert.ts';
import type { Cell, Column } from './column.ts';

/** What is written of a column: that of a row may also be read from a row of the library's tables. */
export interface ParquetColumn<Row> {
  readonly name: string;
  readonly kind: Column<never>['kind'];
  readonly of: (row: Row) => Cell;
}

/** The writer holds the cells of one group, beside what it says of all groups at the file's end. */
const ROWS_PER_GROUP = 20_000;

const TYPES = {
  text: 'STRING',
  count: 'INT32',
  number: 'DOUBLE',
  price: 'DOUBLE',
  money: 'DOUBLE',
  profit: 'DOUBLE',
  time: 'TIMESTAMP',
} as const satisfies Readonly<Record<Column<never>['kind'], string>>;

/**
 * The columns have the names of the CSV file, in its order. Times are timestamps of milliseconds in UTC, texts are coded by a
 * dictionary, counts are 32-bit integers and all other numbers doubles; an absent value is null.
 */
export function* parquetBytes<Row>(columns: readonly ParquetColumn<Row>[], rows: Iterable<Row>): Generator<Uint8Array> {
  const bytes = new ByteWriter();
  const schema = schemaFromColumnData({ columnData: columns.map((column) => sourceOf(column, [])) });
  const writer = new ParquetWriter({ writer: bytes, schema, createdBy: 'oddsmith' });
  for (const group of groupsOf(columns, rows)) {
    const columnData = columns.map((column, index) => sourceOf(column, defined(group[index], 'each column has cells')));
    writer.write({ columnData, rowGroupSize: ROWS_PER_GROUP });
    yield taken(bytes);
  }
  writer.finish();
  yield taken(bytes);
}

/** The cells of some rows at a time, column by column. */
function* groupsOf<Row>(columns: readonly ParquetColumn<Row>[], rows: Iterable<Row>): Generator<readonly Cell[][]> {
  let group: Cell[][] = columns.map(() => []);
  let count = 0;
  for (const row of rows) {
    for (let index = 0; index < columns.length; index += 1) group[index]?.push(columns[index]?.of(row));
    count += 1;
    if (count < ROWS_PER_GROUP) continue;
    yield group;
    group = columns.map(() => []);
    count = 0;
  }
  if (count > 0) yield group;
}

function sourceOf({ name, kind }: Pick<ParquetColumn<never>, 'name' | 'kind'>, data: Cell[]): ColumnSource {
  if (kind === 'text') return { name, data, type: TYPES[kind], encoding: 'RLE_DICTIONARY' };
  return { name, data, type: TYPES[kind] };
}

/** What was written since the last call. */
function taken(bytes: ByteWriter): Uint8Array {
  const made = bytes.getBytes().slice();
  bytes.index = 0;
  return made;
}
