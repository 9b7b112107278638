/** Backing several outcomes for the same profit whichever of them wins. */

import { defined } from '../../core/checks/assert.ts';
import type { PlaceIntent } from '../../core/intent.ts';
import { isBelowMinimum } from '../decision/below-minimum.ts';
import { checkOptions } from '../decision/known-keys.ts';
import { roundStakeDown } from '../stake-step.ts';
import type { OutcomeView } from '../views/views.ts';
import { back, type PlaceOptions } from './place.ts';

/** The price for an order on the outcome; the best price to take where this function is left out. */
export type PriceOf = (outcome: OutcomeView) => number | undefined;

/**
 * How dutched orders are sized, by `stake` (the total, decimal currency) or by `profit` (to be won whichever outcome
 * wins), and the `price` of each outcome, its best price to take where it is left out.
 */
export type DutchOptions = Omit<PlaceOptions, 'stake' | 'price'> & { readonly price?: PriceOf } & (
    | { readonly stake: number; readonly profit?: never }
    | { readonly profit: number; readonly stake?: never }
  );

const DUTCH_OPTIONS: ReadonlySet<string> = new Set([
  'stake',
  'profit',
  'price',
  'keepWhenInPlay',
  'matchBehavior',
  'note',
]);

/**
 * Orders on all these outcomes that give the same profit whichever of them wins: stakeᵢ = total ÷ (priceᵢ × Σ 1/price).
 * `stake` is the total stake; with `profit` the total is the stake that earns it, and there are no orders
 * where the prices allow no profit (Σ 1/price ≥ 1). There are also none where a price is missing, or where one of the
 * stakes is smaller than the exchange accepts, since the other orders alone would be a different bet.
 *
 * @example
 * decide: ({ market }) => (overround(market.outcomes) < 0 ? dutch(market.outcomes, { stake: 10 }) : [])
 */
export function dutch(outcomes: readonly OutcomeView[], options: DutchOptions): readonly PlaceIntent[] {
  checkOptions('dutch', options, DUTCH_OPTIONS);
  const { price: priceOf = priceToTake, stake, profit, ...rest } = options;
  const book = bookOf(outcomes, priceOf);
  const total = stake ?? (book < 1 ? (profit ?? 0) / (1 / book - 1) : 0);
  if (!(total > 0) || !(book > 0 && book < Number.POSITIVE_INFINITY)) return [];
  const orders = outcomes.map((outcome) => {
    const price = priceOf(outcome) ?? Number.NaN;
    return back(outcome, { ...rest, price, stake: roundStakeDown(total / (price * book), outcome.stakeStep) });
  });
  const isWhole = outcomes.every((outcome, i) => !isBelowMinimum(outcome, defined(orders[i], 'each has its order')));
  return isWhole ? orders : [];
}

/**
 * How much the implied probabilities exceed one: Σ 1/price − 1, at the best prices to take or at the given ones.
 * 0.02 is a book of 102 %; below zero, backing all outcomes wins whatever happens. Infinity where a price is missing.
 *
 * @example
 * const joining = overround(market.outcomes, (outcome) => outcome.bestFor?.price);
 */
export function overround(outcomes: readonly OutcomeView[], priceOf: PriceOf = priceToTake): number {
  return bookOf(outcomes, priceOf) - 1;
}

function bookOf(outcomes: readonly OutcomeView[], priceOf: PriceOf): number {
  let book = 0;
  for (const outcome of outcomes) book += 1 / (priceOf(outcome) ?? 0);
  return book;
}

function priceToTake(outcome: OutcomeView): number | undefined {
  return outcome.bestPrice('Against');
}
