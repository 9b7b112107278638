/** The figures as a table for people, with what each rests on below it. */

import type { Figure } from './figure.ts';

export function figureTable(figures: readonly Figure[]): string {
  const rows = figures.map(({ name, value, unit, ratio, yardstick }) => [
    name,
    grouped(value),
    unit,
    `${ratio.toFixed(2)} ×`,
    grouped(yardstick.value),
    yardstick.name,
  ]);
  const table = aligned([['figure', 'value', 'unit', 'ratio', 'yardstick', ''], ...rows]);
  return `${table}\n\nSeconds are processor time of all that takes part; of first passes (replay-cold), what somebody waits. What was done:\n${figures.map(basis).join('\n')}`;
}

function basis({ name, counts, data }: Figure): string {
  const done = Object.entries(counts).map(([what, count]) => `${what} ${grouped(count)}`);
  const { orders, updates } = counts;
  if (orders !== undefined && updates !== undefined) done.push(`orders per update ${(orders / updates).toFixed(4)}`);
  return `  ${name}: ${done.join(', ')} (${data})`;
}

/** What is no count and small has decimals. */
function grouped(value: number): string {
  const isSmall = Math.abs(value) < 10 && !Number.isInteger(value);
  return isSmall ? value.toFixed(2) : Math.round(value).toLocaleString('en-GB');
}

/** Columns of numbers to the right. */
function aligned(rows: readonly (readonly string[])[]): string {
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? [];
  const isNumber = (column: number): boolean => column === 1 || column === 3 || column === 4;
  return rows
    .map((row) =>
      row
        .map((cell, column) =>
          isNumber(column) ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0),
        )
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
