/** What a sweep says about its own luck: the figures of all its trials, in words and in JSON. */

import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { realityCheck, stationaryBootstrap } from '../../../src/research/chance/reality-check.ts';
import { momentsOf } from '../../../src/research/figure/moments.ts';
import { deflatedSharpe, sharpeOf } from '../../../src/research/search/deflated-sharpe.ts';
import { overfittingOf } from '../../../src/research/search/pbo.ts';
import { topTrials } from '../../../src/sweep/result/top-trials.ts';
import { TrialStore } from '../../../src/sweep/store/trial-store.ts';
import { run } from '../../app/fake-terminal.ts';
import { budget } from '../../support/budget.ts';
import { profitsByTrial, SETTINGS, type Setting } from '../../support/research/fair-search.ts';
import { known } from '../../support/research/known.ts';
import { settledAtOnce } from '../../support/research/settled-at-once.ts';
import { chanceStore } from '../../support/sweep/chance-store.ts';
import { temporaryDirectory } from '../../support/temporary-directory.ts';

const MIXED: Setting = {
  ...{ name: 'backs and lays at prices from 2 to 12', markets: 80, trials: 100 },
  priceOf: (random) => 2 + 10 * random.uniform(),
  betOf: (random) => (random.chance(0.5) ? { side: random.chance(0.5) ? 'back' : 'lay', stake: 1 } : undefined),
};

const top = async (directory: string, ...options: readonly string[]) => {
  const { out } = await run('sweep', 'top', directory, '--json', ...options);
  const { statistics, error } = JSON.parse(out);
  expect(error).toBeUndefined();
  return statistics;
};

describe('a strategy that is pure chance', () => {
  const trials = budget({ each: 40, deep: 1_000 });
  // One search of nothing in twenty is called more than luck, which is the level of the test: of 1,000 trials that of seed 1.
  const { directory, markets } = chanceStore({ ...MIXED, trials }, 2);

  test('the text says that the best is luck', async () => {
    const { code, out } = await run('sweep', 'top', directory);
    expect(code).toBe(0);
    const text = out.replaceAll(/\s+/g, ' ');
    expect(text).toMatch(
      /^Best: trial \d+, profitNet [+−][\d.,]+, params\.a \d+, params\.b \d+(, at the edge of [\w. ]+: widen \w+)?\. Luck: enough to explain it, with a best as good in \d+ of 100 cases\. /,
    );
    expect(text).toContain(' Winners drawn from the closing prices');
    const { headline } = await top(directory);
    expect(text.startsWith(`${headline} `)).toBe(true);
    expect(text).toMatch(/It is no p-value: on pure noise it averages about a half/);
    const shown = await run('sweep', 'show', directory);
    expect(shown.out).toMatch(/\nkey +explains +value +trials +best +median\nparams\.a +\d+ %/);
  });

  test('each figure is that of the profits themselves', async () => {
    const { settlement, reality, deflated, overfitting, best, ...rest } = await top(directory);
    const direct = known(settledAtOnce({ markets, trials, seed: 1, redraws: 999 }));
    expect(settlement).toMatchObject({ exceeding: direct.exceeding, redraws: 999, trial: direct.best });
    expect(settlement.statistic).toBeCloseTo(direct.statistic, 4);
    const profits = profitsByTrial(markets, trials);
    const check = known(
      realityCheck({ trials: profits, resampler: stationaryBootstrap({ seed: 1, meanBlock: 2 }), resamples: 999 }),
    );
    expect(reality).toMatchObject({ exceeding: check.exceeding, trial: check.best });
    const samples = profits.map((each) => known(sharpeOf(each)));
    const { deviation } = momentsOf(samples.map(({ sharpe }) => sharpe));
    const sums = profits.map((each) => Array.from(each).reduce((sum, profit) => sum + profit, 0));
    expect(best).toBe(sums.indexOf(Math.max(...sums)));
    const sample = samples[best];
    if (sample === undefined) throw new Error('the best trial is one of them');
    expect(deflated.deflated).toBeCloseTo(known(deflatedSharpe({ best: sample, trials, deviation })).deflated, 6);
    expect(overfitting.probability).toBe(known(overfittingOf({ trials: profits, measure: 'mean' })).probability);
    const shown = await run('sweep', 'show', directory, '--trial', String(best), '--json');
    const { figures } = JSON.parse(shown.out);
    expect(figures.sharpe.central).toBeCloseTo(deflated.sharpe, 12);
    const bets = Array.from(profits[best] ?? []).filter((profit) => profit !== 0).length;
    expect(figures.eventsBet.central).toBe(bets);
    expect(bets).toBeLessThan(60);
    expect(figures.profitPerEvent.central).toBeCloseTo((sums[best] ?? 0) / bets, 6);
    expect(rest).toMatchObject({ events: 80, markets: { bet: 80, judged: 80 }, trials: { whole: trials, part: 0 } });
  });

  test('the best few are the first ones of all, also among equals', () => {
    const store = TrialStore.open(join(directory, 'trials.sqlite'), { isReadOnly: true });
    for (const figure of ['profitNet', 'halts']) {
      const objective = { figure, bound: 'central', goal: 'maximize', per: 'run', constraints: {} } as const;
      const all = topTrials(store, { configuration: 1, objective });
      expect(all).toHaveLength(trials);
      for (const count of [1, 3, 7, 39])
        expect(topTrials(store, { configuration: 1, objective, count })).toEqual(all.slice(0, count));
    }
    store.close();
  });

  test('the surface has the best and the median of each value', async () => {
    const { surface } = await top(directory);
    const sums = profitsByTrial(markets, trials).map((each) =>
      Array.from(each).reduce((sum, profit) => sum + profit, 0),
    );
    const [, b] = surface;
    expect(b.key).toBe('params.b');
    const ofThree = sums.filter((_, trial) => trial % 10 === 3).sort((x, y) => x - y);
    const half = ofThree.length / 2;
    expect(b.values[3]).toMatchObject({ from: 3, to: 3, trials: trials / 10 });
    expect(b.values[3].best).toBeCloseTo(ofThree.at(-1) ?? 0, 4);
    expect(b.values[3].median).toBeCloseTo(((ofThree[half - 1] ?? 0) + (ofThree[half] ?? 0)) / 2, 4);
  });
});

