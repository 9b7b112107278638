/** The two sides of a bet, and all code that differs between For and Against. */

import { NO_TICK } from './number/ladder.ts';

/** An order's side: For backs the outcome, Against lays it. */
export type Side = 'For' | 'Against';
/** A side as an index into typed arrays: 0 is For, 1 is Against. */
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

/** The sign of a position on the outcome: matched stake counts up for For, down for Against. */
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
 * The step, in ticks, from a price of a RESTING side to the next worse one for the taker. Resting Against: the best
 * price is the highest, so worse is down. Resting For: the best price is the lowest, so worse is up.
 */
export function worseStep(resting: SideIndex): 1 | -1 {
  return resting === AGAINST ? -1 : 1;
}

/**
 * Whether a taker with this limit can match the resting price: a For taker wants at least its limit, an Against taker
 * at most. Works on ticks and on prices.
 */
export function crosses(taker: SideIndex, limit: number, resting: number): boolean {
  return taker === FOR ? resting >= limit : resting <= limit;
}

/** Whether price `a` of a resting side is better for its taker than `b`. Works on ticks and on prices. */
export function isBetter(resting: SideIndex, a: number, b: number): boolean {
  return resting === AGAINST ? a > b : a < b;
}

/** The better of two ticks of a resting side for its taker; NO_TICK means none. */
export function betterTick(resting: SideIndex, a: number, b: number): number {
  if (a === NO_TICK) return b;
  if (b === NO_TICK) return a;
  return isBetter(resting, a, b) ? a : b;
}
