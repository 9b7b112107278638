/** Refused intents in the report: the list of each code, and those of a market on its page. */

import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { webBundle } from '../../src/app/web/web-bundle.ts';
import { refusalsCsv } from '../../src/result/columns/csv.ts';
import type { RefusalRow } from '../../src/result/figures/refusal-rows.ts';
import type { BacktestResult } from '../../src/result/result.ts';
import { describeWithBrowser, launchBrowser } from '../support/browser.ts';
import { htmlReport } from '../support/html-report.ts';
import { sampleResult } from './sample-result.ts';
import { fill, order } from './sample-rows.ts';

const library = webBundle('report');
const AT = Date.UTC(2026, 7, 1, 12, 0, 0, 500);

function row(marketId: string, change: Partial<RefusalRow> = {}): RefusalRow {
  return {
    ...{ at: AT, lastAt: AT, times: 1, strategy: 'favourite-scalp', marketId, code: 'LIMIT_MARKET', kind: 'place' },
    ...{ outcomeId: '7', outcomeTitle: 'Seven', side: 'For', price: 2.06, stake: 10 },
    ...{ limit: 50, value: 44, wouldBe: 54, note: 'a <b>note</b>' },
    ...change,
  };
}

/** Three markets: the first with an order and refusals, the second with refusals alone, the third with neither. */
function refusedResult(): BacktestResult {
  const base = sampleResult(3);
  const [first = '', second = '', third = ''] = base.byMarket.map(({ id }) => id);
  return {
    ...base,
    orders: { ...base.orders, intended: 100, refused: 40 },
    refusals: { LIMIT_MARKET: 30, FEED_STALE: 10 },
    byMarket: base.byMarket.map((market) => ({ ...market, orders: market.id === first ? 1 : 0 })),
    orderRows: [order(1, first)],
    fillRows: [fill(1, first)],
    refused: {
      rows: [
        row(first, { times: 20, lastAt: AT + 60_000 }),
        row(second, { code: 'FEED_STALE', note: undefined, limit: 1_000, value: undefined, wouldBe: 1_500 }),
        row('gone', { kind: 'cancel', order: 9, price: undefined, stake: undefined, times: 2 }),
      ],
      byMarket: { [first]: 26, [second]: 12, [third]: 0, gone: 2 },
    },
  };
}

test('each code has its first intents, with what was asked for, the limit and what it would have been', () => {
  const page = htmlReport(refusedResult(), library);
  expect(page).toContain('<summary><code>LIMIT_MARKET</code> 30 intents</summary>');
  const cells = (text: string): readonly string[] =>
    [...text.matchAll(/<td[^>]*>(.*?)<\/td>/g)].map(([, cell = '']) => cell);
  const list = page.slice(page.indexOf('<summary><code>LIMIT_MARKET'), page.indexOf('<summary><code>FEED_STALE'));
  const [, first = '', second = ''] = list.split('<tr>').slice(1);
  expect(cells(first)).toEqual([
    '2026-08-01 12:00:00.500<small>to 12:01:00.500</small>',
    '20',
    expect.stringMatching(/^<a href="#market=1\.230000000">Ascot 1st Aug/),
    ...['back', 'Seven', '2.06', '10.00', '50', '44', '54', 'a &lt;b&gt;note&lt;/b&gt;'],
  ]);
  expect(cells(second).slice(1, 6)).toEqual(['2', 'gone', 'cancel order 9', 'Seven', '']);
  expect(list).toContain(
    'These are the first 2 rows, of 22 intents; 8 more came after them. The page of a market has the first of its own, and refusals.csv those of all markets.',
  );
});

test('the codes add up to the headline of the card', () => {
  const page = htmlReport(refusedResult(), library);
  expect(page).toContain('Refusals by limit <span class="soft">40 intents of 100</span>');
  expect(page).toContain('<tr class="sum"><td>all</td><td>40</td><td>40.0 %</td>');
});

test('the CSV has what was kept, and how much of each market was not: its times add up', () => {
  const { refused, orders } = refusedResult();
  const [head = '', ...lines] = [...refusalsCsv(refused)].join('').trimEnd().split('\r\n');
  const cells = lines.map((line) => new Map(head.split(',').map((name, at) => [name, line.split(',')[at]])));
  expect(cells.map((row) => [row.get('at'), row.get('times'), row.get('market'), row.get('asked')])).toEqual([
    ['2026-08-01T12:00:00.500Z', '20', expect.stringMatching(/^1\./), 'back'],
    ['2026-08-01T12:00:00.500Z', '1', expect.stringMatching(/^1\./), 'back'],
    ['2026-08-01T12:00:00.500Z', '2', 'gone', 'cancel order 9'],
    ['', '6', cells[0]?.get('market'), ''],
    ['', '11', cells[1]?.get('market'), ''],
  ]);
  expect(cells.reduce((sum, row) => sum + Number(row.get('times')), 0)).toBe(orders.refused);
});

describeWithBrowser('refusals in a browser', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(() => browser.close());

  test('a market opens from the list; its page has its own, also where it has no order', async () => {
    const page = await browser.newPage({ viewport: { width: 390, height: 900 } });
    const complaints: string[] = [];
    page.on('console', (message) => complaints.push(message.text()));
    page.on('pageerror', (error) => complaints.push(error.message));
    await page.setContent(htmlReport(refusedResult(), library), { waitUntil: 'load' });
    await page.locator('#markets').waitFor();
    await page.locator('#refusals summary').first().click();
    await page.locator('#refusals a').first().click();
    await page.locator('#market').waitFor();
    expect(await page.locator('#market .key').textContent()).toContain('✕ refused');
    const summary = page.locator('#market summary', { hasText: 'refused' });
    expect(await summary.textContent()).toBe('26 refused intents one by one, the first 20');
    await summary.click();
    const cells = await page.locator('#refused tbody td').allTextContents();
    expect(cells.slice(1, 8)).toEqual([
      '20',
      '2026-08-01 12:01:00.500',
      'LIMIT_MARKET',
      'back',
      'Seven',
      '2.06',
      '10.00',
    ]);
    await page.locator('#refusals summary').last().click();
    await page.locator('#refusals details').last().locator('a').click();
    await page.locator('#market', { hasText: 'No order was sent in this market.' }).waitFor();
    expect(await page.locator('#market summary').textContent()).toBe('12 refused intents one by one, the first 1');
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
    expect(complaints).toEqual([]);
    await page.close();
  });
});
