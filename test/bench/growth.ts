/** How a cost grows with what is done: the slope of its logarithm, 1 where twice as much takes twice the time. */

import { claim, type Measured, median } from './figure.ts';

/** One size of the same work, and what a run of it took. */
export interface Cost {
  readonly operations: number;
  readonly seconds: number;
}

/** Medians of all sizes, repeated in turns, so that what slows the machine for a while slows all of them. */
export async function costsOf(repetitions: number, sizes: readonly Measured[]): Promise<readonly Cost[]> {
  const seconds = sizes.map((): number[] => []);
  for (let i = 0; i < repetitions; i += 1) {
    for (const [at, size] of sizes.entries()) seconds[at]?.push(await size.run());
  }
  return sizes.map(({ operations }, at) => ({ operations, seconds: median(seconds[at] ?? []) }));
}

/** By least squares. */
export function slopeOf(costs: readonly Cost[]): number {
  claim(costs.length > 1, 'a slope needs two sizes');
  const points = costs.map(({ operations, seconds }) => ({ x: Math.log(operations), y: Math.log(seconds) }));
  const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [x, y] = [mean(points.map((point) => point.x)), mean(points.map((point) => point.y))];
  const across = points.reduce((sum, point) => sum + (point.x - x) * (point.y - y), 0);
  return across / points.reduce((sum, point) => sum + (point.x - x) ** 2, 0);
}
