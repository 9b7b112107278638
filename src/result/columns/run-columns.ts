/** The columns that orders and fills have in common: the part of the run that they belong to. */

import type { RowRun } from '../result.ts';
import { columnList } from './column.ts';

export const RUN_COLUMNS = columnList<RowRun>()([
  {
    name: 'run',
    kind: 'count',
    label: 'Run',
    about: 'Number of the run',
    inReport: 'if-rows-differ',
    of: (row) => row.run,
  },
  {
    name: 'flow',
    label: 'Flow',
    kind: 'text',
    about: 'The bound of its world, whose fills the strategy saw',
    inReport: 'if-rows-differ',
    of: (row) => row.flow,
  },
]);
