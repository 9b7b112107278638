/** Cells of the table of trials, and how its figures are written. */

import type { ColumnTable } from '../../pages/report/columns.ts';
import type { SweepFacts } from '../../pages/report/sweep-facts.ts';
import { amount, count } from '../../words/numbers.ts';

export function numberAt({ numbers }: ColumnTable, name: string, row: number): number | undefined {
  const value = numbers.get(name)?.[row];
  return value === undefined || Number.isNaN(value) ? undefined : value;
}

export function textAt({ texts }: ColumnTable, name: string, row: number): string | undefined {
  const column = texts.get(name);
  return column?.texts[(column.cells[row] ?? 0) - 1];
}

export function written(value: number, unit: SweepFacts['units'][string] | undefined): string {
  if (unit === 'share') return `${amount(value * 100, 2)} %`;
  if (unit === 'count') return count(Math.round(value));
  return amount(value, unit === 'ratio' ? 3 : 2);
}

/** The unit of the objective: its figure is the first word after the goal. */
export function unitOf({ objective, units }: SweepFacts): SweepFacts['units'][string] | undefined {
  const [, figure = ''] = objective.split(/[ ,]+/);
  return units[figure];
}
