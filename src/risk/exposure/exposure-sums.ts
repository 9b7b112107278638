/** Sums over positions that follow each change by difference. */

import { assert, defined } from '../../core/checks/assert.ts';
import type { Money } from '../../core/number/units.ts';
import type { SideIndex } from '../../core/side.ts';
import type { Position, PositionChange } from './position.ts';

/**
 * What the positions of a strategy, a wallet or an event come to over all its markets. A market that can only win adds no
 * loss and takes none away: it may be voided while the others are not.
 */
export interface Sum {
  possible: number;
  required: number;
  matched: number;
}

/** Books a change in a position and in its sum; arguments rather than an object, since every report comes here. */
export function applyTo(position: Position, sum: Sum, outcome: number, side: SideIndex, change: PositionChange): void {
  subtract(sum, position);
  position.apply(outcome, side, change);
  add(sum, position);
}

/** Takes a position out of its sum, before it changes. */
export function subtract(sum: Sum, position: Position): void {
  sum.possible -= Math.max(0, position.possibleLoss);
  sum.required -= position.required;
  sum.matched -= position.matched;
}

export function add(sum: Sum, position: Position): void {
  sum.possible += Math.max(0, position.possibleLoss);
  sum.required += position.required;
  sum.matched += position.matched;
}

/** The figure of a strategy or wallet; zero before its first order. */
export function figureOf(sums: readonly Sum[], index: number, figure: keyof Sum): Money {
  return (sums[index]?.[figure] ?? 0) as Money;
}

/** The sum at an index, made where there is none. */
export function sumAt(sums: Sum[], index: number): Sum {
  const known = sums[index];
  if (known !== undefined) return known;
  assert(Number.isInteger(index) && index >= 0, `strategies and wallets are indexes from 0, got ${index}`);
  while (sums.length <= index) sums.push(newSum());
  return defined(sums[index], 'a sum was just made');
}

export function newSum(): Sum {
  return { possible: 0, required: 0, matched: 0 };
}
