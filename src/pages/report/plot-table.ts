/** What strategies plotted, as a table of columns: as many points as a page can hold. */

import type { ColumnPlan } from './columns.ts';
import { type PackedTable, packTable } from './write-columns.ts';

/** One line of values in one market; a value holds until the next, NaN is a gap. */
export interface DrawnLine {
  readonly flow: string;
  readonly strategy: string;
  readonly marketId: string;
  readonly name: string;
  readonly at: ArrayLike<number>;
  readonly value: ArrayLike<number>;
}

const POINTS_MAX = 100_000;
/** Digits after the point: fewer where values are so large that a number could not hold them. */
const DECIMALS_MAX = 6;
const EXACT = 2 ** 50;

interface Point {
  readonly line: DrawnLine;
  readonly at: number;
  readonly value: number;
}

export function plotTable(lines: readonly DrawnLine[]): PackedTable {
  const drawn = lines.filter(({ flow }) => flow === 'central');
  return packTable({ name: 'plots', columns: planOf(decimalsOf(drawn)), rows: points(drawn) });
}

function decimalsOf(lines: readonly DrawnLine[]): number {
  let largest = 1;
  for (const { value } of lines)
    for (let place = 0; place < value.length; place += 1) {
      const size = Math.abs(value[place] ?? 0);
      if (size > largest && size < EXACT) largest = size;
    }
  return Math.max(0, Math.min(DECIMALS_MAX, Math.floor(Math.log10(EXACT / largest))));
}

/** Whole lines, as long as there is room. */
function* points(lines: readonly DrawnLine[]): Generator<Point> {
  let left = POINTS_MAX;
  for (const line of lines) {
    if (line.at.length > left) continue;
    left -= line.at.length;
    for (let place = 0; place < line.at.length; place += 1)
      yield { line, at: line.at[place] ?? 0, value: line.value[place] ?? Number.NaN };
  }
}

function planOf(decimals: number): readonly ColumnPlan<Point>[] {
  return [
    { name: 'market', of: ({ line }) => line.marketId },
    { name: 'strategy', of: ({ line }) => line.strategy },
    { name: 'name', of: ({ line }) => line.name },
    { name: 'at', of: ({ at }) => at },
    { name: 'value', decimals, of: ({ value }) => (Math.abs(value) < EXACT ? value : undefined) },
  ];
}
