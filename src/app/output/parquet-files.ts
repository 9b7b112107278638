/** The Parquet files of a run, which are written where they are asked for. */

import { FILL_COLUMNS } from '../../result/columns/fill-columns.ts';
import { MARKET_COLUMNS } from '../../result/columns/market-columns.ts';
import { ORDER_COLUMNS } from '../../result/columns/order-columns.ts';
import { OUTCOME_COLUMNS, outcomeRows } from '../../result/columns/outcome-columns.ts';
import { parquetBytes } from '../../result/columns/parquet.ts';
import { PLOT_COLUMNS, plotRows } from '../../result/columns/plot-columns.ts';
import type { BacktestResult } from '../../result/result.ts';
import type { RunFile } from './run-files.ts';

export function parquetFiles(result: BacktestResult): readonly RunFile[] {
  return [
    ['orders.parquet', () => parquetBytes(ORDER_COLUMNS, result.orderRows)],
    ['fills.parquet', () => parquetBytes(FILL_COLUMNS, result.fillRows)],
    ['markets.parquet', () => parquetBytes(MARKET_COLUMNS, result.byMarket)],
    ['outcomes.parquet', () => parquetBytes(OUTCOME_COLUMNS, outcomeRows(result.byMarket))],
    ...(result.plots.length === 0 ? [] : [plotsFile(result)]),
  ];
}

function plotsFile({ plots }: BacktestResult): RunFile {
  return ['plots.parquet', () => parquetBytes(PLOT_COLUMNS, plotRows(plots))];
}
