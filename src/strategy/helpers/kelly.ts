/** The stake that makes the bankroll grow fastest, for a belief and a price. */

import type { Side } from '../../core/side.ts';
import { checkOptions } from '../decision/known-keys.ts';
import { roundStakeDown } from '../stake-step.ts';

/** A belief, a price and a bank, of which `kelly` makes a stake. */
export interface KellyOptions {
  /** Your estimate of the outcome's probability, 0 to 1. */
  readonly probability: number;
  /** Decimal odds at which the bet would be matched, above 1. */
  readonly price: number;
  /** The money that the stake is a part of, decimal currency. */
  readonly bankroll: number;
  /** Part of the full Kelly stake, 0 to 1. Default 1; a quarter is common, since estimates are uncertain. */
  readonly fraction?: number;
  /** Commission on winnings, in percent as the exchange states it: 2 is 2 %. Default 0. */
  readonly commissionPercent?: number;
  /** Default For. */
  readonly side?: Side;
}

const KELLY_OPTIONS: ReadonlySet<string> = new Set([
  'probability',
  'price',
  'bankroll',
  'fraction',
  'commissionPercent',
  'side',
]);

/**
 * Backer's stake of the (fractional) Kelly bet, rounded down to three decimals; 0 without an edge. For: the fraction p
 * − q ÷ ((price − 1)(1 − commission)) of the bankroll. Against: the liability is the fraction q − p (price − 1) ÷ (1 −
 * commission), and the stake is the liability ÷ (price − 1).
 *
 * @throws RangeError for a probability or fraction outside 0 to 1, a commission outside 0 to 100, and a price of 1 or less
 *
 * @example
 * const stake = kelly({ probability: 0.55, price: 2, bankroll: 1000, fraction: 0.25 }); // 25
 */
export function kelly(options: KellyOptions): number {
  checkOptions('kelly', options, KELLY_OPTIONS);
  const { probability, price, bankroll, fraction = 1, commissionPercent = 0, side = 'For' } = options;
  within('probability', probability, 0, 1);
  within('fraction', fraction, 0, 1);
  within('commissionPercent', commissionPercent, 0, 100);
  if (!(price > 1)) throw new RangeError(`kelly: price must exceed 1, got ${price}.`);
  const odds = price - 1;
  const kept = 1 - commissionPercent / 100;
  const against = 1 - probability;
  const stakePart =
    side === 'For' ? probability - against / (odds * kept) : (against - (probability * odds) / kept) / odds;
  const stake = bankroll * fraction * stakePart;
  return stake > 0 ? roundStakeDown(stake) : 0;
}

function within(name: string, value: number, min: number, max: number): void {
  if (!(value >= min && value <= max))
    throw new RangeError(`kelly: ${name} must be from ${min} to ${max}, got ${value}.`);
}
