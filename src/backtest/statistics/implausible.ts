/** Notices where a result is too good to be true: bets that win, or a model that knows, as no honest one does. */

import type { Notice } from '../../result/notices.ts';
import type { ModelStatistics } from '../../result/statistics.ts';
import { amount, count, plural } from '../../words/numbers.ts';
import type { TakenOutcome } from './taken-prices.ts';

/** The part of the gains that bets could have had, and of what closing prices leave open, that no honest edge exceeds. */
const PART = 0.5;
/** And so seldom by chance. */
const ONE_IN = 100_000;
/** Fewer forecasts of a signal say nothing. */
const FORECASTS_MIN = 30;

export interface TakenBets {
  readonly backs: readonly TakenOutcome[];
  readonly lays: readonly TakenOutcome[];
  readonly models: readonly ModelStatistics[];
}

export function implausibleNotices({ backs, lays, models }: TakenBets): readonly Notice[] {
  return [
    ...knowingBets(backs, { bet: 'on', end: 'won' }),
    ...knowingBets(lays, { bet: 'against', end: 'lost' }),
    ...models.flatMap(knowingModel),
  ];
}

const NEXT =
  'Look for a leak before anything else: a file, a signal or a param that knows the result, or times at which values were not known yet. `oddsmith backtest --prove` plays it with other futures.';

interface BetWords {
  readonly bet: 'on' | 'against';
  readonly end: 'won' | 'lost';
}

/**
 * Bets as if held to the end, by their profit and not by their count: at fair prices it is 0 on average however a strategy adds to bets as prices
 * move, while outcomes then win more often than the mean price of their bets says.
 */
function knowingBets(taken: readonly TakenOutcome[], { bet, end }: BetWords): readonly Notice[] {
  let [came, profit, gains, largest, variance] = [0, 0, 0, 0, 0];
  for (const { chance, won, stake } of taken) {
    const win = stake / chance - stake;
    const [gain, loss] = end === 'won' ? [win, stake] : [stake, win];
    const isRight = won === (end === 'won');
    came += Number(isRight);
    profit += isRight ? gain : -loss;
    gains += gain;
    largest = Math.max(largest, gain);
    variance += gain * loss;
  }
  if (profit <= PART * gains || surprise({ profit, largest, variance }) < Math.log(ONE_IN)) return [];
  return [
    {
      code: 'RESULT_IMPLAUSIBLE',
      what: `Of ${plural(taken.length, 'outcome')} that were bet ${bet}, ${count(came)} ${end}: held to the end, these bets make ${Math.round((100 * profit) / gains)} % of what they could have made, which at fair prices comes in fewer than 1 of ${count(ONE_IN)} runs.`,
      next: NEXT,
    },
  ];
}

/** Bennett's bound (1962) of the chance of such a profit at fair prices: −ln of it. */
function surprise({ profit, largest, variance }: Readonly<Record<'profit' | 'largest' | 'variance', number>>): number {
  const over = (largest * profit) / variance;
  return (variance / largest ** 2) * ((1 + over) * Math.log(1 + over) - over);
}

/** The score of the closing prices, for the same outcomes, is that of the model and what it is better by. */
function knowingModel({ strategy, signal, calibration, logLossSkill }: ModelStatistics): readonly Notice[] {
  if (calibration.kind === 'notKnown' || logLossSkill.kind === 'notKnown') return [];
  const { logLoss, forecasts } = calibration;
  const market = logLoss + logLossSkill.estimate;
  if (forecasts < FORECASTS_MIN || logLossSkill.low <= 0 || logLossSkill.estimate < PART * market) return [];
  return [
    {
      code: 'RESULT_IMPLAUSIBLE',
      what: `Signal '${signal}' has a log loss of ${amount(logLoss, 3)} over ${count(forecasts)} outcomes, where closing prices have ${amount(market, 3)}: it says ${Math.round((100 * logLossSkill.estimate) / market)} % of what they leave open.`,
      next: NEXT,
      strategy,
    },
  ];
}
