/** The dashboard of a run in Chromium: what it shows is what the run holds, and what it commands is done once. */

import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { askDaemon } from '../../../src/app/live/control/control-client.ts';
import type { DaemonStatus } from '../../../src/app/live/control/control-protocol.ts';
import { describeWithBrowser, launchBrowser } from '../../support/browser.ts';
import { DaemonStage } from '../../support/daemon/daemon-stage.ts';
import { printedLink } from '../../support/dashboard/dashboard-visit.ts';

async function statusOf(dir: string): Promise<DaemonStatus> {
  const reply = await askDaemon(dir, { v: 1, command: 'status' });
  if (reply.kind !== 'status') throw new Error(reply.kind);
  return reply.status;
}

/** A page that must say nothing in its console, and ask nobody but its own server. */
async function visit(browser: Browser, url: string): Promise<{ readonly page: Page; readonly troubles: string[] }> {
  const page = await browser.newPage({ viewport: { width: 1_400, height: 900 } });
  const troubles: string[] = [];
  const own = url.split('#')[0] ?? '';
  page.on('console', (message) => troubles.push(message.text()));
  page.on('pageerror', (error) => troubles.push(error.message));
  page.on('request', (request) => {
    if (!request.url().startsWith(own)) troubles.push(request.url());
  });
  await page.goto(url);
  return { page, troubles };
}

describeWithBrowser('the dashboard of a run', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(() => browser.close());

  test('shows limits, markets, a ladder with own orders in it, orders, the record; and a halt is carried out once', async () => {
    const stage = await DaemonStage.open();
    const limits = { ordersPerSecond: 500, market: 100, liveOrders: 2_000 };
    const daemon = await stage.trading('start', { dashboard: { port: 0 }, limits });
    const { url } = await printedLink(daemon);
    const { page, troubles } = await visit(browser, url);

    await page.waitForSelector('#why');
    expect(await page.innerText('#why h2')).toBe('It trades');
    expect(page.url(), 'the secret is gone from the address').not.toContain('link');
    expect(await page.locator('.bar i').count()).toBeGreaterThan(3);
    const used = page.locator('li', { hasText: 'live orders' }).locator('.bar i');
    expect((await used.boundingBox())?.width, 'a bar is as long as its limit is used').toBeGreaterThan(0);

    await page.click('nav a:has-text("Markets")');
    await page.click('button:has-text("With own orders")');
    await page.waitForSelector('#markets tbody tr');
    await page.click('#markets tbody a >> nth=0');
    await page.waitForSelector('.ladder tbody tr');
    const [outcome = ''] = await page.locator('#outcomes tbody a').allInnerTexts();
    await page.click(`#outcomes tbody a:text-is("${outcome}")`);
    // The strategy’s one order in each market: 2 at 1000, which rests among what can be laid.
    await page.waitForSelector('.ladder tbody tr:has(th:text-is("1000.00")) td.lay + td.own:text-is("2.00")');

    await page.click('nav a:has-text("Orders")');
    await page.waitForSelector('.orders tbody tr');
    expect(await page.innerText('.orders tbody tr >> nth=0')).toMatch(/back\s+1000\.00\s+2\.00/);
    await page.click('nav a:has-text("Record")');
    await page.waitForSelector('.lines li:has-text("sent")');

    await haltTwice(page);
    expect((await statusOf(stage.dir)).bot).toMatchObject({ trading: 'halted', tradingCause: 'wrong team news' });
    await expect.poll(() => stage.held().orders).toBe(0);
    const halts = daemon.lines().filter(({ alert }) => alert === 'TRADING_HALTED');
    expect(halts).toHaveLength(1);
    expect(troubles).toEqual([]);
  });

  test('a POST that is sent again is answered and not carried out again; cancel all and resume do what they say', async () => {
    const stage = await DaemonStage.open();
    const daemon = await stage.trading('start', { dashboard: { port: 0 } });
    const { page, troubles } = await visit(browser, (await printedLink(daemon)).url);
    await page.waitForSelector('#why');
    const posts: { readonly headers: Record<string, string>; readonly body: string }[] = [];
    page.on('request', (request) => {
      if (request.url().endsWith('/commands'))
        posts.push({ headers: request.headers(), body: request.postData() ?? '' });
    });

    const before = (await stage.orders()).map(({ id }) => id);
    await command(page, 'cancelAll', 'cancel');
    const cancelled = async () =>
      (await stage.orders()).filter(({ status, id }) => status === 'Cancelled' && before.includes(id));
    expect((await cancelled()).length).toBeGreaterThan(5);
    await expect.poll(() => stage.held().orders, { message: 'strategies place new ones' }).toBeGreaterThan(5);
    expect((await statusOf(stage.dir)).bot.trading).toBe('running');

    await command(page, 'halt', 'halt');
    await command(page, 'resume', 'resume');
    // The halt of a minute ago comes again, as a browser repeats it that is asked to reload, or a proxy.
    const halt = posts.find(({ body }) => body.includes('"halt"'));
    const again = await page.evaluate(
      async ({ headers, body }) => {
        const answer = await fetch('/commands', { method: 'POST', headers, body });
        return { status: answer.status, said: await answer.json() };
      },
      {
        headers: { 'content-type': 'application/json', 'x-oddsmith-token': halt?.headers['x-oddsmith-token'] ?? '' },
        body: halt?.body ?? '',
      },
    );
    expect(again).toMatchObject({ status: 200, said: { name: 'halt', doneAt: expect.any(Number) } });
    expect((await statusOf(stage.dir)).bot.trading).toBe('running');
    expect(daemon.lines().filter(({ alert }) => alert === 'TRADING_HALTED')).toHaveLength(1);
    expect(troubles).toEqual([]);
  });
});

/** Types the confirmation, then clicks twice and presses Enter twice, as a nervous person does. */
async function haltTwice(page: Page): Promise<void> {
  await page.click('nav a:has-text("Commands")');
  const form = page.locator('#command-halt');
  await form.locator('label:has-text("Why") input').fill('wrong team news');
  const word = form.locator('label:has-text("confirm") input');
  expect(await form.locator('button[type=submit]').isDisabled(), 'nothing is typed yet').toBe(true);
  await word.fill('halt');
  // Three times within one task, before the page can draw anything.
  await page.evaluate("for (let n = 0; n < 3; n += 1) document.querySelector('#command-halt form').requestSubmit()");
  await form.locator('.steps li.yes:has-text("done")').waitFor();
  expect(await form.locator('.steps').innerText()).toMatch(
    /asked .*\n?.*heard .*\n?.*done .*: trading is halted, no order is live/s,
  );
  expect(await page.locator('.entries > li').count()).toBe(1);
}

async function command(page: Page, name: string, word: string): Promise<void> {
  await page.click('nav a:has-text("Commands")');
  const form = page.locator(`#command-${name}`);
  await form.locator('label:has-text("confirm") input').fill(word);
  await form.locator('button[type=submit]').dblclick();
  await form.locator('.steps li.yes:has-text("done")').waitFor();
}
