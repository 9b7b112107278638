/** Parquet files of a run, read by another library: each cell is that of the CSV file, in its type. */

import { readFileSync, writeFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parquetMetadata, parquetReadObjects } from 'hyparquet';
import { backtest, parquetOf } from 'oddsmith/backtest';
import { describe, expect, test } from 'vitest';
import type { Column } from '../../src/result/columns/column.ts';
import { fillsCsv, ordersCsv } from '../../src/result/columns/csv.ts';
import { FILL_COLUMNS } from '../../src/result/columns/fill-columns.ts';
import { MARKET_COLUMNS } from '../../src/result/columns/market-columns.ts';
import { ORDER_COLUMNS } from '../../src/result/columns/order-columns.ts';
import { OUTCOME_COLUMNS, outcomeRows } from '../../src/result/columns/outcome-columns.ts';
import { parquetBytes } from '../../src/result/columns/parquet.ts';
import type { FillRow, OrderRow } from '../../src/result/result.ts';
import { run } from '../app/fake-terminal.ts';
import { backtestOf } from '../support/backtest-of.ts';
import { SAMPLE_TAPE, sampleStrategy } from '../support/places.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

type Read = Readonly<Record<string, unknown>>;

/** The file as an `ArrayBuffer` of its own. */
function bytesOf(pieces: Iterable<Uint8Array>): ArrayBuffer {
  const whole = Buffer.concat([...pieces]);
  return whole.buffer.slice(whole.byteOffset, whole.byteOffset + whole.length) as ArrayBuffer;
}

async function readBack(file: ArrayBuffer): Promise<readonly Read[]> {
  return (await parquetReadObjects({ file })) as readonly Read[];
}

/** What a reader is to find: dates for times, null for an empty cell. */
function expectedOf<Row>(columns: readonly Column<Row>[], rows: Iterable<Row>): readonly Read[] {
  return Array.from(rows, (row) =>
    Object.fromEntries(
      columns.map((column) => {
        const cell = column.of(row);
        return [column.name, column.kind === 'time' && typeof cell === 'number' ? new Date(cell) : (cell ?? null)];
      }),
    ),
  );
}

const FILL: FillRow = {
  ...{ run: 1, flow: 'central', order: 1, marketId: '1', outcomeId: '2', outcomeTitle: 'Two' },
  ...{ side: 'Against', price: 3.05, stake: 0.1, at: Date.UTC(2026, 2, 24, 14, 0, 0, 7) },
};

function* fills(count: number, onRead: (read: number) => void = () => {}): Generator<FillRow> {
  for (let i = 0; i < count; i += 1) {
    onRead(i + 1);
    yield { ...FILL, order: i, at: FILL.at + i, marketId: `1.${i % 300}`, stake: i / 7 };
  }
}

describe('a file', () => {
  test('holds each cell as it is, absent ones as null', async () => {
    const order: OrderRow = {
      ...{ run: 1, flow: 'central', id: 2_147_483_647, strategy: 'a', marketId: '1.2', marketName: '=1+1' },
      ...{ outcomeId: '7', outcomeTitle: 'Line\nbreak, "quoted" \u0000', side: 'For', price: 1.01, stake: 0.001 },
      ...{ decidedAt: 0, stakeMatched: 1e9 + 0.000001, note: 'σ 🏇 \u001b[2J' },
    };
    const read = await readBack(bytesOf(parquetBytes(ORDER_COLUMNS, [order, { ...order, profit: -0.1, endedAt: 1 }])));
    expect(read).toEqual(expectedOf(ORDER_COLUMNS, [order, { ...order, profit: -0.1, endedAt: 1 }]));
    expect(read[0]?.['note']).toBe('σ 🏇 \u001b[2J');
    expect(read[0]?.['profit']).toBeNull();
  });

  test('has timestamps of milliseconds in UTC, doubles, 32-bit counts, and texts coded by a dictionary', () => {
    const metadata = parquetMetadata(bytesOf(parquetBytes(ORDER_COLUMNS, [])));
    const types = metadata.schema.slice(1).map(({ name, type, converted_type }) => [name, type, converted_type]);
    expect(types).toContainEqual(['decidedAt', 'INT64', 'TIMESTAMP_MILLIS']);
    expect(types).toContainEqual(['stakeMatched', 'DOUBLE', undefined]);
    expect(types).toContainEqual(['order', 'INT32', undefined]);
    expect(types).toContainEqual(['note', 'BYTE_ARRAY', 'UTF8']);
    expect(types.map(([name]) => name)).toEqual(ORDER_COLUMNS.map(({ name }) => name));
    const { row_groups } = parquetMetadata(bytesOf(parquetBytes(FILL_COLUMNS, fills(1000))));
    const encodings = row_groups[0]?.columns.map(({ meta_data: meta }) => [meta?.path_in_schema[0], meta?.encodings]);
    for (const text of ['flow', 'marketId', 'outcomeId', 'side'])
      expect(encodings?.find(([name]) => name === text)?.[1], text).toContain('RLE_DICTIONARY');
  });

  test('without rows can be read and has all columns', async () => {
    for (const columns of [ORDER_COLUMNS, FILL_COLUMNS, MARKET_COLUMNS, OUTCOME_COLUMNS])
      expect(await readBack(bytesOf(parquetBytes<never>(columns, [])))).toEqual([]);
  });

  test('of a long run is made a group at a time: no more rows are read than the piece holds', async () => {
    let rowsRead = 0;
    const pieces = parquetBytes(
      FILL_COLUMNS,
      fills(50_001, (read) => {
        rowsRead = read;
      }),
    );
    const made: Uint8Array[] = [];
    const readBefore: number[] = [];
    for (const piece of pieces) {
      made.push(piece);
      readBefore.push(rowsRead);
    }
    expect(readBefore).toEqual([20_000, 40_000, 50_001, 50_001]);
    const file = bytesOf(made);
    expect(parquetMetadata(file).row_groups.map(({ num_rows }) => Number(num_rows))).toEqual([20_000, 20_000, 10_001]);
    expect(await readBack(file)).toEqual(expectedOf(FILL_COLUMNS, fills(50_001)));
  });
});

