/** Sums over positions that follow each change by difference. */

import { assert, defined } from '../../core/checks/assert.ts';
import type { Money } from '../../core/number/units.ts';
import type { SideIndex } from '../../core/side.ts';
import type { Position, PositionChange } from './position.ts';

/** R and M of a strategy, a wallet or an event, over all its markets. */
export interface Sum {
  required: number;
  matched: number;
}

/** Books a change in a position and in its sum; arguments rather than an object, since every report comes here. */
export function applyTo(position: Position, sum: Sum, outcome: number, side: SideIndex, change: PositionChange): void {
  sum.required -= position.required;
  sum.matched -= position.matched;
  position.apply(outcome, side, change);
  sum.required += position.required;
  sum.matched += position.matched;
}

/** Changes a position and carries the difference into its sum. */
export function track(position: Position, sum: Sum, act: (position: Position) => void): void {
  sum.required -= position.required;
  sum.matched -= position.matched;
  act(position);
  sum.required += position.required;
  sum.matched += position.matched;
}

/** Carries into a sum what a position holds now instead of what it held. */
export function follow(sum: Sum, position: Position, required: Money, matched: Money): void {
  sum.required += position.required - required;
  sum.matched += position.matched - matched;
}

/** R of a strategy or wallet; zero before its first order. */
export function requiredOf(sums: readonly Sum[], index: number): Money {
  return (sums[index]?.required ?? 0) as Money;
}

/** The sum at an index, made where there is none. */
export function sumAt(sums: Sum[], index: number): Sum {
  const known = sums[index];
  if (known !== undefined) return known;
  assert(Number.isInteger(index) && index >= 0, `strategies and wallets are indexes from 0, got ${index}`);
  while (sums.length <= index) sums.push({ required: 0, matched: 0 });
  return defined(sums[index], 'a sum was just made');
}
