/** The profit curve as columns for the chart, thinned so that a page stays light however long the run. */

import type { ProfitPoint } from '../result.ts';

/** Columns for uPlot: x in seconds UTC, then the cumulative net profits; the extremes where they were asked for. */
export interface ChartData {
  readonly at: readonly number[];
  readonly market: readonly number[];
  readonly pessimistic: readonly number[];
  readonly central: readonly number[];
  readonly optimistic: readonly number[];
  readonly lowest?: readonly number[];
  readonly highest?: readonly number[];
}

const POINTS_MAX = 4000;

/** Keeps the first and the last point and, of each stretch, the lowest and highest central point, so that no peak is lost. */
export function chartData(curve: readonly ProfitPoint[]): ChartData {
  const kept = thinned(curve);
  const first = kept[0];
  const last = kept.at(-1);
  if (first === undefined || last === undefined)
    return { at: [], market: [], pessimistic: [], central: [], optimistic: [] };
  // The run starts at zero, a little before its first settlement, and the last step is drawn for as long.
  const margin = Math.max((last.point.at - first.point.at) * 0.02, 60_000);
  const steps = (figures: readonly number[]): readonly number[] => [0, ...figures, ...figures.slice(-1)];
  const lowest = kept.flatMap(({ point }) => point.lowest ?? []);
  const highest = kept.flatMap(({ point }) => point.highest ?? []);
  return {
    at: [first.point.at - margin, ...kept.map(({ point }) => point.at), last.point.at + margin].map((ms) => ms / 1000),
    market: [0, ...kept.map(({ index }) => index + 1), last.index + 1.5],
    pessimistic: steps(kept.map(({ point }) => point.pessimistic)),
    central: steps(kept.map(({ point }) => point.central)),
    optimistic: steps(kept.map(({ point }) => point.optimistic)),
    ...(lowest.length === 0 ? {} : { lowest: steps(lowest) }),
    ...(highest.length === 0 ? {} : { highest: steps(highest) }),
  };
}

interface Kept {
  readonly index: number;
  readonly point: ProfitPoint;
}

function thinned(curve: readonly ProfitPoint[]): readonly Kept[] {
  const all = curve.map((point, index) => ({ index, point }));
  if (all.length <= POINTS_MAX) return all;
  const kept = new Set([0, all.length - 1]);
  const stretches = POINTS_MAX / 2;
  for (let stretch = 0; stretch < stretches; stretch += 1) {
    const from = Math.floor((stretch * all.length) / stretches);
    const to = Math.floor(((stretch + 1) * all.length) / stretches);
    const byProfit = all.slice(from, to).sort((a, b) => a.point.central - b.point.central);
    for (const extreme of [byProfit[0], byProfit.at(-1)]) if (extreme !== undefined) kept.add(extreme.index);
  }
  return all.filter((each) => kept.has(each.index));
}
