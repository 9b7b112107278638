/** How often the tests of a search fire where there is nothing to find: ten kinds of fair bets, settled by chance. */

import { expect, test } from 'vitest';
import { Random } from '../../../src/core/number/random.ts';
import { realityCheck, stationaryBootstrap } from '../../../src/research/chance/reality-check.ts';
import { settlementTest } from '../../../src/research/chance/settlement-test.ts';
import { momentsOf } from '../../../src/research/figure/moments.ts';
import { deflatedSharpe, sharpeOf } from '../../../src/research/search/deflated-sharpe.ts';
import { overfittingOf } from '../../../src/research/search/pbo.ts';
import { budget } from '../../support/budget.ts';
import { fairSearch, profitsByTrial, SETTINGS, type Setting } from '../../support/research/fair-search.ts';
import { known } from '../../support/research/known.ts';

const TIMEOUT = { timeout: 600_000 };
const SEED = 20_261_125;

/** The level asked for, and the standard error of a share of so many repeats. */
const LEVEL = 0.05;
function highestOf(share: number, repeats: number): number {
  return share + 4 * Math.sqrt((LEVEL * (1 - LEVEL)) / repeats);
}

function shareOf(repeats: number, fires: (random: Random, repeat: number) => boolean): number {
  const random = Random.fromSeed(SEED);
  let fired = 0;
  for (let repeat = 0; repeat < repeats; repeat += 1) if (fires(random, repeat)) fired += 1;
  return fired / repeats;
}

function settlementShare(setting: Setting, repeats: number): number {
  return shareOf(repeats, (random, seed) => {
    const markets = fairSearch(setting, random);
    return known(settlementTest({ markets, trials: setting.trials, seed, redraws: 199 })).pValue <= LEVEL;
  });
}

function realityShare(setting: Setting, repeats: number): number {
  return shareOf(repeats, (random, seed) => {
    const trials = profitsByTrial(fairSearch(setting, random), setting.trials);
    const check = realityCheck({ trials, resampler: stationaryBootstrap({ seed, meanBlock: 2 }), resamples: 199 });
    return check.kind === 'realityCheck' && check.pValue <= LEVEL;
  });
}

// With 4,000 repeats the standard error is 0.0034: 6 % are three of them above the level. With 100 it is 0.022.
const repeats = budget({ each: 100, deep: 4_000 });

test.each(SETTINGS)('$name: the settlement test fires in one of twenty', TIMEOUT, (setting) => {
  const share = settlementShare(setting, repeats);
  if (process.env['ODDSMITH_DEEP'] === '1') console.log(`settlement test, ${setting.name}: ${share}`);
  expect(share).toBeLessThanOrEqual(budget({ each: highestOf(LEVEL, repeats), deep: 0.06 }));
});

test.each(SETTINGS)('$name: the reality check fires in 7 of 100 at most', TIMEOUT, (setting) => {
  const share = realityShare(setting, repeats);
  if (process.env['ODDSMITH_DEEP'] === '1') console.log(`reality check, ${setting.name}: ${share}`);
  expect(share).toBeLessThanOrEqual(budget({ each: highestOf(0.07, repeats), deep: 0.07 }));
});

test.each(SETTINGS)('$name: deflated Sharpe passes 0.95 rarely, and PBO is no p-value', TIMEOUT, (setting) => {
  const random = Random.fromSeed(SEED);
  let passed = 0;
  let overfitting = 0;
  const count = budget({ each: 40, deep: 500 });
  for (let repeat = 0; repeat < count; repeat += 1) {
    const trials = profitsByTrial(fairSearch(setting, random), setting.trials);
    const samples = trials.map(sharpeOf).filter((sample) => sample.kind === 'sharpe');
    const best = samples.toSorted((a, b) => b.sharpe - a.sharpe)[0];
    if (best !== undefined && samples.length > 1) {
      const { deviation } = momentsOf(samples.map(({ sharpe }) => sharpe));
      const deflated = deflatedSharpe({ best, trials: setting.trials, deviation });
      if (deflated.kind === 'deflatedSharpe' && deflated.deflated > 0.95) passed += 1;
    }
    const pbo = overfittingOf({ trials, measure: 'mean' });
    overfitting += pbo.kind === 'overfitting' ? pbo.probability : 0.5;
  }
  if (process.env['ODDSMITH_DEEP'] === '1')
    console.log(`${setting.name}: DSR ${passed / count}, PBO ${overfitting / count}`);
  expect({ deflated: passed / count, pbo: overfitting / count }).toSatisfy(() => passed / count <= 0.2);
  expect(overfitting / count).toBeGreaterThan(0.3);
});