const strategies = [sampleStrategy('favourite-scalp'), sampleStrategy('passive-quoter')];

/** The lines of a CSV file without quoted cells, as cells. */
function csvCells(text: string): readonly (readonly string[])[] {
  expect(text).not.toContain('"');
  return text
    .trimEnd()
    .split('\r\n')
    .map((line) => line.split(','));
}

/** The cell as the CSV file prints it; an apostrophe before a formula is the CSV file's own. */
function printed(value: unknown): string {
  if (value === null || value === undefined) return '';
  return value instanceof Date ? value.toISOString() : String(value);
}

test('orders and fills of a run are those of its CSV files, markets and outcomes those of its result', async () => {
  const result = await backtestOf(strategies, { fills: 'all' });
  const pairs = [
    [parquetBytes(ORDER_COLUMNS, result.orderRows), ordersCsv(result.orderRows)],
    [parquetBytes(FILL_COLUMNS, result.fillRows), fillsCsv(result.fillRows)],
  ] as const;
  for (const [parquet, csv] of pairs) {
    const [head = [], ...lines] = csvCells([...csv].join(''));
    const read = await readBack(bytesOf(parquet));
    expect(read.length).toBeGreaterThan(100);
    expect(read.map((row) => head.map((name) => printed(row[name])))).toEqual(lines);
  }
  const outcomes = [...outcomeRows(result.byMarket)];
  expect(await readBack(bytesOf(parquetBytes(MARKET_COLUMNS, result.byMarket)))).toEqual(
    expectedOf(MARKET_COLUMNS, result.byMarket),
  );
  expect(await readBack(bytesOf(parquetBytes(OUTCOME_COLUMNS, outcomes)))).toEqual(
    expectedOf(OUTCOME_COLUMNS, outcomes),
  );
});

test('a program has the same bytes from parquetOf, and the command writes them with --parquet alone', async () => {
  const directory = temporaryDirectory('parquet');
  const config = join(directory, 'run.yaml');
  const [first] = strategies;
  writeFileSync(
    config,
    `strategies: [{ file: ${JSON.stringify(first)} }]\ntapes: [${JSON.stringify(SAMPLE_TAPE)}]\nout: ${JSON.stringify(directory)}\n`,
  );
  expect((await run('backtest', config)).code).toBe(0);
  const made = await backtest({ tape: SAMPLE_TAPE, strategies: [{ file: first ?? '' }] });
  const runDirectory = join(directory, `backtest-1-${made.summary.transcriptSha256.slice(0, 10)}`);
  const read = (name: string) => readFileSync(join(runDirectory, name));
  expect(() => read('orders.parquet')).toThrow('ENOENT');
  expect((await run('backtest', config, '--parquet')).code).toBe(0);
  for (const table of ['orders', 'fills', 'markets', 'outcomes'] as const) {
    const file = join(directory, `${table}.parquet`);
    await writeFile(file, parquetOf(made, table));
    expect(readFileSync(file).equals(read(`${table}.parquet`)), table).toBe(true);
  }
  const [head = [], ...lines] = csvCells(read('orders.csv').toString());
  const orders = await readBack(bytesOf([read('orders.parquet')]));
  expect(orders.map((row) => head.map((name) => printed(row[name])))).toEqual(lines);
});
