/** The prices of a runner: what is offered by level, rolled up or not, and what was traded. */

import { BET_MINIMUMS } from '../../betfair/wire/basics/currencies.ts';
import type { PriceLevel } from '../../matching/state/visible-prices.ts';
import { decimalOf, PENNY, sizeOf } from '../names/amounts.ts';
import { POUND } from '../names/currencies.ts';

export interface PriceAndSize {
  readonly price: number;
  readonly size: number;
}

/** How small sizes are joined with the next worse price until they reach the limit, in 10⁻⁶. */
export interface Rollup {
  readonly model: 'STAKE' | 'PAYOUT' | 'NONE';
  readonly limit: number;
}

/** Up to it, small sizes are joined with the next price. */
export const LEAST_SIZE = BET_MINIMUMS[POUND]?.size ?? 1;

/** Offers of one side, the best first. What rests Against an outcome is what a backer can take. */
export function offersOf(levels: readonly PriceLevel[], side: 'BACK' | 'LAY'): readonly PriceLevel[] {
  const resting = side === 'BACK' ? 'Against' : 'For';
  return levels.filter((level) => level.side === resting && level.amount >= PENNY);
}

export function offered(levels: readonly PriceLevel[]): readonly PriceAndSize[] {
  return levels.map(({ price, amount }) => ({ price: decimalOf(price), size: sizeOf(amount) }));
}

/** Small sizes are carried to the next price; what does not reach the limit at the last price is not shown. */
export function rolledUp(levels: readonly PriceLevel[], { model, limit }: Rollup): readonly PriceAndSize[] {
  if (model === 'NONE') return offered(levels);
  const rolled: PriceAndSize[] = [];
  let carried = 0;
  for (const { price, amount } of levels) {
    carried += amount;
    const reached = model === 'STAKE' ? carried : carried * decimalOf(price);
    if (reached < limit) continue;
    rolled.push({ price: decimalOf(price), size: sizeOf(carried) });
    carried = 0;
  }
  return rolled;
}

/** What was matched at each price, in both halves of each match, the lowest price first. */
export function tradedOf(levels: readonly PriceLevel[]): readonly PriceAndSize[] {
  const byPrice = new Map<number, number>();
  for (const { price, matched } of levels) {
    if (matched > 0) byPrice.set(price, (byPrice.get(price) ?? 0) + 2 * matched);
  }
  return [...byPrice]
    .sort(([left], [right]) => left - right)
    .map(([price, stake]) => ({ price: price / 1000, size: sizeOf(stake) }));
}
