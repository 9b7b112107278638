/** Tables never contradict the headline: over the sample and over recordings, with several strategies, and in the page that is drawn. */

import { expect, test } from 'vitest';
import { backtestOf } from '../support/backtest-of.ts';
import { contradictions } from '../support/headline-sums.ts';
import { sampleStrategy } from '../support/places.ts';
import { recordedTape } from '../support/recorded-tape.ts';
import { units } from '../support/scripted-run.ts';
import { describeWithRecordings } from '../support/shared.ts';

const limits = { market: units(40), order: units(12) };
const all = ['passive-quoter', 'favourite-scalp', 'dutch-book'].map(sampleStrategy);

test.each([
  [['pre-off-scalp', 'in-play-fade'], { fills: 'all' }],
  [['favourite-scalp', 'passive-quoter'], {}],
  [['favourite-scalp'], { fills: 'bounds' }],
  [['dutch-book', 'favourite-scalp'], { isolate: 'strategy' }],
  [['favourite-scalp'], { isolate: 'market', fills: 'central' }],
] as const)('%j over the sample with %j', async (names, change) => {
  const result = await backtestOf(names.map(sampleStrategy), { limits, ...change });
  expect(result.orders.refused).toBeGreaterThan(0);
  expect(result.total.central.stakeMatched).toBeGreaterThan(0);
  expect(contradictions(result)).toEqual([]);
});

test('a table that lacks a market would be noticed', async () => {
  const result = await backtestOf([sampleStrategy('favourite-scalp')], { fills: 'central' });
  const byMarket = result.byMarket.filter(
    ({ profit }) => profit.central.stakeMatched === 0 || profit.central.profitNet > 0,
  );
  expect(contradictions({ ...result, byMarket }).length).toBeGreaterThan(3);
});

describeWithRecordings('over recordings', () => {
  test.each([
    'betfair_parser__1.185781277.bz2',
    'betfair_parser__1.205822330.bz2',
    'mzaja-betfair-database__1.214870442.zip',
    'profitbox__ADVANCED__1.231242248.bz2',
  ])(
    '%s',
    async (file) => {
      const result = await backtestOf(all, { tapes: [await recordedTape(file)], limits: { market: units(200) } });
      expect(result.orders.sent).toBeGreaterThan(0);
      expect(contradictions(result)).toEqual([]);
    },
    60_000,
  );
});
