/** The two sides, and every place where For and Against need different code. */

import { NO_TICK } from './number/ladder.ts';

/** An order's side: For backs the outcome, Against lays it. */
export type Side = 'For' | 'Against';
/** A side as a column value: 0 For, 1 Against. */
export type SideIndex = 0 | 1;

export const FOR: SideIndex = 0;
export const AGAINST: SideIndex = 1;

export const SIDES: readonly Side[] = ['For', 'Against'];

export function sideIndex(side: Side): SideIndex {
  return side === 'For' ? FOR : AGAINST;
}

export function sideOf(index: number): Side {
  return index === FOR ? 'For' : 'Against';
}

/** What a matched order holds of its outcome counts up for For, down for Against. */
export function signOf(side: Side): 1 | -1 {
  return side === 'For' ? 1 : -1;
}

export function opposite(side: Side): Side {
  return side === 'For' ? 'Against' : 'For';
}

export function oppositeIndex(side: SideIndex): SideIndex {
  return side === FOR ? AGAINST : FOR;
}

/**
 * The direction, in ticks, in which a RESTING side gets worse for its taker.
 * Resting Against: best is the highest price, so worse is down; resting For: best is the lowest, so worse is up.
 */
export function worseStep(resting: SideIndex): 1 | -1 {
  return resting === AGAINST ? -1 : 1;
}

/** Whether a resting price is at or through a taker's limit: a For taker wants at least it, an Against taker at most. */
export function crosses(taker: SideIndex, limit: number, resting: number): boolean {
  return taker === FOR ? resting >= limit : resting <= limit;
}

/** Whether price a of a resting side is better for its taker than b. */
export function isBetter(resting: SideIndex, a: number, b: number): boolean {
  return resting === AGAINST ? a > b : a < b;
}

/** The better of two ticks of a resting side, where NO_TICK means none. */
export function betterTick(resting: SideIndex, a: number, b: number): number {
  if (a === NO_TICK) return b;
  if (b === NO_TICK) return a;
  return isBetter(resting, a, b) ? a : b;
}
