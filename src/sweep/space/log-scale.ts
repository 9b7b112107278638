/** A logarithmic scale between two positive numbers, with the same bits on every JavaScript engine. */

import { binaryLog, halved } from '../../core/number/steady-math.ts';

/** The number at a place from 0 to 1: equal ways are equal ratios. */
export function between(from: number, to: number, place: number): number {
  const span = binaryLog(to / from);
  return Math.min(to, Math.max(from, to * halved(span * (1 - place))));
}

/** The place of a number. */
export function positionBetween(from: number, to: number, at: number): number {
  return to === from ? 0.5 : binaryLog(at / from) / binaryLog(to / from);
}
