/** The verdict in words: pure chance is called luck over many seeds, skill is not, and nothing is said that is not known. */

import { expect, test } from 'vitest';
import { Random } from '../../../src/core/number/random.ts';
import { type RealityCheck, realityCheck, stationaryBootstrap } from '../../../src/research/chance/reality-check.ts';
import type { MarketOfTrials, SettlementTest } from '../../../src/research/chance/settlement-test.ts';
import { momentsOf } from '../../../src/research/figure/moments.ts';
import { type NotKnown, notKnown } from '../../../src/research/figure/not-known.ts';
import { closingValueOf } from '../../../src/research/run/closing-value.ts';
import { deflatedSharpe, sharpeOf } from '../../../src/research/search/deflated-sharpe.ts';
import { overfittingOf } from '../../../src/research/search/pbo.ts';
import { type SearchFigures, verdictOf, type WithTrial } from '../../../src/research/search/verdict.ts';
import { budget } from '../../support/budget.ts';
import { fairSearch, profitsByTrial } from '../../support/research/fair-search.ts';
import { known } from '../../support/research/known.ts';
import { settledAtOnce } from '../../support/research/settled-at-once.ts';

const SETTING = {
  name: 'pure chance',
  markets: 80,
  priceOf: (random: Random) => 2 + 10 * random.uniform(),
  betOf: (random: Random) =>
    random.chance(0.5) ? ({ side: random.chance(0.5) ? 'back' : 'lay', stake: 1 } as const) : undefined,
};
const NONE = notKnown('No bet has a closing price.');

/** Trials are numbered as they come. */
function numbered<T extends { readonly kind: string; readonly best: number }>(figure: T | NotKnown) {
  return 'best' in figure ? { ...figure, trial: figure.best } : figure;
}

/** The first trial is the one with the largest profit, unless another is asked about. */
function figuresOf(markets: readonly MarketOfTrials[], count: number, seed: number, of?: number): SearchFigures {
  const trials = profitsByTrial(markets, count);
  const totals = trials.map((profits) => profits.reduce((sum, profit) => sum + profit, 0));
  const asked = of ?? totals.indexOf(Math.max(...totals));
  const samples = trials.map((trial) => known(sharpeOf(trial)));
  const best = samples.reduce((top, each) => (each.sharpe > top.sharpe ? each : top));
  const { deviation } = momentsOf(samples.map(({ sharpe }) => sharpe));
  const resampler = stationaryBootstrap({ seed, meanBlock: 2 });
  return {
    trials: count,
    first: { trial: asked, by: 'profitNet' },
    settlement: numbered(settledAtOnce({ markets, trials: count, seed, redraws: 199, asked })),
    reality: numbered(realityCheck({ trials, resampler, resamples: 199, asked })),
    deflated: deflatedSharpe({ best, trials: count, deviation }),
    overfitting: overfittingOf({ trials, measure: 'mean' }),
    closingValue: NONE,
  };
}

test('a strategy of pure chance, 1,000 trials: the best is luck, in words, for all but one in twenty seeds', () => {
  const seeds = budget({ each: 12, deep: 100 });
  let luck = 0;
  for (let seed = 0; seed < seeds; seed += 1) {
    const markets = fairSearch({ ...SETTING, trials: 1_000 }, Random.fromSeed(seed));
    const { kind, sentences, luck: words } = verdictOf(figuresOf(markets, 1_000, seed));
    if (kind !== 'luck') continue;
    luck += 1;
    expect(words).toMatch(/^enough to explain it, with a best as good in \d+ of 100 cases\.$/);
    expect(sentences[0]).toMatch(
      /^Trial \d+, the best by profitNet with 1,000 trials tried, is what luck alone gives\.$/,
    );
    expect(sentences[1]).toMatch(/with the same bets, give a best at least as good in \d+ of 100 cases: it is /);
    expect(sentences.join(' ')).toMatch(/\(PBO\).*a bound, and no p-value\.$/);
  }
  expect(luck).toBeGreaterThanOrEqual(Math.floor(seeds * 0.85));
});

