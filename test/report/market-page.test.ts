/** One market of a real run in the report: its prices, orders, an order's life, and how the charts are moved. */

import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { webBundle } from '../../src/app/web/web-bundle.ts';
import { packedReport, reportPage } from '../../src/report/html/html.ts';
import type { BacktestResult } from '../../src/result/result.ts';
import { backtestOf } from '../support/backtest-of.ts';
import { describeWithBrowser, launchBrowser } from '../support/browser.ts';
import { htmlReport } from '../support/html-report.ts';
import { sampleStrategy } from '../support/places.ts';
import { fill, order } from './sample-rows.ts';

describeWithBrowser('one market in the report', () => {
  let browser: Browser;
  let result: BacktestResult;
  beforeAll(async () => {
    browser = await launchBrowser();
    result = await backtestOf([sampleStrategy('passive-quoter')], { fills: 'bounds' });
  });
  afterAll(() => browser.close());

  test('shows prices of the span in which the run had orders there, within what was recorded', () => {
    expect(result.prices.length).toBe(result.byMarket.filter(({ orders }) => orders > 0).length);
    for (const { startAt, stretchMs, outcomes, states, marketId } of result.prices) {
      const market = result.byMarket.find(({ id }) => id === marketId);
      const first = [...result.orderRows].find((order) => order.marketId === marketId);
      expect(startAt).toBe(first?.decidedAt);
      expect(states[0]).toMatchObject({ at: startAt, inPlay: false });
      for (const { backLow, backHigh, layLow, layHigh } of outcomes) {
        expect(startAt + backLow.length * stretchMs).toBeGreaterThan(market?.inPlayAt ?? startAt);
        expect(backLow.length).toBeLessThanOrEqual(240);
        for (const [low, high] of [
          [backLow, backHigh],
          [layLow, layHigh],
        ] as const)
          for (const [place, tick] of low.entries()) expect(tick).toBeLessThanOrEqual(high[place] ?? -1);
        expect(backLow.some((tick) => tick >= 0)).toBe(true);
      }
    }
  });

  test('opens from the table, and back', async () => {
    const { page, complaints } = await opened(browser, result);
    await page.locator('#markets .open').first().click();
    await page.locator('#market canvas').first().waitFor();
    expect(await page.locator('#market h2').textContent()).toContain('Fernmoor 12:30');
    expect(await page.locator('#market canvas').count()).toBe(2);
    expect(await page.locator('#orders tbody tr').count()).toBeGreaterThan(50);
    await page.getByRole('button', { name: 'All markets' }).click();
    await page.locator('#market').waitFor({ state: 'detached' });
    expect(complaints).toEqual([]);
    await page.close();
  });

  test('each line of the price axis has its label, on a phone too', async () => {
    const { page } = await opened(browser, result);
    await page.evaluate(`globalThis.written = []; const { fillText } = CanvasRenderingContext2D.prototype;
      CanvasRenderingContext2D.prototype.fillText = function (text, ...at) { written.push(text); fillText.call(this, text, ...at); }`);
    await page.setViewportSize({ width: 390, height: 844 });
    await page.locator('#markets .open').nth(3).click();
    await page.locator('#market canvas').first().waitFor();
    const outcomes = page.locator('#market select').first();
    await outcomes.selectOption({ index: (await outcomes.locator('option').count()) - 3 });
    const prices = async () => {
      const written: readonly string[] = await page.evaluate('written');
      return written.filter((text) => /^\d\.\d\d$/.test(text)).slice(-4);
    };
    await expect.poll(prices).toEqual(['3.75', '4.00', '4.50', '5.00']);
    await page.close();
  });

  test('an order tells its life, with its note, and figures that its table has', async () => {
    const { page } = await opened(browser, withNotes(result));
    await page.locator('#markets .open').first().click();
    await page.locator('#orders .open').nth(8).click();
    const life = await page.locator('.life').innerText();
    for (const word of ['Decided', 'Allowed', 'Arrived', 'Settled', 'before commission', 'the note of order'])
      expect(life).toContain(word);
    await page.getByRole('button', { name: 'Close' }).click();
    expect(await page.locator('.life').count()).toBe(0);
    await page.close();
  });

  test('zooms and moves by keys, and the position with it; the whole span comes back', async () => {
    const { page, complaints } = await opened(browser, result);
    await page.locator('#markets .open').first().click();
    const chart = page.locator('#market .chart').first();
    await chart.focus();
    for (const key of ['+', '+', 'ArrowRight']) await page.keyboard.press(key);
    expect(await page.getByRole('button', { name: 'Whole span' }).count()).toBe(2);
    await page.keyboard.press('0');
    await page.waitForFunction("document.querySelector('.reset-zoom') === null");
    await page.getByRole('button', { name: 'Zoom in' }).click();
    expect(await page.getByRole('button', { name: 'Whole span' }).count()).toBe(2);
    expect(complaints).toEqual([]);
    await page.close();
  });

  test('of a live run it says nothing of what nobody kept: offers, queues, bounds, a profit that is not settled', async () => {
    const [market] = result.byMarket;
    if (market === undefined) expect.fail();
    const { settledAt: _, ...open } = market;
    const sent = order(1, market.id, { arrivedAt: 1, status: 'Matched', stakeMatched: 10 });
    const live = { ...result, byMarket: [open], curve: [], orderRows: [sent], fillRows: [fill(1, market.id)] };
    const page = await browser.newPage();
    const report = packedReport({ ...live, statistics: undefined }, { kind: 'live', missing: [] });
    await page.setContent(reportPage(report, webBundle('report')));
    await page.locator('#markets tbody tr').first().click();
    await page.locator('#orders tbody tr').first().click();
    const life = await page.locator('.life').innerText();
    expect(life).toContain('Matched');
    expect(life).not.toMatch(/to back|to lay|rested/);
    expect(await page.locator('#orders thead').innerText()).not.toMatch(/central/i);
    expect(await page.locator('#market .facts').innerText()).not.toContain('net');
    expect(await page.locator('#markets tbody td').nth(1).innerText()).toBe('–');
    await page.close();
  });

  test('orders are filtered by how much was matched and by side, and the one that is opened is what the charts show', async () => {
    const { page } = await opened(browser, result);
    await page.locator('#markets .open').first().click();
    const id = (await page.locator('#market code').first().textContent()) ?? '';
    const own = [...result.orderRows].filter(({ marketId, flow }) => marketId === id && flow === 'central');
    const wanted = own.filter(({ stakeMatched, stake, side }) => stakeMatched === stake && side === 'Against');
    expect(wanted.length).toBeGreaterThan(0);
    expect(wanted.length).toBeLessThan(own.length);
    const [matched, side] = [
      page.locator('#orders-filter select').nth(0),
      page.locator('#orders-filter select').nth(1),
    ];
    await matched.selectOption('matched in full');
    await side.selectOption('lay');
    expect(await page.locator('#orders tbody tr').count()).toBe(Math.min(200, wanted.length));
    expect(await page.locator('#orders-filter').innerText()).toContain(`${wanted.length} of ${own.length}`);
    await matched.selectOption('rejected');
    expect(await page.locator('#market').innerText()).toContain('No order is like that.');
    await matched.selectOption('matched in full');
    await page.getByRole('button', { name: 'All', exact: true }).click();
    expect(await page.locator('.reset-zoom').count()).toBe(0);
    await page.locator('#orders .open').first().click();
    expect(await page.locator('#market .life h3').innerText()).toContain(`: lay ${wanted[0]?.outcomeTitle}`);
    expect(await page.locator('.reset-zoom').count()).toBe(2);
    await page.close();
  });

  test('the sums of its tables are the headline', async () => {
    const { page } = await opened(browser, result);
    const head = await page.locator('#markets thead th').allTextContents();
    const foot = await page.locator('#markets tfoot td').allTextContents();
    const footOf = (label: string): string | undefined => foot[head.indexOf(label)];
    const tile = (label: string): Promise<string | null> =>
      page
        .locator('.tile', { has: page.getByText(label, { exact: true }) })
        .locator('b')
        .textContent();
    const net = (bound: string): Promise<string | null> => page.locator(`.range .${bound} .number`).textContent();
    expect(footOf('Net profit')).toBe(await net('central'));
    expect(footOf('Net, pessimistic')).toBe(await net('pessimistic'));
    expect(footOf('Net, optimistic')).toBe(await net('optimistic'));
    expect(await page.locator('.headline b').textContent()).toContain((await net('central'))?.slice(1));
    expect(footOf('Greened up')).toBe(await tile('Greened up, gross'));
    expect(footOf('Commission')).toBe(await tile('Commission'));
    expect(footOf('Matched')).toBe(await tile('Stake matched'));
    const accepted = page.locator('.flow div', { has: page.getByText('accepted', { exact: true }) }).locator('b');
    expect(footOf('Orders')).toBe(await accepted.textContent());
    expect(await page.locator('#origins .sum td').last().textContent()).toBe(await tile('Gross profit'));
    const rows = await page.locator('#markets tbody tr').all();
    expect(rows).toHaveLength(result.byMarket.length);
    const cells = await Promise.all(rows.map((row) => row.locator('td').allTextContents()));
    for (const label of [
      'Net profit',
      'Net, pessimistic',
      'Net, optimistic',
      'Greened up',
      'Commission',
      'Matched',
      'Orders',
    ]) {
      const column = cells.map((row) => numberIn(row[head.indexOf(label)]));
      const sum = column.reduce((total, each) => total + each, 0);
      // Each cell is rounded to the cent.
      expect(Math.abs(sum - numberIn(footOf(label))), label).toBeLessThan(0.005 * (rows.length + 1));
    }
    await page.close();
  });

  test('what is called pessimistic or optimistic says what it orders', async () => {
    const { page } = await opened(browser, result);
    await page.locator('#markets .open').first().click();
    await page.locator('#orders').waitFor();
    const heads = await page.locator('th').evaluateAll((all) => all.map((each) => [each.textContent, each.title]));
    const ordering = heads.filter(([text = '']) => /pessimistic|optimistic/i.test(text ?? ''));
    expect(ordering.length).toBeGreaterThan(3);
    for (const [text, title] of ordering) expect(title, text ?? '').toMatch(/fills|stake matched/i);
    await page.close();
  });
});

function numberIn(text = ''): number {
  return text === '–' ? 0 : Number(text.replaceAll(',', '').replace('−', '-'));
}

function withNotes(result: BacktestResult): BacktestResult {
  return {
    ...result,
    orderRows: [...result.orderRows].map((order) => ({ ...order, note: `the note of order ${order.id}` })),
  };
}

async function opened(
  browser: Browser,
  result: BacktestResult,
): Promise<{ readonly page: Page; readonly complaints: readonly string[] }> {
  const page = await browser.newPage({ viewport: { width: 1200, height: 900 } });
  const complaints: string[] = [];
  page.on('console', (message) => complaints.push(`console ${message.type()}: ${message.text()}`));
  page.on('pageerror', (error) => complaints.push(`error: ${error.message}`));
  page.on('request', (request) => {
    if (!request.url().startsWith('data:')) complaints.push(`request: ${request.url()}`);
  });
  await page.setContent(htmlReport(result, webBundle('report')), { waitUntil: 'load' });
  await page.locator('#markets').waitFor();
  return { page, complaints };
}
