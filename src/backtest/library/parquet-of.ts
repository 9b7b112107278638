/** `parquetOf()`: a table of a result as the bytes of a Parquet file. */

import type { Cell } from '../../result/columns/column.ts';
import { FILL_COLUMNS } from '../../result/columns/fill-columns.ts';
import { MARKET_COLUMNS } from '../../result/columns/market-columns.ts';
import { ORDER_COLUMNS } from '../../result/columns/order-columns.ts';
import { OUTCOME_COLUMNS } from '../../result/columns/outcome-columns.ts';
import { PLOT_COLUMNS } from '../../result/columns/plot-columns.ts';
import type { BacktestRun } from './result-tables.ts';

const COLUMNS = {
  orders: ORDER_COLUMNS,
  fills: FILL_COLUMNS,
  markets: MARKET_COLUMNS,
  outcomes: OUTCOME_COLUMNS,
  plots: PLOT_COLUMNS,
} as const;

/** The tables of a result that can be had as Parquet. */
export type ParquetTable = keyof typeof COLUMNS;

/**
 * A table of a result as the bytes of a Parquet file, in pieces, each of 20,000 rows at most, so that a long run's rows are never all in memory.
 *
 * @example
 * import { writeFile } from 'node:fs/promises';
 *
 * await writeFile('orders.parquet', parquetOf(run, 'orders'));
 */
export async function* parquetOf(run: BacktestRun, table: ParquetTable): AsyncGenerator<Uint8Array> {
  // Loaded when it is needed: most programs never ask for it.
  const { parquetBytes } = await import('../../result/columns/parquet.ts');
  const columns = COLUMNS[table].map(({ name, kind }) => ({ name, kind, of: (row: FlatCells) => row[name] }));
  yield* parquetBytes<FlatCells>(columns, run[table].rows);
}

type FlatCells = Readonly<Record<string, Cell>>;
