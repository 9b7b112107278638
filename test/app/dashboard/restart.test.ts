/** A run that is started again keeps who may look at it and what it was asked for, and never passes old for new. */

import { readFileSync, rmSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeWithBrowser, launchBrowser } from '../../support/browser.ts';
import { DaemonStage } from '../../support/daemon/daemon-stage.ts';
import { visitPage } from '../../support/dashboard/command-page.ts';
import { openLink, printedLink } from '../../support/dashboard/dashboard-visit.ts';

const CANCEL = { name: 'cancelAll', of: '', reason: 'once over restarts', word: 'cancel' };
/** At once, and not when two seconds without news have passed. */
const AT_ONCE = { timeout: 1_500 };

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

test('a command that is sent again after a restart is not carried out again, and the file tells no secret', async () => {
  const stage = await DaemonStage.open();
  const dashboard = { port: await freePort() };
  const first = await stage.trading('start', { dashboard });
  const session = await openLink(await printedLink(first));
  const key = 'd'.repeat(32);
  expect((await session.post('/commands', { ...CANCEL, key })).status).toBe(200);
  first.kill('SIGTERM');
  await first.ended();

  const path = join(stage.dir, 'dashboard.json');
  expect(statSync(path).mode & 0o777).toBe(0o600);
  const kept = readFileSync(path, 'utf8');
  for (const secret of [session.cookie.split('=')[1] ?? '', session.token]) expect(kept).not.toContain(secret);

  const second = await stage.trading('start', { dashboard });
  const again = await session.post('/commands', { ...CANCEL, key });
  expect(again.status, 'the session and its token hold').toBe(200);
  expect(JSON.parse(again.text)).toMatchObject({ key, name: 'cancelAll', reason: CANCEL.reason });
  const other = await session.post('/commands', { ...CANCEL, key, name: 'halt', word: 'halt' });
  expect(other.status, 'the key still stands for what it was').toBe(400);
  const noted = (lines: readonly { readonly msg: string }[]) => lines.filter(({ msg }) => msg.includes(CANCEL.reason));
  expect(noted(first.lines())).toHaveLength(1);
  expect(noted(second.lines())).toEqual([]);
});

describeWithBrowser('a page whose run is started again', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(() => browser.close());

  test('says that it has ended and is not red, is itself again with the new run, and without a session it says what to do', async () => {
    const stage = await DaemonStage.open();
    const dashboard = { port: await freePort() };
    const first = await stage.trading('start', { dashboard });
    const { page } = await visitPage(browser, (await printedLink(first)).url);
    await page.click('nav a:has-text("Record")');
    await page.waitForSelector('.lines li');
    first.kill('SIGTERM');
    await first.ended();
    await page.locator('.over').waitFor(AT_ONCE);
    expect(await page.innerText('.over')).toMatch(/^Stopped at \d\d:\d\d, 0 orders live, /);
    expect(await page.locator('.card.stale, .alarm').count()).toBe(0);

    const second = await stage.trading('start', { dashboard });
    await page.locator('.over').waitFor({ state: 'detached', timeout: 120_000 });
    await page.click('button:has-text("debug")');
    const start = second.lines().find(({ about }) => about === 'dashboard')?.msg ?? 'none';
    const old = first.lines().find(({ about }) => about === 'dashboard')?.msg ?? 'none';
    await page.locator(`.lines li:has-text("${start.slice(0, 60)}")`).waitFor();
    expect(await page.locator(`.lines li:has-text("${old.slice(0, 60)}")`).count(), 'lines of before are gone').toBe(0);

    second.kill('SIGTERM');
    await second.ended();
    rmSync(join(stage.dir, 'dashboard.json'));
    const third = await stage.trading('start', { dashboard });
    const closed = page.locator('.alarm:has-text("the session has ended")');
    await closed.waitFor({ timeout: 120_000 });
    expect(await closed.innerText()).toContain(` dashboard link --dir ${stage.dir}`);
    await closed.locator('button').click();
    await page.getByText(` dashboard link --dir ${stage.dir}`).waitFor();
    await page.fill('label:has-text("Link") input', (await printedLink(third)).url);
    await page.click('button:has-text("Open")');
    await page.waitForSelector('.card');
    expect(await page.locator('.alarm').count()).toBe(0);
  });
});