test('one trial of 200 that often knows the winner is more than luck, with what it still does not show', () => {
  for (let seed = 0; seed < 5; seed += 1) {
    const random = Random.fromSeed(100 + seed);
    const markets = fairSearch({ ...SETTING, markets: 160, trials: 200 }, random).map((market) => {
      // Trial 9 bets on outcome 0 at the fair price, nearly always when it wins and seldom when it loses.
      const bets = market.winners[0] === 0 || random.chance(0.1);
      const [wins, ...loses] = market.profits.map((row) => Float64Array.from(row));
      if (wins !== undefined) wins[9] = bets ? 1 / (market.closing[0] ?? 1) - 1 : 0;
      for (const row of loses) row[9] = bets ? -1 : 0;
      return { ...market, profits: wins === undefined ? [] : [wins, ...loses] };
    });
    const { kind, trial, sentences, luck } = verdictOf(figuresOf(markets, 200, seed, 9));
    expect([kind, trial]).toEqual(['moreThanLuck', 9]);
    expect(luck).toMatch(/^seldom enough to explain it, with a best as good in .* cases\.$/);
    expect(sentences[0]).toBe('Trial 9, the best by profitNet with 200 trials tried, is more than luck usually gives.');
    expect(sentences[2]).toMatch(/^One in twenty searches over worthless strategies shows as much/);
    // Where another trial is first in the table, it is that one of which the sentence speaks.
    const other = verdictOf(figuresOf(markets, 200, seed, 4));
    expect([other.kind, other.trial]).toEqual(['luck', 4]);
    expect(other.sentences[0]).toBe('Trial 4, the best by profitNet with 200 trials tried, is what luck alone gives.');
    expect(other.sentences).toContainEqual(
      expect.stringMatching(/^Trial 9 stands out: it is \d+\.\d standard deviations up, and a best as good/),
    );
  }
});

const SILENT = { says: '', doesNotSay: '' };
const settlement: WithTrial<SettlementTest> = {
  kind: 'settlementTest',
  pValue: 0.31,
  exceeding: 30,
  redraws: 99,
  statistic: 3.14,
  ...{ best: 4, trial: 4, asked: { at: 0, statistic: 3.14, pValue: 0.31 } },
  chanceMedian: 3.2,
  chanceHigh: 4.1,
  settled: Float64Array.of(1),
  expected: Float64Array.of(0),
  deviation: Float64Array.of(1),
  ...SILENT,
};
const reality: WithTrial<RealityCheck> = {
  kind: 'realityCheck',
  pValue: 0.4,
  ...{ best: 4, trial: 4, asked: undefined },
  bestMean: 1,
  exceeding: 39,
  resamples: 99,
  caution: undefined,
  ...SILENT,
};
const FIGURES: SearchFigures = {
  trials: 1,
  first: { trial: 4, by: 'profitNet' },
  settlement,
  reality,
  deflated: NONE,
  overfitting: NONE,
  closingValue: NONE,
};

test('better prices than at closing are named, since the settlement test expects them', () => {
  const bets = Array.from({ length: 60 }, (_, at) => {
    return { eventGroup: `${at}`, side: 'For', price: 2.1 + (at % 7) / 50, stake: 10, closing: 2 } as const;
  });
  const closingValue = closingValueOf(bets, { seed: 1, resamples: 500, level: 0.95 });
  const { kind, sentences, luck } = verdictOf({ ...FIGURES, closingValue });
  expect(kind).toBe('betterPrices');
  expect(luck).toBe('enough to explain who won, but the prices were better than those at closing.');
  expect(sentences[0]).toMatch(
    /^Trial 4, the only one tried, owes to who won no more than luck gives, but it got better prices/,
  );
  expect(sentences[1]).toMatch(/^They were better by 7\.\d\d % of stake \(.*, 95 % interval over 60 event groups\)/);
  const worse = closingValueOf(
    bets.map((bet) => ({ ...bet, closing: 2.2 })),
    { seed: 1, resamples: 500, level: 0.95 },
  );
  expect(verdictOf({ ...FIGURES, closingValue: worse }).kind).toBe('luck');
});

