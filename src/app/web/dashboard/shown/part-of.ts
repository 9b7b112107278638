/** A part of a long list: what a page shows of it. */

import type { Ask, Part } from '../../../../pages/panels.ts';

const ROWS_MAX = 50;

/** Rows from `from` on; where the list has become shorter than that, its last rows. */
export function partOf<Row>(all: readonly Row[], { from }: Pick<Ask, 'from'>): Part<Row> {
  const last = Math.max(0, Math.floor((all.length - 1) / ROWS_MAX) * ROWS_MAX);
  const first = Math.min(from, last);
  return { rows: all.slice(first, first + ROWS_MAX), from: first, total: all.length };
}

/** Makes rows of the part alone. */
export function mappedPart<From, Row>({ rows, from, total }: Part<From>, row: (of: From) => Row): Part<Row> {
  return { rows: rows.map(row), from, total };
}
