/** Chances given to outcomes, by closing prices and by signals, against who won. */

import type { BootstrapOptions } from '../../research/chance/bootstrap.ts';
import type { JudgedEnd } from '../../research/chance/settled-market.ts';
import { notKnown } from '../../research/figure/not-known.ts';
import { calibrationOf, type Forecast, skillOf } from '../../research/run/calibration.ts';
import type { ModelStatistics } from '../../result/statistics.ts';
import type { ReadSignal } from '../result/signal-notices.ts';
import type { JudgedMarket } from './judged-market.ts';

/** Bands of chances, narrow where most runners are. */
export const CHANCE_BANDS: readonly number[] = [0, 0.02, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1];
/** Values of a market that sum to its winners within this share are chances; others are something else. */
const SUM_OFF_MAX = 0.02;

/** The forecasts of all markets that are settled and had closing prices, with bets or without. */
export function marketForecasts(markets: readonly JudgedMarket[]): readonly Forecast[] {
  return markets.flatMap((market) => forecastsOf(market, (outcome) => chanceAtClosing(market, outcome)));
}

/** A signal is read as chances only if all its values are. */
export function modelStatistics(
  { strategy, name, series }: ReadSignal,
  markets: readonly JudgedMarket[],
  options: BootstrapOptions,
): ModelStatistics {
  const valued = markets.flatMap((market) => {
    const values = valuesAtOff(market, series);
    return values === undefined ? [] : [{ market, values }];
  });
  const ofNone = (reason: string): ModelStatistics => {
    const none = notKnown(reason);
    return { strategy, signal: name, calibration: none, brierSkill: none, logLossSkill: none };
  };
  if (valued.length === 0)
    return ofNone('No settled market with closing prices has a value of the signal for each outcome before the off.');
  const strange = valued.find(({ market, values }) => !areChances(values, market.result.winnerCount));
  if (strange !== undefined) {
    const { id } = strange.market.result;
    return ofNone(
      `Its values are no chances: those of market ${id} do not lie from 0 to 1 or do not sum to its winners.`,
    );
  }
  const ofMarket = valued.flatMap(({ market }) => forecastsOf(market, (outcome) => chanceAtClosing(market, outcome)));
  const ofModel = valued.flatMap(({ market, values }) => forecastsOf(market, (outcome) => values.get(outcome)));
  const compared = { market: ofMarket, model: ofModel, ...options };
  return {
    strategy,
    signal: name,
    calibration: calibrationOf(ofModel, CHANCE_BANDS),
    brierSkill: skillOf({ ...compared, score: 'brier' }),
    logLossSkill: skillOf({ ...compared, score: 'logLoss' }),
  };
}

function chanceAtClosing({ settled }: JudgedMarket, outcome: number): number | undefined {
  return isPlain(settled) ? settled.closing[outcome] : undefined;
}

/** Whether a market is settled without a dead heat: in one it is not known who came first. */
function isPlain(settled: JudgedMarket['settled']): settled is JudgedEnd {
  return settled.kind === 'settled' && settled.share === 1;
}

function forecastsOf(
  { result, group, settled }: JudgedMarket,
  chanceOf: (outcome: number) => number | undefined,
): readonly Forecast[] {
  if (!isPlain(settled)) return [];
  return result.outcomes.flatMap((end, outcome) => {
    const chance = chanceOf(outcome);
    if (end.result === 'Removed' || chance === undefined) return [];
    return [{ eventGroup: group, chance, won: end.result === 'Winner' }];
  });
}

/** The values by outcome; undefined where one of those that ran has no value by then. */
function valuesAtOff(
  { result: { id, outcomes, preOffAt = 0 }, settled }: JudgedMarket,
  series: ReadSignal['series'],
): ReadonlyMap<number, number> | undefined {
  if (!isPlain(settled)) return undefined;
  const values = new Map<number, number>();
  for (const [outcome, end] of outcomes.entries()) {
    if (end.result === 'Removed') continue;
    const value = series.valueAt(id, end.id, preOffAt);
    if (value === undefined) return undefined;
    values.set(outcome, value);
  }
  return values;
}

function areChances(values: ReadonlyMap<number, number>, winners: number): boolean {
  const all = [...values.values()];
  const sum = all.reduce((total, value) => total + value, 0);
  return all.every((value) => value >= 0 && value <= 1) && Math.abs(sum - winners) <= SUM_OFF_MAX * winners;
}
