/** Columns as an update of a replay, whose events are there already. */

import {
  DEFINITION,
  type PendingUpdate,
  recordColumns,
  type UpdateColumns,
} from '../../src/recording/segment/update.ts';

export function pendingOf(columns: UpdateColumns): PendingUpdate {
  const { market, publishedAt, sequence } = columns;
  return {
    ...{ market, publishedAt, sequence },
    isDefinition: columns.count > 0 && columns.kind[0] === DEFINITION,
    columns: () => columns,
    recordInto: (sink) => recordColumns(columns, sink),
  };
}
