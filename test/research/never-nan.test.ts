/** No figure is NaN or infinite: small, empty, flat and lopsided inputs give numbers, or a reason. */

import { expect, test } from 'vitest';
import { Random } from '../../src/core/number/random.ts';
import { closingOf } from '../../src/research/chance/closing.ts';
import { luckOf } from '../../src/research/chance/luck.ts';
import { realityCheck, stationaryBootstrap } from '../../src/research/chance/reality-check.ts';
import type { NotKnown } from '../../src/research/figure/not-known.ts';
import { signedRanksOf } from '../../src/research/paired/wilcoxon.ts';
import { calibrationOf, skillOf } from '../../src/research/run/calibration.ts';
import { cellTableOf } from '../../src/research/run/cells.ts';
import { closingValueOf } from '../../src/research/run/closing-value.ts';
import { costSplitOf } from '../../src/research/run/cost-split.ts';
import { drawdownOf } from '../../src/research/run/drawdown.ts';
import { fillBiasOf } from '../../src/research/run/fill-bias.ts';
import { kellyGrowthOf } from '../../src/research/run/kelly-growth.ts';
import { priceCalibrationOf } from '../../src/research/run/price-calibration.ts';
import { deflatedSharpe, probabilisticSharpe, sharpeOf } from '../../src/research/search/deflated-sharpe.ts';
import { overfittingOf } from '../../src/research/search/pbo.ts';
import { plateauOf } from '../../src/research/search/plateau.ts';
import { verdictOf } from '../../src/research/search/verdict.ts';
import { budget } from '../support/budget.ts';
import { settledAtOnce } from '../support/research/settled-at-once.ts';

const TENTHS = [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1];

/** Numbers that no report may print, with where they are. */
function bad(value: unknown, path: string): readonly string[] {
  if (typeof value === 'number') return Number.isFinite(value) ? [] : [`${path}: ${value}`];
  if (typeof value === 'string') return /NaN|Infinity|undefined/.test(value) ? [`${path}: ${value}`] : [];
  if (typeof value !== 'object' || value === null) return [];
  // The logit of a trial that is best outside too is infinite, and says so.
  return Object.entries(value).flatMap(([key, each]) => (key === 'logits' ? [] : bad(each, `${path}.${key}`)));
}

const OPTIONS = { seed: 1, resamples: 100, level: 0.9 };

/** Trials are numbered as they come. */
function numbered<T extends { readonly kind: string; readonly best: number }>(figure: T | NotKnown) {
  return 'best' in figure ? { ...figure, trial: figure.best } : figure;
}

test('figures of one run', () => {
  const random = Random.fromSeed(1);
  for (let each = 0; each < budget({ each: 150, deep: 3_000 }); each += 1) {
    const count = random.below(14);
    const rows = <T>(draw: (at: number) => T): readonly T[] => Array.from({ length: count }, (_, at) => draw(at));
    const small = () => (random.chance(0.4) ? 0 : random.below(5) - 2);
    const price = () => 1.01 + random.below(4);
    const side = () => (random.chance(0.5) ? 'For' : 'Against');
    const bets = () =>
      rows(() => ({
        ...({ eventGroup: `${random.below(8)}`, side: side(), price: price(), closing: price() } as const),
        stake: random.below(3),
      }));
    const forecasts = () =>
      rows((at) => ({ eventGroup: `${at % 6}`, chance: random.below(5) / 4, won: random.chance(0.5) }));
    const markets = rows(() => {
      const chance = random.below(5) / 4;
      return { closing: [chance, 1 - chance], winners: [random.below(2)], profit: [small(), small()] };
    });
    const [cell, other] = [markets, markets.slice(3)].map((part, at) => {
      return { cell: `${at}`, bets: count, stake: random.below(2), profit: small(), markets: part };
    });
    const found = {
      closingValue: closingValueOf(bets(), OPTIONS),
      fillBias: fillBiasOf({ filled: bets(), unfilled: bets(), ...OPTIONS }),
      costs: costSplitOf(
        rows(
          () =>
            ({ side: side(), price: price(), stake: random.below(3), bestFor: price(), bestAgainst: price() }) as const,
        ),
        1,
      ),
      calibration: calibrationOf(forecasts(), TENTHS),
      prices: priceCalibrationOf(forecasts(), TENTHS),
      skill: skillOf({ market: forecasts(), model: forecasts(), score: 'logLoss', ...OPTIONS }),
      growth: kellyGrowthOf({ profits: rows(small), bank: random.below(20), ...OPTIONS }),
      drawdown: drawdownOf(rows(small)),
      luck: luckOf({ markets, seed: each, redraws: 19 }),
      cells:
        cell === undefined || other === undefined
          ? undefined
          : cellTableOf({ cells: [cell, other], seed: 1, redraws: 19 }),
      ranks: signedRanksOf(rows(small)),
      closing: closingOf(
        rows(() => (random.chance(0.2) ? undefined : price())),
        1 + random.below(2),
      ),
    };
    expect(bad(found, `case ${each}`)).toEqual([]);
  }
});

test('figures of a search', () => {
  const random = Random.fromSeed(2);
  for (let each = 0; each < budget({ each: 150, deep: 2_000 }); each += 1) {
    const groups = random.chance(0.5) ? random.below(14) : 20 + random.below(8);
    const count = 1 + random.below(4);
    const isFlat = random.chance(0.2);
    const trials = Array.from({ length: count }, () => {
      return Array.from({ length: groups }, () => (isFlat || random.chance(0.4) ? 1 : random.below(5) - 2));
    });
    const samples = trials.map(sharpeOf);
    const best = samples.find((sample) => sample.kind === 'sharpe');
    const deflated =
      best === undefined ? sharpeOf([]) : deflatedSharpe({ best, trials: count, deviation: random.below(2) / 4 });
    const markets = Array.from({ length: groups }, (_, group) => {
      const chance = random.below(5) / 4;
      const wins = trials.map((trial) => trial[group] ?? 0);
      return {
        closing: [chance, 1 - chance],
        winners: [random.below(2)],
        profits: [wins, trials.map(() => (isFlat ? 1 : -1))],
      };
    });
    const figures = {
      trials: count,
      first: { trial: 0, by: 'profitNet' },
      settlement: numbered(settledAtOnce({ markets, trials: count, seed: each, redraws: 19, asked: 0 })),
      reality: numbered(
        realityCheck({ trials, resampler: stationaryBootstrap({ seed: 1, meanBlock: 3 }), resamples: 19, asked: 0 }),
      ),
      overfitting: overfittingOf({ trials, measure: random.chance(0.5) ? 'mean' : 'sharpe' }),
      deflated: deflated.kind === 'sharpe' ? sharpeOf([]) : deflated,
      closingValue: closingValueOf([], OPTIONS),
    };
    const { deflated: ratio } = figures;
    const found = {
      ...figures,
      samples,
      probabilistic: best === undefined ? undefined : probabilisticSharpe(best, 0),
      plateau: plateauOf({
        value: 1,
        standardError: random.below(2),
        neighbours: [1, undefined].slice(random.below(3)),
      }),
      verdict: ratio.kind === 'sharpe' ? undefined : verdictOf({ ...figures, deflated: ratio }),
    };
    expect(bad(found, `case ${each}`)).toEqual([]);
  }
});
