/** Which bounds a backtest computes, in the result, the table, the JSON, the files and the report. */

import { describe, expect, test } from 'vitest';
import { backtestJson } from '../../src/report/data/result-json.ts';
import type { Bound } from '../../src/report/figures/bounds.ts';
import { resultTable } from '../../src/report/text/table.ts';
import { backtestOf } from '../support/backtest-of.ts';
import { htmlReport } from '../support/html-report.ts';
import { sampleStrategy } from '../support/places.ts';
import { OPTIONS } from '../support/scripted-run.ts';
import { temporaryFile } from '../support/temporary-directory.ts';

const QUOTER = sampleStrategy('passive-quoter');

const FIVE = ['lowest', 'pessimistic', 'central', 'optimistic', 'highest'] as const;
const refilling = { ...OPTIONS.fillRules, refill: 'next-change' } as const;

describe('a strategy that stands in queues', () => {
  test('--fills all: five bounds everywhere, in order for each order, and the interval is the one of --fills bounds', async () => {
    const all = await backtestOf([QUOTER], { fills: 'all' });
    const three = await backtestOf([QUOTER], { fills: 'bounds' });
    const stakes = FIVE.map((bound) => all.total[bound]?.stakeMatched ?? Number.NaN);
    expect(stakes).toEqual([...stakes].sort((a, b) => a - b));
    expect(new Set(stakes).size).toBe(5);
    for (const bound of ['pessimistic', 'central', 'optimistic'] as const)
      expect(all.total[bound]).toEqual(three.total[bound]);
    expect(three.total.lowest).toBeUndefined();
    const orders = [...all.orderRows];
    expect(orders.length).toBeGreaterThan(500);
    // Law 5, and where it ends: own orders meet by cross matching, and the result says how many that concerns.
    const outOfOrder = orders.filter((row) =>
      FIVE.some((bound, at) => stakeOf(row, bound) > stakeOf(row, FIVE[at + 1])),
    );
    expect(outOfOrder.filter(({ marketName }) => !marketName.includes('(cross matching)'))).toEqual([]);
    const said = all.notices.find(({ code }) => code === 'ANSWERS_OUT_OF_ORDER')?.what ?? 'none';
    expect(said).toContain(`${outOfOrder.length} of ${orders.length.toLocaleString('en-GB')} orders sent`);
    expect(resultTable(all)).toMatch(/lowest +pessimistic +central +optimistic +highest/);
    expect(resultTable(three)).not.toContain('lowest');
    const json = JSON.parse(backtestJson(all));
    expect(Object.keys(json.result)).toEqual(['central', 'pessimistic', 'optimistic', 'lowest', 'highest']);
    expect(json.byMarket[0]).toMatchObject({ lowest: { commission: 0 }, highest: {} });
    const page = htmlReport(all, { script: '', style: '' });
    for (const words of ['lowest fills: last in every queue', 'highest fills: first in every queue', 'class="outer"'])
      expect(page).toContain(words);
    expect(htmlReport(three, { script: '', style: '' })).not.toContain('class="outer"');
  }, 60_000);

  test('refill: another bound, beside the interval and not in it', async () => {
    const result = await backtestOf([QUOTER], { fills: 'bounds', fillRules: refilling });
    const { central, refilled } = result.total;
    expect(refilled?.stakeMatched).toBeGreaterThanOrEqual(central.stakeMatched);
    expect(resultTable(result)).toMatch(/if what was taken comes back, .*: net profit .*, stake matched [\d,.]+/);
    expect(resultTable(result)).not.toMatch(/optimistic +refilled/);
    expect(JSON.parse(backtestJson(result)).result.refilled).toEqual(refilled);
    expect(htmlReport(result, { script: '', style: '' })).toContain('If what was taken comes back');
    expect([...result.orderRows].filter((row) => stakeOf(row, 'central') > stakeOf(row, 'refilled'))).toEqual([]);
  }, 60_000);

  test('a cancellation model changes the central bound, and stands in the settings', async () => {
    const plain = await backtestOf([QUOTER], { fills: 'all' });
    const power = await backtestOf([QUOTER], {
      fills: 'all',
      fillRules: { ...OPTIONS.fillRules, cancellations: { power: 3 } },
    });
    expect(power.total.central.stakeMatched).not.toBe(plain.total.central.stakeMatched);
    expect(power.settings.find(({ name }) => name === 'fill rules')?.value).toContain('power 3');
  }, 60_000);
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
    const { total, notices } = await backtestOf([taker], { fills: 'all' });
    expect(total.central.stakeMatched).toBeGreaterThan(1_000);
    expect(new Set(FIVE.map((bound) => total[bound]?.stakeMatched)).size).toBe(1);
    expect(notices.map(({ code }) => code)).toEqual(['INTERVAL_WITHOUT_WIDTH']);
  }, 60_000);

  test.each(['next-change', { halfLifeMs: 5_000 }] as const)(
    'has a second one under refill %j',
    async (refill) => {
      const { total, notices, orderRows } = await backtestOf([taker], { fillRules: { ...OPTIONS.fillRules, refill } });
      expect(total.refilled?.stakeMatched).toBeGreaterThan(total.central.stakeMatched);
      // Where outcomes cross, what comes back at one price is taken instead of what is made up of others.
      const plain = [...orderRows].filter(({ marketName }) => !marketName.includes('(cross matching)'));
      expect(plain.filter((row) => stakeOf(row, 'central') > stakeOf(row, 'refilled'))).toEqual([]);
      expect(notices).toEqual([]);
    },
    60_000,
  );
});

function stakeOf({ stakeMatched }: { stakeMatched: Partial<Record<Bound, number>> }, bound: Bound | undefined): number {
  return bound === undefined ? Number.POSITIVE_INFINITY : (stakeMatched[bound] ?? Number.NaN);
}
