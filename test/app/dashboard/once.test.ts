/** However often a form is sent, its command is carried out once: of a run and of a sandbox, in Chromium. */

import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeWithBrowser, launchBrowser } from '../../support/browser.ts';
import { DaemonStage, type RunningDaemon } from '../../support/daemon/daemon-stage.ts';
import { type CommandForm, NERVOUS, prepared, visitPage } from '../../support/dashboard/command-page.ts';
import { printedLink } from '../../support/dashboard/dashboard-visit.ts';
import { openDashedSandbox } from '../../support/dashboard/dashed-sandbox.ts';

describeWithBrowser('a form that is sent twice', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(() => browser.close());

  test('is one command of a run', async () => {
    const stage = await DaemonStage.open();
    const daemon = await stage.trading('start', { dashboard: { port: 0 } });
    const { page, troubles } = await visitPage(browser, (await printedLink(daemon)).url);
    await page.click('nav a:has-text("Commands")');
    // With no order left, what is cancelled is done at once; it is noted all the same.
    await sendOnce(page, { name: 'halt', word: 'halt' });
    await page.locator('#command-halt .steps li.yes:has-text("done")').waitFor();
    for (const [how, send] of Object.entries(NERVOUS)) {
      const reason = `nervous: ${how}`;
      await send(page, { name: 'cancelAll', word: 'cancel', reason });
      await finished(page, 'cancelAll');
      expect(carriedOut(daemon, reason), how).toBe(1);
    }
    expect(await page.locator('.entries > li').count()).toBe(Object.keys(NERVOUS).length + 1);
    expect(troubles).toEqual([]);
  });

  test('is one command of a sandbox', async () => {
    const { sandbox, link } = await openDashedSandbox();
    const { page, troubles } = await visitPage(browser, link.url);
    await page.click('nav a:has-text("Commands")');
    for (const [index, [how, send]] of Object.entries(NERVOUS).entries()) {
      await send(page, { name: 'slow', word: '', choose: { ms: String(index + 1), seconds: '0' } });
      await finished(page, 'slow');
      const faults = sandbox.control.faults();
      expect(faults, how).toHaveLength(index + 1);
    }
    expect(troubles).toEqual([]);
  });

  test('is one command where the page is loaded anew before the answer comes', async () => {
    const { sandbox, link } = await openDashedSandbox();
    const { page } = await visitPage(browser, link.url);
    await page.click('nav a:has-text("Commands")');
    const form: CommandForm = { name: 'slow', word: '', choose: { seconds: '0' } };
    // What is sent gets lost on its way: whether it was heard cannot be known.
    await page.route('**/commands', (route) => route.abort());
    await sendOnce(page, form);
    await page.locator('#command-slow').getByText('No answer came').waitFor();
    await page.unroute('**/commands');
    await page.reload();
    await page.locator('#command-slow').getByText('The page was loaded anew').waitFor();
    expect(sandbox.control.faults()).toHaveLength(0);
    const again = page.locator('#command-slow button:has-text("Ask again")');
    await again.dblclick();
    await page.locator('#command-slow .steps li.yes:has-text("done")').waitFor();
    expect(sandbox.control.faults()).toHaveLength(1);

    // And this time it was heard: the answer alone is lost.
    const lost = Promise.withResolvers<void>();
    await page.click('#command-slow button:has-text("Another one")');
    await page.route('**/commands', async (route) => {
      await route.fetch();
      await route.abort();
      lost.resolve();
    });
    await sendOnce(page, form);
    await lost.promise;
    expect(sandbox.control.faults()).toHaveLength(2);
    await page.unroute('**/commands');
    await page.reload();
    await page.locator('#command-slow form').waitFor();
    await expect.poll(() => page.locator('.entries > li').count()).toBe(2);
    expect(sandbox.control.faults(), 'it is known by its key').toHaveLength(2);
  });
});

async function sendOnce(page: Page, form: CommandForm): Promise<void> {
  await (await prepared(page, form)).locator('button[type=submit]').click();
}

/** Waits for its proof, and makes the form ready for the next one. */
async function finished(page: Page, name: string): Promise<void> {
  await page.locator(`#command-${name} .steps li.yes:has-text("done")`).waitFor();
  await page.unrouteAll();
  // What was held back meanwhile would have come by now.
  await new Promise((resolve) => setTimeout(resolve, 300));
  await page.click(`#command-${name} button:has-text("Another one")`);
}

/** How often the run noted it for its journal. */
function carriedOut(daemon: RunningDaemon, reason: string): number {
  return daemon.lines().filter(({ msg }) => msg.includes(reason)).length;
}
