/** How a market ended, and the chances that its closing prices gave to its outcomes: what winners are drawn again from. */

import { type NotKnown, notKnown } from '../figure/not-known.ts';
import { type ClosingPrices, closingOfRunners } from './closing.ts';
import type { SettledMarket } from './settlement-test.ts';

/** An outcome at the end of a market. */
export interface EndedOutcome extends ClosingPrices {
  readonly result?: 'Winner' | 'Loser' | 'Removed' | undefined;
  /** The part of a bet on it that was paid as won. */
  readonly winShare?: number | undefined;
}

export interface EndedMarket {
  readonly status: string;
  /** How many winners the market pays. */
  readonly winnerCount: number;
  readonly outcomes: readonly EndedOutcome[];
}

export interface JudgedEnd extends SettledMarket {
  readonly kind: 'settled';
  /** The part of a bet on a winner that is paid as won: 1, or in a dead heat of k winners for w places w ÷ k. */
  readonly share: number;
}

/**
 * Why a market cannot be judged, or its winners with the chances of as many: a dead heat of two is drawn as two winners, each paid half.
 * Outcomes that were removed have the chance 0.
 */
export function judgedEnd({ status, winnerCount, outcomes }: EndedMarket): JudgedEnd | NotKnown {
  if (status !== 'Settled') return notKnown('The market has no result.');
  if (winnerCount === 0) return notKnown('How many outcomes win was open.');
  const winners = outcomes.flatMap(({ result }, outcome) => (result === 'Winner' ? [outcome] : []));
  if (winners.length < winnerCount || winners.length === 0) return notKnown('Fewer outcomes won than the market pays.');
  const share = winnerCount / winners.length;
  const isPaidSo = outcomes.every(({ result, winShare = 0 }) => near(winShare, result === 'Winner' ? share : 0));
  if (!isPaidSo) return notKnown('The winners were not paid alike.');
  const runners = outcomes.flatMap(({ result }, outcome) => (result === 'Removed' ? [] : [outcome]));
  const chances = closingOfRunners(
    runners.map((outcome) => outcomes[outcome]!),
    { places: winnerCount, winners: winners.length },
  );
  if (chances.kind === 'notKnown') return notKnown('The closing prices do not make a market.');
  const closing = new Float64Array(outcomes.length);
  for (const [at, outcome] of runners.entries()) closing[outcome] = chances.probabilities[at]!;
  return { kind: 'settled', closing, winners, share };
}

function near(a: number, b: number): boolean {
  return Math.abs(a - b) < 1e-9;
}
