/** Prices taken against what came of them: whether outcomes that were backed or laid won more often than the price needs. */

import type { Meaning } from '../figure/meaning.ts';
import { type NotKnown, notKnown } from '../figure/not-known.ts';
import { type CalibrationBand, calibrationBands, type Forecast } from './calibration.ts';

/** Of the bets of one side: a band is one of prices, by the chance that they imply. */
export interface PriceCalibration extends Meaning {
  readonly kind: 'priceCalibration';
  /** `meanChance` is the mean of 1 ÷ price; bands without a bet are left out. */
  readonly bands: readonly CalibrationBand[];
  /** Outcomes with a result on which the side was bet. */
  readonly outcomes: number;
}

const PRICE_CALIBRATION_MEANING: Meaning = {
  says:
    'Each outcome counts once for each side on which it was bet, at the mean price that was got. 1 ÷ price is the share of such outcomes ' +
    'that has to win for bets to come out even before commission: bets on outcomes gain where more of them win, bets against them where fewer do.',
  doesNotSay:
    'Stakes are not weighed: a few large bets may decide the profit. The outcomes of one market depend on each other, so that the intervals ' +
    'are a little off, and of twenty bands one lies outside of its interval by chance alone.',
};

/** `taken` has one entry for each outcome; `edges` ascend from 0 to 1. */
export function priceCalibrationOf(taken: readonly Forecast[], edges: readonly number[]): PriceCalibration | NotKnown {
  if (taken.length === 0) return notKnown('Nothing was matched on an outcome with a result.');
  return {
    kind: 'priceCalibration',
    bands: calibrationBands(taken, edges),
    outcomes: taken.length,
    ...PRICE_CALIBRATION_MEANING,
  };
}
