/** Which bounds a backtest computes, in the result, the table, the JSON, the files and the report. */

import { beforeAll, describe, expect, test } from 'vitest';
import { resultTable } from '../../src/report/text/table.ts';
import { backtestJson } from '../../src/result/columns/result-json.ts';
import type { BacktestResult } from '../../src/result/result.ts';
import { backtestOf, onlyMarkets } from '../support/backtest-of.ts';
import { htmlReport } from '../support/html-report.ts';
import { sampleStrategy } from '../support/places.ts';
import { OPTIONS } from '../support/scripted-run.ts';
import { temporaryFile } from '../support/temporary-directory.ts';

const QUOTER = sampleStrategy('passive-quoter');

const FIVE = ['lowest', 'pessimistic', 'central', 'optimistic', 'highest'] as const;
const refilling = { ...OPTIONS.fillRules, refill: 'next-change' } as const;

describe('a strategy that stands in queues', () => {
  let all: BacktestResult;
  beforeAll(async () => {
    all = await backtestOf([QUOTER], { fills: 'all' });
  });

  test('--fills all: five bounds everywhere, and the interval is the one of --fills bounds', async () => {
    const three = await backtestOf([QUOTER], { fills: 'bounds' });
    const stakes = FIVE.map((bound) => all.total[bound]?.stakeMatched ?? Number.NaN);
    expect(new Set(stakes).size).toBe(5);
    for (const bound of ['pessimistic', 'central', 'optimistic'] as const)
      expect(all.total[bound]).toEqual(three.total[bound]);
    expect(three.total.lowest).toBeUndefined();
    expect(resultTable(all)).toMatch(/lowest +pessimistic +central +optimistic +highest/);
    expect(resultTable(three)).not.toContain('lowest');
    const json = JSON.parse(backtestJson(all));
    expect(Object.keys(json.result)).toEqual(['central', 'pessimistic', 'optimistic', 'lowest', 'highest']);
    expect(json.byMarket[0]).toMatchObject({ lowest: { commission: expect.any(Number) }, highest: {} });
    const page = htmlReport(all, { script: '', style: '' });
    for (const words of ['Lowest: last in every queue', 'Highest: first in every queue', 'class="outer"'])
      expect(page).toContain(words);
    expect(htmlReport(three, { script: '', style: '' })).not.toContain('class="outer"');
  });

  test('refill: another bound, beside the interval and not in it', async () => {
    const result = await backtestOf([QUOTER], { fills: 'bounds', fillRules: refilling });
    const { central, refilled } = result.total;
    expect(refilled?.stakeMatched).not.toBe(central.stakeMatched);
    expect(resultTable(result)).toMatch(/if what was taken comes back, .*: net profit .*, stake matched [\d,.]+/);
    expect(resultTable(result)).not.toMatch(/optimistic +refilled/);
    expect(JSON.parse(backtestJson(result)).result.refilled).toEqual(refilled);
    expect(htmlReport(result, { script: '', style: '' })).toContain('If what was taken comes back');
  });

  test('a cancellation model changes the central bound, and stands in the settings', async () => {
    const fillRules = { ...OPTIONS.fillRules, cancellations: { power: 3 } };
    const power = await backtestOf([QUOTER], { fillRules });
    expect(power.total.central.stakeMatched).not.toBe(all.total.central.stakeMatched);
    expect(power.settings.find(({ name }) => name === 'fill rules')?.value).toContain('power 3');
  });
});

describe('a strategy that takes', () => {
  const taker = temporaryFile(
    'taker.ts',
    `import { back, defineStrategy, favourites } from 'oddsmith';
export default defineStrategy({ name: 'taker', decide({ market, orders }) {
  const [favourite] = favourites(market);
  if (!market.tradable || orders.length > 0 || favourite?.bestAgainst === undefined) return [];
  return [back(favourite, { stake: 50, price: favourite.bestAgainst.price, matchBehavior: 'CancelUnmatched' })];
} });
`,
  );

  test('has an interval without width, which is said', async () => {
    const { total, notices } = await backtestOf([taker], {
      fills: 'all',
      wallets: { main: { currency: 'USDC', balance: 'unlimited' } },
    });
    expect(total.central.stakeMatched).toBeGreaterThan(1_000);
    expect(new Set(FIVE.map((bound) => total[bound]?.stakeMatched)).size).toBe(1);
    expect(notices.map(({ code }) => code)).toEqual(['INTERVAL_WITHOUT_WIDTH']);
  });

  test.each(['next-change', { halfLifeMs: 5_000 }] as const)(
    'has a second one under refill %j',
    async (refill) => {
      const { total, notices } = await backtestOf([taker], {
        wallets: { main: { currency: 'USDC', balance: 'unlimited' } },
        fillRules: { ...OPTIONS.fillRules, refill },
      });
      expect(total.refilled?.stakeMatched).toBeGreaterThan(total.central.stakeMatched);
      expect(notices).toEqual([]);
    },
    120_000,
  );
});

describe('a strategy that reacts to nothing', () => {
  // By the traded price, in which own orders are not: its orders are the same in every world.
  const planned = temporaryFile(
    'planned.ts',
    `import { back, defineStrategy } from 'oddsmith';
export default defineStrategy({ name: 'planned', state: () => ({ next: 0 }), decide({ market, now, state }) {
  const price = market.outcomes[0]?.lastPrice;
  if (!market.tradable || market.inPlay || price === undefined || now < state.next) return [];
  return { intents: [back(market.outcomes[0], { stake: 5, price })], state: { next: now + 20_000 } };
} });
`,
  );

  test('has matched stakes in the order of the bounds, order by order', async () => {
    const { orderRows } = await backtestOf([planned], {
      fills: 'all',
      wallets: { main: { currency: 'USDC', balance: 'unlimited' } },
      markets: onlyMarkets('99000301', '99000501', '99000502'),
    });
    const byOrder = Map.groupBy(orderRows, ({ id }) => id);
    const stakes = [...byOrder.values()].map((rows) =>
      FIVE.map((bound) => rows.find(({ flow }) => flow === bound)?.stakeMatched ?? Number.NaN),
    );
    expect(stakes.length).toBeGreaterThan(50);
    expect(stakes.filter((each) => each.some((stake, at) => stake > (each[at + 1] ?? Infinity)))).toEqual([]);
    expect(stakes.some(([lowest = 0, , , , highest = 0]) => lowest < highest)).toBe(true);
  });
});
