/**
 * The Sharpe ratio by event group, and how sure it is after a search over many trials: probabilistic and deflated Sharpe
 * (D. H. Bailey and M. López de Prado, "The deflated Sharpe ratio", 2014).
 */

import { assert } from '../../core/checks/assert.ts';
import type { Meaning } from '../figure/meaning.ts';
import { type Figures, type Moments, momentsOf } from '../figure/moments.ts';
import { normalCdf, normalQuantile } from '../figure/normal.ts';
import { type NotKnown, notKnown, tooFewEvents } from '../figure/not-known.ts';

const EULER = 0.5772156649015329;
/** Skewness and kurtosis of fewer say nothing. */
const GROUPS_MIN = 10;

/** What the formulas need of one trial's profits. Sharpe ratios are per event group, never annualised. */
export interface SharpeSample {
  readonly kind: 'sharpe';
  readonly sharpe: number;
  readonly groups: number;
  readonly skewness: number;
  /** 3 for a normal distribution. */
  readonly kurtosis: number;
}

/** Mean profit of an event group over its standard deviation. */
export function sharpeOf(profits: Figures): SharpeSample | NotKnown {
  if (profits.length < GROUPS_MIN) return tooFewEvents(profits.length, GROUPS_MIN);
  const { count, mean, deviation, skewness, kurtosis }: Moments = momentsOf(profits);
  if (deviation === 0)
    return notKnown('All event groups have the same profit: the Sharpe ratio divides by their spread.');
  return { kind: 'sharpe', sharpe: mean / deviation, groups: count, skewness, kurtosis };
}

/** The chance that the true Sharpe ratio is above `benchmark`, as far as the sample's length, skewness and kurtosis tell. */
export function probabilisticSharpe(sample: Omit<SharpeSample, 'kind'>, benchmark: number): number | NotKnown {
  const { sharpe, groups, skewness, kurtosis } = sample;
  const variance = 1 - skewness * sharpe + ((kurtosis - 1) / 4) * sharpe * sharpe;
  if (!(variance > 0))
    return notKnown('The profits take two values alone: their Sharpe ratio has no error to judge it by.');
  return normalCdf(((sharpe - benchmark) * Math.sqrt(groups - 1)) / Math.sqrt(variance));
}

/** The Sharpe ratio to expect of the best of N trials that are all worth nothing, for the deviation of their Sharpe ratios. */
export function expectedMaximumSharpe({
  trials,
  deviation,
}: {
  readonly trials: number;
  /** The deviation of the Sharpe ratios over the trials. */
  readonly deviation: number;
}): number {
  assert(Number.isInteger(trials) && trials >= 1, `trials are counted from 1 on, got ${trials}`);
  assert(deviation >= 0, `a deviation is not negative, got ${deviation}`);
  if (trials === 1) return 0;
  const best = normalQuantile(1 - 1 / trials);
  const next = normalQuantile(1 - 1 / (trials * Math.E));
  return deviation * ((1 - EULER) * best + EULER * next);
}

export interface DeflatedSharpe extends Meaning {
  readonly kind: 'deflatedSharpe';
  readonly sharpe: number;
  /** The Sharpe ratio that the best of as many worthless trials is expected to have. */
  readonly expectedMaximum: number;
  /** The probabilistic Sharpe ratio against that: 0 to 1. */
  readonly deflated: number;
  readonly trials: number;
}

const SHARPE_MEANING: Meaning = {
  says:
    'The deflated Sharpe ratio says how likely the Sharpe ratio of the best trial is above what the best of as many ' +
    'worthless trials would show. It is a bound: above 0.95 it speaks for the strategy.',
  doesNotSay:
    'It is no p-value. On most fair bets it passes 0.95 much more rarely than once in 20, so that a low figure does not ' +
    'show a worthless strategy; on bets against long odds over few events it passes most of the time, since losses that did ' +
    'not come are not in it.',
};

/**
 * Deflated Sharpe ratio of the best trial. `trials` counts every trial that was ever tried, also pruned and abandoned ones;
 * `deviation` is that of the Sharpe ratios of all trials that have one.
 */
export function deflatedSharpe({
  best,
  trials,
  deviation,
}: {
  readonly best: Omit<SharpeSample, 'kind'>;
  readonly trials: number;
  readonly deviation: number;
}): DeflatedSharpe | NotKnown {
  const expectedMaximum = expectedMaximumSharpe({ trials, deviation });
  const deflated = probabilisticSharpe(best, expectedMaximum);
  if (typeof deflated !== 'number') return deflated;
  return { kind: 'deflatedSharpe', sharpe: best.sharpe, expectedMaximum, deflated, trials, ...SHARPE_MEANING };
}
