/** Each page by axe, at 1400 and 390 px, light and dark. */

import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, test } from 'vitest';
import { webBundle } from '../../src/app/web/web-bundle.ts';
import { sweepPage } from '../../src/report/html/sweep-page.ts';
import { FACTS, TRIALS } from '../report/sample-sweep.ts';
import { expectAccessible } from '../support/accessible.ts';
import { backtestOf, onlyMarkets } from '../support/backtest-of.ts';
import { describeWithBrowser, launchBrowser } from '../support/browser.ts';
import { DaemonStage } from '../support/daemon/daemon-stage.ts';
import { printedLink } from '../support/dashboard/dashboard-visit.ts';
import { openDashedSandbox } from '../support/dashboard/dashed-sandbox.ts';
import { htmlReport } from '../support/html-report.ts';
import { SAMPLE_TAPE, sampleStrategy } from '../support/places.ts';
import { centralRun } from '../support/view/played-run.ts';
import { openPage, serveView, viewOfRun } from '../support/view/view-page.ts';

describeWithBrowser('nobody is kept out', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(() => browser.close());

  test('report, with a market, an order and all that is folded open', async () => {
    const files = [sampleStrategy('passive-quoter'), sampleStrategy('favourite-scalp')];
    const result = await backtestOf(files, { fills: 'bounds', markets: onlyMarkets('99000101', '99000301') });
    const page = await browser.newPage();
    await page.setContent(htmlReport(result, webBundle('report')), { waitUntil: 'load' });
    await page.locator('#markets .open').first().click();
    await page.locator('#orders .open').first().click();
    for (const summary of await page.locator('summary').all()) await summary.click();
    await page.locator('#all-orders').waitFor();
    await expectAccessible(page);
    await page.close();
  });

  test('the report of a sweep', async () => {
    const page = await browser.newPage();
    await page.setContent(sweepPage(FACTS, TRIALS, webBundle('sweep')), { waitUntil: 'load' });
    await page.locator('#trials').waitFor();
    for (const summary of await page.locator('summary').all()) await summary.click();
    await expectAccessible(page);
    await page.close();
  });

  test('the view of a run', async () => {
    const { link } = await serveView(viewOfRun(await centralRun(SAMPLE_TAPE)));
    const { page } = await openPage(browser, link(undefined));
    await page.waitForSelector('a.market');
    await expectAccessible(page);
    await page.locator('a.market').first().click();
    await page.waitForSelector('.ladder.full');
    await expectAccessible(page);
  });

  test('the sandbox: each of its pages', async () => {
    const { link } = await openDashedSandbox();
    await expectPages(link.url);
  });

  test('a run: each of its pages, and that of a market', async () => {
    const stage = await DaemonStage.open();
    const daemon = await stage.trading('start', { dashboard: { port: 0 } });
    const page = await expectPages((await printedLink(daemon)).url);
    await page.click('nav a:has-text("Markets")');
    await page.locator('#markets tbody a').first().click();
    await page.waitForSelector('#outcomes');
    await expectAccessible(page);
  });

  async function expectPages(url: string): Promise<Page> {
    const { page } = await openPage(browser, url);
    await page.waitForSelector('nav a');
    const places = await page.locator('nav a').count();
    for (let place = 0; place < places; place += 1) {
      await page.locator('nav a').nth(place).click();
      await page.waitForSelector(`nav a:nth-child(${place + 1})[aria-current="page"]`);
      await page.waitForSelector('main h2');
      await expectAccessible(page);
    }
    return page;
  }
});
