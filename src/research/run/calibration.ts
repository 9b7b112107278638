/** Calibration: whether what was given a chance of 30 % came in 30 of 100 cases, with Brier score and log loss. */

import { type BootstrapOptions, type Interval, ratioInterval } from '../chance/bootstrap.ts';
import type { Meaning } from '../figure/meaning.ts';
import { normalQuantile } from '../figure/normal.ts';
import { type NotKnown, notKnown } from '../figure/not-known.ts';
import { sumsByGroup } from './event-sums.ts';

/** One chance given to one outcome, by the market's prices or by a model's signal. */
export interface Forecast {
  readonly eventGroup: string;
  /** 0 to 1. */
  readonly chance: number;
  readonly won: boolean;
}

/** The forecasts of one band of chances. */
export interface CalibrationBand {
  /** The band holds `from`, and `to` in the last band alone. */
  readonly from: number;
  /** Upper end of the band. */
  readonly to: number;
  /** Forecasts in the band. */
  readonly count: number;
  /** Their mean chance, 0 to 1. */
  readonly meanChance: number;
  /** The share of them that came in, 0 to 1. */
  readonly shareWon: number;
  /** Of the share, at 95 % (E. B. Wilson, 1927), as if outcomes were independent. */
  readonly low: number;
  /** Upper end of the interval of the share. */
  readonly high: number;
}

/** Whether chances came in as often as they say (G. W. Brier, 1950, for the score). */
export interface Calibration extends Meaning {
  readonly kind: 'calibration';
  /** Bands without a forecast are left out. */
  readonly bands: readonly CalibrationBand[];
  /** Mean squared error of the chances: 0 is perfect, 0.25 is what 50 % for everything gives. */
  readonly brier: number;
  /** Mean of −ln of the chance given to what happened, in nats. */
  readonly logLoss: number;
  /** How many chances were judged. */
  readonly forecasts: number;
}

const CALIBRATION_MEANING: Meaning = {
  says:
    'Calibration says whether outcomes win as often as they are said to. Brier score and log loss also count how far ' +
    'the chances go apart: of two forecasts of the same outcomes, the lower one is the better.',
  doesNotSay:
    'Scores of different outcomes cannot be compared, since some races are harder to tell than others. A better score ' +
    'than that of the market is not yet a profit: that takes prices which are off by more than the costs.',
};

/** Chances of exactly 0 and 1 that turn out wrong would have an infinite loss; all are held this far within. */
const WITHIN = 1e-6;
const Z_95 = normalQuantile(0.975);

/** `edges` ascend from 0 to 1; long odds need narrower bands than tenths. */
export function calibrationOf(forecasts: readonly Forecast[], edges: readonly number[]): Calibration | NotKnown {
  if (forecasts.length === 0) return notKnown('There is no forecast of a settled outcome.');
  return {
    kind: 'calibration',
    bands: calibrationBands(forecasts, edges),
    brier: meanOver(forecasts, squaredError),
    logLoss: meanOver(forecasts, logLossOf),
    forecasts: forecasts.length,
    ...CALIBRATION_MEANING,
  };
}

/** Those of each band that has any; `edges` as those of `calibrationOf`. */
export function calibrationBands(forecasts: readonly Forecast[], edges: readonly number[]): readonly CalibrationBand[] {
  const bands: CalibrationBand[] = [];
  for (let band = 0; band + 1 < edges.length; band += 1) {
    const from = edges[band]!;
    const to = edges[band + 1]!;
    const isLast = band + 2 === edges.length;
    const inside = forecasts.filter(({ chance }) => chance >= from && (chance < to || (isLast && chance === to)));
    if (inside.length > 0) bands.push({ from, to, ...bandOf(inside) });
  }
  return bands;
}

/**
 * How much better the chances of a model are than those of the market, for the same outcomes: mean score of the market less that
 * of the model, with its interval by event group. Above 0, the model is better.
 */
export function skillOf({
  market,
  model,
  score,
  ...options
}: BootstrapOptions & {
  /** The same outcomes in the same order. */
  readonly market: readonly Forecast[];
  readonly model: readonly Forecast[];
  readonly score: 'brier' | 'logLoss';
}): Interval | NotKnown {
  const scoreOf = score === 'brier' ? squaredError : logLossOf;
  const better = Float64Array.from(market, (forecast, at) => scoreOf(forecast) - scoreOf(model[at]!));
  const groups = market.map(({ eventGroup }) => eventGroup);
  const [above = better, below = better] = sumsByGroup(groups, [better, better.map(() => 1)]);
  return ratioInterval({ above, below, ...options });
}

function bandOf(inside: readonly Forecast[]): Omit<CalibrationBand, 'from' | 'to'> {
  const count = inside.length;
  const shareWon = meanOver(inside, ({ won }) => (won ? 1 : 0));
  const square = (Z_95 * Z_95) / count;
  const centre = shareWon + square / 2;
  const spread = Math.sqrt(square * (shareWon * (1 - shareWon) + square / 4));
  return {
    count,
    meanChance: meanOver(inside, ({ chance }) => chance),
    shareWon,
    low: Math.max(0, (centre - spread) / (1 + square)),
    high: Math.min(1, (centre + spread) / (1 + square)),
  };
}

function meanOver(forecasts: readonly Forecast[], figureOf: (forecast: Forecast) => number): number {
  return forecasts.reduce((sum, forecast) => sum + figureOf(forecast), 0) / forecasts.length;
}

function squaredError({ chance, won }: Forecast): number {
  return (chance - (won ? 1 : 0)) ** 2;
}

function logLossOf({ chance, won }: Forecast): number {
  const held = Math.min(Math.max(chance, WITHIN), 1 - WITHIN);
  return -Math.log(won ? held : 1 - held);
}
