/** Cells of the table of trials. */

import type { ColumnTable } from '../../pages/report/columns.ts';

export function numberAt({ numbers }: ColumnTable, name: string, row: number): number | undefined {
  const value = numbers.get(name)?.[row];
  return value === undefined || Number.isNaN(value) ? undefined : value;
}

export function textAt({ texts }: ColumnTable, name: string, row: number): string | undefined {
  const column = texts.get(name);
  return column?.texts[(column.cells[row] ?? 0) - 1];
}
