/** The curve of a run's profit as it is drawn: by time, and by the number of settled markets. */

import type { ColumnTable, NumberColumn } from '../../pages/report/columns.ts';
import { CURVE_BOUNDS } from '../../pages/report/report-facts.ts';

export interface Curve {
  readonly at: readonly number[];
  readonly market: readonly number[];
  /** The figures of the bounds that were computed. */
  readonly figures: readonly { readonly name: string; readonly values: readonly number[] }[];
}

/** The run starts at zero, with its first bet or a little before its first settlement; the last step is drawn for a little while. */
export function curveOf({ numbers, rows }: ColumnTable, start = Number.POSITIVE_INFINITY): Curve {
  const times = [...(numbers.get('at') ?? [])];
  const markets = [...(numbers.get('market') ?? [])];
  const [first = 0, last = 0] = [times[0], times[rows - 1]];
  const margin = Math.max((last - first) * 0.02, 60_000);
  const figures = CURVE_BOUNDS.flatMap((name) => {
    const values: NumberColumn = numbers.get(name) ?? new Float64Array();
    return values.length === 0 || Number.isNaN(values[0]) ? [] : [{ name, values: [0, ...values, values.at(-1) ?? 0] }];
  });
  return {
    at: [Math.min(start, first - margin), ...times, last + margin].map((ms) => ms / 1000),
    market: [0, ...markets.map((index) => index + 1), (markets.at(-1) ?? 0) + 1.5],
    figures,
  };
}

/** Where most of the time passes in gaps far longer than is usual between settlements, such as nights, a curve over time is a few steps. */
export function gapsDominate(at: readonly number[]): boolean {
  const span = (at.at(-1) ?? 0) - (at[0] ?? 0);
  const long = (GAP_TIMES * span) / Math.max(1, at.length - 1);
  const inGaps = at.reduce((sum, time, index) => {
    const gap = time - (at[index - 1] ?? time);
    return gap > long ? sum + gap : sum;
  }, 0);
  return inGaps > span / 2;
}

const GAP_TIMES = 5;

/** The place of a time among the settlements: between two of them by its share of the time. */
export function marketAt({ at, market }: Curve, time: number): number {
  const next = at.findIndex((each) => each > time);
  if (next < 0) return market.at(-1) ?? 0;
  const [from = 0, to = 0] = [market[next - 1] ?? 0, market[next]];
  const [before = time, after = time] = [at[next - 1], at[next]];
  return from + ((to - from) * (time - before)) / Math.max(1e-9, after - before);
}