test('a profit that was to be expected at closing is not called the luck of the winners', () => {
  const settled = { ...settlement, settled: Float64Array.of(12), expected: Float64Array.of(9) };
  const { kind, sentences } = verdictOf({ ...FIGURES, settlement: settled });
  expect(kind).toBe('betterPrices');
  expect(sentences[1]).toMatch(/^Of its profit of 12\.00, 9\.00 was to be expected at closing prices, whoever won/);
  for (const expected of [2, -3]) {
    const other = { ...settled, expected: Float64Array.of(expected) };
    expect(verdictOf({ ...FIGURES, settlement: other }).kind).toBe('luck');
  }
  const lost = { ...settled, settled: Float64Array.of(-1), expected: Float64Array.of(0) };
  expect(verdictOf({ ...FIGURES, settlement: lost }).kind).toBe('luck');
});

test('without closing prices the reality check may find luck, and never skill', () => {
  const without = { ...FIGURES, settlement: notKnown('No settled market has closing prices.') };
  expect(verdictOf(without)).toMatchObject({ kind: 'luck' });
  const { kind, sentences, luck } = verdictOf({ ...without, reality: { ...reality, pValue: 0.001 } });
  expect(kind).toBe('unclear');
  expect(sentences.join(' ')).toMatch(
    /what is known cannot show it: no settled market has closing prices\..*in 1 of 1,000 cases.*only results that came/,
  );
  expect(luck).toBe('may not be enough, but what is known cannot show it: no settled market has closing prices.');
  expect(verdictOf({ ...without, reality: { ...reality, pValue: 0.0001 } }).sentences[1]).toMatch(
    /fewer than 1 of 1,000/,
  );
});

test('where rare large losses decide, the reality check and the deflated Sharpe ratio are not believed', () => {
  const caution = 'Rare large losses decide these profits.';
  const { kind, sentences } = verdictOf({
    ...FIGURES,
    settlement: notKnown('No settled market has closing prices.'),
    reality: { ...reality, pValue: 0.001, caution },
    deflated: { kind: 'deflatedSharpe', sharpe: 1, expectedMaximum: 0.3, deflated: 0.991, trials: 9, ...SILENT },
  });
  expect(kind).toBe('unclear');
  expect(sentences).toContain(caution);
  expect(sentences.at(-1)).toMatch(/0\.99 and passes 0\.95: which comes too easily where large losses are rare/);
});

test('where nothing is known it says why, and a reality check that does not agree is named', () => {
  const none = verdictOf({ ...FIGURES, settlement: notKnown('One reason.'), reality: notKnown('Another reason.') });
  expect(none.kind).toBe('unclear');
  expect(none.sentences).toEqual(['We cannot tell whether the best trial is luck: another reason.']);
  expect(none.luck).toBe('cannot be judged, another reason.');
  const asked = { at: 4, statistic: 3.14, pValue: 0.01 };
  const { sentences } = verdictOf({ ...FIGURES, settlement: { ...settlement, pValue: 0.01, asked } });
  expect(sentences.at(-1)).toMatch(/reality check does not agree: .* in 40 of 100 cases\.$/);
});

test('of a first trial without luck in its profit there is no verdict, and another one that stands out is named', () => {
  const figures = { ...FIGURES, trials: 12, settlement: { ...settlement, pValue: 0.004, asked: undefined } };
  expect(verdictOf(figures)).toEqual({
    kind: 'unclear',
    trial: 4,
    luck: 'cannot be judged, it has no bets before the off, or their profit hardly depends on who wins.',
    sentences: [
      'Trial 4, the best by profitNet with 12 trials tried, has no verdict: it has no bets before the off, or their profit hardly depends on who wins.',
      'Trial 4 stands out: it is 3.1 standard deviations up, and a best as good comes in 4 of 1,000 cases.',
    ],
  });
});

test('where no trial has a value of the objective there is nothing to speak of', () => {
  expect(verdictOf({ ...FIGURES, first: undefined })).toEqual({
    kind: 'unclear',
    trial: undefined,
    luck: undefined,
    sentences: ['There is no verdict: no trial has a value of the objective.'],
  });
});

test('a first trial that loses before the off is so many deviations down', () => {
  const asked = { at: 0, statistic: -1.26, pValue: 0.99 };
  const { kind, sentences } = verdictOf({ ...FIGURES, settlement: { ...settlement, asked } });
  expect(kind).toBe('luck');
  expect(sentences[1]).toContain(
    'it is 1.3 standard deviations down, and luck alone gives a best of 3.2 in the middle',
  );
});
