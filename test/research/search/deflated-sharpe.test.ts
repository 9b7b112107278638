/** Sharpe ratios, probabilistic and deflated, beside the published example and simulated maxima. */

import { expect, test } from 'vitest';
import { Random } from '../../../src/core/number/random.ts';
import { normalCdf } from '../../../src/research/figure/normal.ts';
import {
  deflatedSharpe,
  expectedMaximumSharpe,
  probabilisticSharpe,
  sharpeOf,
} from '../../../src/research/search/deflated-sharpe.ts';
import { known } from '../../support/research/known.ts';

/** Bailey and López de Prado (2014), "A numerical example": 5 years of daily returns, annualised Sharpe ratio 2.5. */
const PUBLISHED = { sharpe: 2.5 / Math.sqrt(250), groups: 1_250, skewness: -3, kurtosis: 10 };

test('the published example has 0.1132 as the maximum to expect of 100 trials, and is deflated to 0.9004', () => {
  const deviation = Math.sqrt(0.5 / 250);
  const deflated = known(deflatedSharpe({ best: PUBLISHED, trials: 100, deviation }));
  expect(deflated.expectedMaximum).toBeCloseTo(0.1132, 4);
  expect(deflated.deflated).toBeCloseTo(0.9004, 4);
});

test('the published example passes 0.95 where 46 trials were tried, and not with 88 of normal returns', () => {
  const deviation = Math.sqrt(0.5 / 250);
  expect(known(deflatedSharpe({ best: PUBLISHED, trials: 46, deviation })).deflated).toBeCloseTo(0.9505, 3);
  const normal = { ...PUBLISHED, skewness: 0, kurtosis: 3 };
  expect(known(deflatedSharpe({ best: normal, trials: 88, deviation })).deflated).toBeCloseTo(0.9505, 3);
});

test('for normal profits without a search it is the chance of the usual test', () => {
  const chance = probabilisticSharpe({ sharpe: 0.2, groups: 101, skewness: 0, kurtosis: 3 }, 0);
  expect(chance).toBeCloseTo(normalCdf((0.2 * 10) / Math.sqrt(1 + 0.02)), 12);
});

test('the expected maximum is near that of simulated worthless trials, from 5 to 1,000 of them', () => {
  const random = Random.fromSeed(4);
  for (const trials of [5, 50, 1_000]) {
    let sum = 0;
    const repeats = trials === 1_000 ? 300 : 2_000;
    for (let each = 0; each < repeats; each += 1) {
      let most = -Infinity;
      for (let trial = 0; trial < trials; trial += 1) most = Math.max(most, random.normal());
      sum += most;
    }
    const expected = expectedMaximumSharpe({ trials, deviation: 1 });
    expect(Math.abs(sum / repeats / expected - 1), `${trials} trials`).toBeLessThan(0.04);
  }
  expect(expectedMaximumSharpe({ trials: 1, deviation: 1 })).toBe(0);
});

test('a Sharpe ratio is mean over deviation by event group; too few groups, or no spread, is not known', () => {
  const profits = [3, -1, -1, 4, -1, 2, -1, -1, 5, -1];
  const { sharpe, groups } = known(sharpeOf(profits));
  const mean = 0.8;
  const variance = profits.reduce((sum, each) => sum + (each - mean) ** 2, 0) / 9;
  expect(sharpe).toBeCloseTo(mean / Math.sqrt(variance), 12);
  expect(groups).toBe(10);
  expect(sharpeOf([1, 2, 3])).toMatchObject({
    kind: 'notKnown',
    reason: expect.stringMatching(/^3 events are too few \(10 needed\)\.$/),
  });
  for (const flat of [0, 0.1]) {
    expect(sharpeOf(new Array<number>(12).fill(flat))).toMatchObject({ kind: 'notKnown' });
  }
});

test('profits of two values have no error to judge a Sharpe ratio by where the formula leaves none', () => {
  const sample = { sharpe: 1, groups: 20, skewness: 2, kurtosis: 5 };
  expect(probabilisticSharpe(sample, 0)).toMatchObject({ kind: 'notKnown' });
});

test('it says that it is a bound and no p-value', () => {
  const { says, doesNotSay } = known(deflatedSharpe({ best: PUBLISHED, trials: 100, deviation: 0.04 }));
  expect(says).toContain('bound');
  expect(doesNotSay).toContain('no p-value');
});
