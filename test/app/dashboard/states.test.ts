/** What the page says of a run after a halt, a stop, a restart, a kill and with a lost line is what is true; and halting is quick. */

import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { askDaemon } from '../../../src/app/live/control/control-client.ts';
import { describeWithBrowser, launchBrowser } from '../../support/browser.ts';
import { DaemonStage, type RunningDaemon } from '../../support/daemon/daemon-stage.ts';
import { visitPage } from '../../support/dashboard/command-page.ts';
import { printedLink } from '../../support/dashboard/dashboard-visit.ts';
import { tunnelTo } from '../../support/dashboard/tunnel.ts';

async function tradingOf(dir: string): Promise<string> {
  const reply = await askDaemon(dir, { v: 1, command: 'status' });
  if (reply.kind !== 'status') throw new Error(reply.kind);
  return reply.status.bot.trading;
}

const state = (page: Page) => page.innerText('.words .chip:has-text("state")');
const halts = (daemon: RunningDaemon) => daemon.lines().filter(({ alert }) => alert === 'TRADING_HALTED').length;

describeWithBrowser('the state of a run', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(() => browser.close());

  test('is halted from any page by what is held, and by nothing shorter; resume is typed', async () => {
    const stage = await DaemonStage.open();
    const daemon = await stage.trading('start', { dashboard: { port: 0 } });
    const { page, troubles } = await visitPage(browser, (await printedLink(daemon)).url);
    expect(await state(page)).toBe('state trading');
    const halt = page.locator('button.halt');
    await halt.click();
    await page.keyboard.press('h');
    await page.click('nav a:has-text("Orders")');
    await page.fill('input[type=search]', '');
    await page.locator('input[type=search]').focus();
    await hold(page, 'h');
    expect([await tradingOf(stage.dir), await halt.innerText()], 'nothing was held on the button').toEqual([
      'running',
      'Hold to halt',
    ]);

    await halt.hover();
    await page.mouse.down();
    await page.locator('button.halt:disabled:has-text("Halted")').waitFor();
    await page.mouse.up();
    expect(await tradingOf(stage.dir)).toBe('halted');
    expect(await state(page)).toMatch(/^state halted by a person at \d\d:\d\d$/);
    await expect.poll(() => stage.held().orders).toBe(0);
    await page.click('nav a:has-text("Now")');
    expect(await page.innerText('#why')).toMatch(/Trading is halted by a person at \d\d:\d\d: from the dashboard\./);
    expect(await page.locator('#why.tone-bad').count(), 'it is no fault').toBe(0);

    await page.click('nav a:has-text("Commands")');
    const resume = page.locator('#command-resume');
    expect(await resume.locator('button[type=submit]').isDisabled()).toBe(true);
    await resume.locator('label:has-text("confirm") input').fill('resume');
    await resume.locator('button[type=submit]').click();
    await resume.locator('.steps li.yes:has-text("done")').waitFor();
    expect(await state(page)).toBe('state trading');

    await page.locator('body').click({ position: { x: 2, y: 300 } });
    await hold(page, 'h');
    await page.locator('button.halt:disabled:has-text("Halted")').waitFor();
    expect(halts(daemon)).toBe(2);
    expect(troubles).toEqual([]);
  });

  test('after a stop is how it ended and not red, after a kill and with a lost line unknown and red', async () => {
    const stage = await DaemonStage.open();
    const first = await stage.trading('spawn', { dashboard: { port: 0 } });
    const { port, url } = await printedLink(first);
    const tunnel = await tunnelTo(port);
    const { page } = await visitPage(browser, url.replace(String(port), String(tunnel.port)));
    tunnel.stall();
    await page.locator('.alarm').waitFor();
    expect(await page.innerText('#why h2')).toBe('When it was heard last: It trades');
    expect(await tradingOf(stage.dir), 'it does, and nobody is told').toBe('running');
    expect(await page.locator('button.halt').count(), 'nothing could be sent').toBe(0);
    await page.locator('.alarm').waitFor({ state: 'detached' });

    first.kill('SIGTERM');
    await first.ended();
    await page.locator('.over').waitFor();
    expect(await stage.live()).toBe(0);
    expect(await page.innerText('.over')).toMatch(
      /^Stopped at \d\d:\d\d, 0 orders live, 0\.00 settled in all, 0\.00 today\./,
    );
    expect(await state(page)).toBe('state stopped');
    expect(await page.innerText('#why')).toContain('The run has ended.');
    expect(await page.locator('.card.stale, .alarm, .tone-bad, .word-bad').count()).toBe(0);

    const second = await stage.trading('spawn', { dashboard: { port: 0 } });
    const other = await visitPage(browser, (await printedLink(second)).url);
    second.kill('SIGKILL');
    await other.page.locator('.alarm').waitFor();
    expect(await other.page.innerText('.alarm')).toContain('orders without the run');
    expect(await other.page.locator('.over').count(), 'it did not end in order').toBe(0);
    expect(stage.held().orders, 'they do').toBeGreaterThan(0);
  });
});

/** As a person holds a key, which repeats. */
async function hold(page: Page, key: string): Promise<void> {
  const begun = Date.now();
  while (Date.now() - begun < 1_200) {
    await page.keyboard.down(key);
    await page.waitForTimeout(50);
  }
  await page.keyboard.up(key);
}
