/** The columns of what strategies plotted, in plots.csv and the library: a column is added here, and nowhere else. */

import type { PlotLine, RowRun } from '../result.ts';
import { columnList } from './column.ts';
import { RUN_COLUMNS } from './run-columns.ts';

/** One point of a line. */
export interface PlotRow extends RowRun {
  readonly line: Pick<PlotLine, 'strategy' | 'marketId' | 'name'>;
  readonly at: number;
  /** Undefined where the line ends. */
  readonly value: number | undefined;
}

export const PLOT_COLUMNS = columnList<PlotRow>()([
  ...RUN_COLUMNS,
  { name: 'strategy', kind: 'text', about: 'The strategy that plotted it', of: ({ line }) => line.strategy },
  { name: 'marketId', kind: 'text', about: 'Id of the market', of: ({ line }) => line.marketId },
  { name: 'name', kind: 'text', about: 'Name of the value', of: ({ line }) => line.name },
  { name: 'at', kind: 'time', about: 'When it was plotted', of: (row) => row.at },
  {
    name: 'value',
    kind: 'number',
    about: 'The value from then on; none where the line ends',
    of: (row) => row.value,
  },
]);

/** The points of all lines, one line after the other; made anew at each iteration. */
export function plotRows(lines: readonly PlotLine[]): Iterable<PlotRow> {
  return {
    *[Symbol.iterator]() {
      for (const line of lines) {
        const { run, flow } = line;
        for (const [index, at] of line.at.entries()) {
          const value = line.value[index];
          yield { run, flow, line, at, value: Number.isNaN(value) ? undefined : value };
        }
      }
    },
  };
}
