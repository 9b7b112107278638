/** What the statistics need of a market: its event group, its closing prices and, where it can be judged by them, its winners. */

import type { MarketResult, OutcomeEnd } from '../../report/result.ts';
import { closingOf } from '../../research/chance/closing.ts';
import type { SettledMarket } from '../../research/chance/settlement-test.ts';
import { type NotKnown, notKnown } from '../../research/figure/not-known.ts';
import { middlePrice } from '../../research/run/expected-value.ts';

export interface JudgedMarket {
  readonly result: MarketResult;
  readonly group: string;
  /** The last price before the off of each outcome; undefined where there is none. */
  readonly closing: readonly (number | undefined)[];
  /** Closing chances and winners; else why it cannot be judged by them. */
  readonly settled: (SettledMarket & { readonly kind: 'settled' }) | NotKnown;
}

export function judgedMarket(result: MarketResult, group: string): JudgedMarket {
  const closing = result.outcomes.map(lastBeforeOff);
  return { result, group, closing, settled: settledOf(result, closing) };
}

/** Best prices further apart than this (as a ratio) say little of what lies between them. */
const SPREAD_MAX = 1.1;

/**
 * The middle of the best prices, in chances. Where they lie far apart, the last traded price, held between them; where a side was empty,
 * the last traded price.
 */
function lastBeforeOff({ result, preOff }: OutcomeEnd): number | undefined {
  if (result === 'Removed' || preOff === undefined) return undefined;
  const { bestFor, bestAgainst, lastPrice } = preOff;
  if (bestFor === undefined || bestAgainst === undefined) return lastPrice;
  if (lastPrice === undefined || bestFor / bestAgainst <= SPREAD_MAX) return middlePrice({ bestFor, bestAgainst });
  return Math.min(bestFor, Math.max(bestAgainst, lastPrice));
}

function settledOf(
  { status, outcomes, winnerCount, preOffAt }: MarketResult,
  closing: JudgedMarket['closing'],
): JudgedMarket['settled'] {
  if (status !== 'Settled') return notKnown('The market has no result.');
  const winners = outcomes.flatMap(({ result }, outcome) => (result === 'Winner' ? [outcome] : []));
  if (winners.length !== winnerCount) return notKnown('The market was settled by a dead heat.');
  if (preOffAt === undefined) return notKnown('The recording does not show the prices before the off.');
  const isPriced = outcomes.every(({ result }, outcome) => result === 'Removed' || closing[outcome] !== undefined);
  if (!isPriced) return notKnown('An outcome had no price before the off.');
  const chances = closingOf(closing, winnerCount);
  if (chances.kind === 'notKnown') return notKnown('The prices before the off do not make a market.');
  return { kind: 'settled', closing: chances.probabilities, winners };
}
