/** How a figure goes over the minutes of a soak, and whether it grows. */

import { type Point, slopeOf } from './slope.ts';

/** MB a minute that memory may grow, since what is live at a moment scatters. */
const GROWTH_PER_MINUTE_MOST = 0.5;

export interface Course {
  readonly firstThird: number;
  readonly lastThird: number;
  readonly perMinute: number;
  readonly error: number;
}

/** Of what grows for certain, and not only by scatter. */
export function growing(what: string, { perMinute, error }: Course): readonly string[] {
  if (perMinute - 2 * error <= GROWTH_PER_MINUTE_MOST) return [];
  return [`the memory of ${what} grows by ${perMinute} ± ${error} MB a minute`];
}

/** The first and the last third, and how much it grows by least squares, with the error of that. */
export function courseOf(points: readonly Point[]): Course {
  const third = Math.max(1, Math.floor(points.length / 3));
  const meanOf = (part: readonly Point[]) => rounded(mean(part.map(({ value }) => value)));
  const { perHour, error } = slopeOf(points);
  return {
    firstThird: meanOf(points.slice(0, third)),
    lastThird: meanOf(points.slice(-third)),
    perMinute: rounded(perHour / 60),
    error: rounded(error / 60),
  };
}

export function mean(numbers: readonly number[]): number {
  return numbers.reduce((sum, each) => sum + each, 0) / Math.max(1, numbers.length);
}

export function quantile(numbers: readonly number[], share: number): number {
  return [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length * share)] ?? Number.NaN;
}

export function rounded(value: number): number {
  return Math.round(value * 100) / 100;
}
