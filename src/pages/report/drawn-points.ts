/** The points of the profit curve that are drawn: thinned so that a page stays light however long the run. */

import type { ProfitPoint } from '../../result/result.ts';

export interface DrawnPoint {
  /** How many markets were settled before. */
  readonly index: number;
  readonly point: ProfitPoint;
}

const POINTS_MAX = 4000;

/** Keeps the first and the last point and, of each stretch, the lowest and highest central point, so that no peak is lost. */
export function drawnPoints(curve: readonly ProfitPoint[]): readonly DrawnPoint[] {
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
