/** What a bet is worth per unit of stake, where the fair price is known. */

import type { Side } from '../../core/side.ts';

/**
 * Expected profit per unit of stake, before commission: the stake is the backer's on both sides, prices are decimal odds.
 * A bet for the outcome at 2.1 is worth 5 % where 2.0 is fair; against it, −5 %.
 */
export function valuePerStake({
  side,
  price,
  fairPrice,
}: {
  readonly side: Side;
  readonly price: number;
  readonly fairPrice: number;
}): number {
  const edge = price / fairPrice - 1;
  return side === 'For' ? edge : -edge;
}

/** The fair price in the middle of the two best ones, in chances and not in odds. */
export function middlePrice({
  bestFor,
  bestAgainst,
}: {
  /** The best price at which one can bet for the outcome now, and the best at which one can bet against it. */
  readonly bestFor: number;
  readonly bestAgainst: number;
}): number {
  return 2 / (1 / bestFor + 1 / bestAgainst);
}
