/** Whether memory is flat over a soak: by the least of each minute over its last two thirds. */

import { existsSync, readFileSync } from 'node:fs';
import { floorOf, type Point, type Slope, slopeOf } from './slope.ts';
import { liveHeapFile } from './soak-config.ts';

/** In MB; the slope is undefined where the run was too short for one. */
export interface Memory {
  readonly from: number;
  readonly to: number;
  readonly slope: Slope | undefined;
}

/** MB an hour that are allowed in any case: the floor moves by some MB with what is live at the moment. */
export const SCATTER_PER_HOUR = 20;
/** The least of each minute: RSS holds what the collector has not given back yet. */
const FLOOR_MS = 60_000;
const POINTS_MIN = 10;
const MB = 1e6;

/** What the thread of the engine holds after each forced collection. */
export function liveHeapOf(directory: string): readonly Point[] {
  const file = liveHeapFile(directory);
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, 'utf8').trim().split('\n');
  return lines.map((line) => {
    const [at, bytes] = line.split(' ').map(Number);
    return { at: at ?? Number.NaN, value: (bytes ?? Number.NaN) / MB };
  });
}

export function memoryOf(points: readonly Point[]): Memory {
  const [first, last] = [points[0], points.at(-1)];
  if (first === undefined || last === undefined) return { from: 0, to: 0, slope: undefined };
  const begin = first.at + (last.at - first.at) / 3;
  const floors = floorOf(
    points.filter(({ at }) => at >= begin),
    FLOOR_MS,
  );
  const slope = floors.length < POINTS_MIN ? undefined : slopeOf(floors);
  return { from: first.value, to: last.value, slope };
}

/** More than the bound by more than the scatter explains. */
export function growth(name: string, { slope }: Memory, bound: number): readonly string[] {
  if (slope === undefined || slope.perHour - 2 * slope.error <= bound) return [];
  return [`${name} grows by ${slope.perHour.toFixed(1)} MB an hour; ${bound.toFixed(0)} are allowed`];
}

export function memoryLine(name: string, { from, to, slope }: Memory): string {
  const growing = slope === undefined ? 'too short to tell' : `${slope.perHour.toFixed(1)} ± ${slope.error.toFixed(1)}`;
  return `  ${name.padEnd(18)}${from.toFixed(0).padStart(8)}${to.toFixed(0).padStart(8)}  ${growing}`;
}
