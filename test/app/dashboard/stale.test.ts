/** A page whose daemon stands still or is gone turns red within seconds, and is itself again when it goes on. */

import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeWithBrowser, launchBrowser } from '../../support/browser.ts';
import { DaemonStage } from '../../support/daemon/daemon-stage.ts';
import { printedLink } from '../../support/dashboard/dashboard-visit.ts';

const RED_WITHIN = { timeout: 5_000 };

describeWithBrowser('a page without news', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(() => browser.close());

  test('is red while its daemon is stopped, and for good when it was killed', async () => {
    const stage = await DaemonStage.open();
    const daemon = await stage.trading('spawn', { dashboard: { port: 0 } });
    const page = await browser.newPage();
    await page.goto((await printedLink(daemon)).url);
    await page.waitForSelector('#why');
    const cards = await page.locator('.card').count();
    const red = page.locator('.card.stale');
    expect(await red.count()).toBe(0);

    daemon.kill('SIGSTOP');
    await page.locator('.alarm').waitFor(RED_WITHIN);
    expect(await red.count(), 'every panel').toBe(cards);
    expect(await page.innerText('.alarm')).toMatch(/What you see is old/);
    const style = 'getComputedStyle(document.querySelector(".words .chip")).borderTopStyle';
    expect(await page.evaluate(style)).toBe('dashed');
    await page.click('nav a:has-text("Markets")');
    await page.waitForSelector('text=This page was not read before the line broke');
    await page.click('nav a:has-text("Now")');
    daemon.kill('SIGCONT');
    await page.locator('.alarm').waitFor({ state: 'detached' });
    expect(await red.count()).toBe(0);

    daemon.kill('SIGKILL');
    await page.locator('.alarm').waitFor(RED_WITHIN);
    const age = async () => Number.parseFloat((await page.innerText('#why .age')).replace(/ s old/, ''));
    const before = await age();
    await expect.poll(age, { message: 'it grows older', ...RED_WITHIN }).toBeGreaterThan(before + 1);
    expect(await red.count()).toBe(cards);
  });
});