test('a strategy that knows the winner of some races is more than luck', async () => {
  const knowing: Setting = { ...MIXED, trials: 20 };
  const { directory } = chanceStore(knowing, 3, { knows: 7 });
  const { verdict, settlement } = await top(directory);
  expect(settlement).toMatchObject({ trial: 7, ofFirst: { pValue: settlement.pValue } });
  expect(verdict).toMatchObject({ kind: 'moreThanLuck', trial: 7 });
});

test('the verdict is about the first row, by whatever objective, and names the other trial that stands out', async () => {
  const { directory } = chanceStore({ ...MIXED, trials: 20 }, 3, { knows: 7 });
  const by = ['--by', 'halts'] as const;
  const { verdict, best, settlement, reality } = await top(directory, ...by);
  const { trials } = JSON.parse((await run('sweep', 'top', directory, ...by, '--json')).out);
  expect(trials[0].trial).not.toBe(7);
  expect([best, verdict.trial, settlement.ofFirst.trial, reality.ofFirst.trial]).toEqual(
    Array(4).fill(trials[0].trial),
  );
  expect(verdict.kind).toBe('luck');
  expect(settlement).toMatchObject({ trial: 7 });
  expect(settlement.ofFirst.pValue).toBeGreaterThan(settlement.pValue);
  const text = (await run('sweep', 'top', directory, ...by)).out.replaceAll(/\s+/g, ' ');
  expect(text).toMatch(new RegExp(`^Best: trial ${best}, halts 0, .*\\. Luck: enough to explain it`));
  expect(text).toMatch(/Trial 7 stands out: it is \d+\.\d standard deviations up/);
  expect(text).toMatch(new RegExp(`settlement test trial ${best} is .*, p .*; most: trial 7 is .*, p 0\\.0`));
  expect(text).toMatch(new RegExp(`reality check trial ${best} has .* an event played, p .*; most: trial 7 has`));
});

test('trials of other sweeps of the strategy are counted, and those of other strategies are not', async () => {
  const out = temporaryDirectory('sisters');
  const [first] = SETTINGS;
  if (first === undefined) throw new Error('there are settings');
  chanceStore({ ...first, trials: 6 }, 1, { out, name: 'one' });
  chanceStore({ ...first, trials: 7 }, 2, { out, name: 'two' });
  chanceStore({ ...first, trials: 9 }, 3, { out, name: 'other', strategy: 'coin.ts' });
  const { tried, verdict } = await top(join(out, 'one'));
  expect(tried).toMatchObject({ total: 13, here: 6, others: [{ directory: join(out, 'two'), trials: 7 }], unread: [] });
  expect(verdict.sentences[0]).toMatch(/^Trial \d+, the best by profitNet with 13 trials tried,/);
  expect(verdict.sentences.at(-1)).toMatch(/^The tests know 6 of these trials; the others/);
});

test('a trial that knows the winners because it bets in play has no say in the settlement test', async () => {
  const { directory } = chanceStore({ ...MIXED, trials: 40 }, 2, { knows: 7 });
  const before = await top(directory);
  expect(before.settlement.trial).toBe(7);
  expect(before.settlement.pValue).toBeLessThan(0.01);
  const { directory: late } = chanceStore({ ...MIXED, trials: 40 }, 2, { knows: 7, inPlay: 7 });
  const after = await top(late);
  expect(after.settlement.trial).not.toBe(7);
  expect(after.settlement.pValue).toBeGreaterThan(0.05);
  expect(after.markets).toMatchObject({ bet: 80, judged: 80, late: 80 });
  const { out } = await run('sweep', 'top', late);
  const { directory: alone } = chanceStore({ ...MIXED, trials: 1 }, 2, { inPlay: 0 });
  const unknown = await top(alone);
  expect(unknown.settlement).toMatchObject({ kind: 'notKnown', reason: expect.stringMatching(/no verdict/) });
  expect(unknown.verdict.kind).not.toBe('moreThanLuck');
  expect(out.replaceAll(/\s+/g, ' ')).toContain('Not judged: bets matched in play, in 80 markets.');
});
