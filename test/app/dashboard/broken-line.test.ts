/** A page whose stream does not come says why, and is itself again without being loaded anew, however the line had broken. */

import { connect, type Socket } from 'node:net';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { openDashboard } from '../../../src/app/web/dashboard/server/dashboard.ts';
import { READERS_MAX } from '../../../src/app/web/dashboard/server/event-streams.ts';
import type { DashboardSource } from '../../../src/app/web/dashboard/server/source.ts';
import type { SourceKind } from '../../../src/pages/panels.ts';
import { describeWithBrowser, launchBrowser } from '../../support/browser.ts';
import { ask, linkIn, openLink } from '../../support/dashboard/dashboard-visit.ts';
import { tunnelTo } from '../../support/dashboard/tunnel.ts';

const SOON = { timeout: 120_000 };

/** A dashboard that counts its pictures; `fault` is thrown by the next one. */
async function served(kind: SourceKind = 'paper') {
  const made = { pictures: 0, fault: undefined as Error | undefined };
  const faults: unknown[] = [];
  const source: DashboardSource = {
    ...{ kind, name: 'lined', currency: '', pages: ['orders', 'markets'] },
    ...{
      newLink: 'oddsmith dashboard link --dir /secret/place',
      ring: undefined,
      commands: undefined,
      linkOf: undefined,
    },
    head: () => ({ at: Date.now(), words: [] }),
    panel: ({ page }) => {
      if (made.fault !== undefined) throw made.fault;
      made.pictures += 1;
      const part = { rows: [], from: 0, total: made.pictures };
      return page === 'orders' ? { page, part } : { page: 'markets', part };
    },
  };
  const dashboard = await openDashboard({
    ...{ setting: '--port', port: 0, host: '127.0.0.1', hosts: [], source },
    now: () => Date.now(),
    onFault: (error) => void faults.push(error),
  });
  onTestFinished(() => dashboard.close());
  return { dashboard, made, faults };
}

async function newPage(browser: Browser): Promise<Page> {
  const context = await browser.newContext();
  onTestFinished(() => context.close());
  return context.newPage();
}

async function opened(browser: Browser, url: string): Promise<Page> {
  const page = await newPage(browser);
  await page.goto(url);
  await page.waitForSelector('.card');
  return page;
}

test.each([
  ['live', 'dashboard link CONFIG'],
  ['sandbox', 'sandbox --dashboard PORT'],
  ['bots', 'dashboard DIR'],
] as const)('without a session, that of a %s names the command %s, and no place', async (kind, command) => {
  const { dashboard } = await served(kind);
  const { port } = linkIn(dashboard.link());
  for (const path of ['/session', '/events?page=orders']) {
    const { status, text } = await ask(port, { path });
    expect({ status, ...JSON.parse(text) }).toMatchObject({
      status: 401,
      next: expect.stringMatching(`oddsmith.* ${command}$`),
    });
    expect(text).not.toContain('secret');
  }
});

describeWithBrowser('a page whose stream does not come', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(() => browser.close());

  test('opens a line anew that broke without a word', async () => {
    const { dashboard } = await served();
    const { port, url } = linkIn(dashboard.link());
    const tunnel = await tunnelTo(port);
    const page = await opened(browser, url.replace(String(port), String(tunnel.port)));
    await page.evaluate('window.isFirst = true');
    tunnel.stall();
    await page.locator('.alarm').waitFor(SOON);
    expect(await page.innerText('.alarm')).toContain('the process has ended, stands still, or the line is down');
    await page.locator('.alarm').waitFor({ state: 'detached', ...SOON });
    expect(await page.locator('.card.stale').count()).toBe(0);
    expect(await page.evaluate('window.isFirst'), 'it was not loaded anew').toBe(true);
  });

  test('asks again for a page that it was never answered', async () => {
    const { dashboard } = await served();
    const page = await opened(browser, linkIn(dashboard.link()).url);
    await page.route('**/events?page=markets', neverAnswered, { times: 1 });
    await page.click('nav a:has-text("Markets")');
    await page.locator('#markets').waitFor(SOON);
  });

  test('says that the dashboard met a bug, and not that its session has ended', async () => {
    const { dashboard, made, faults } = await served();
    const page = await opened(browser, linkIn(dashboard.link()).url);
    made.fault = new Error('no such outcome');
    await page.locator('.alarm:has-text("The dashboard met a bug of oddsmith; see the log.")').waitFor(SOON);
    expect(faults).toEqual([made.fault]);
    await page.reload();
    await page.getByText('The dashboard met a bug of oddsmith; see the log.').waitFor();
    expect(await page.innerText('body')).not.toContain('dashboard link');
  });

  test('says that too many pages are open, and comes when one of them has gone', async () => {
    const { dashboard } = await served();
    const link = linkIn(dashboard.link());
    const { cookie } = await openLink(link);
    const readers = await Promise.all(Array.from({ length: READERS_MAX }, () => reader(link.port, cookie)));
    const page = await newPage(browser);
    await page.goto(linkIn(dashboard.link()).url);
    await page.locator(`.alarm:has-text("At most ${READERS_MAX} pages are served at once.")`).waitFor(SOON);
    readers[0]?.destroy();
    await page.locator('.card').first().waitFor(SOON);
    await page.locator('.alarm').waitFor({ state: 'detached' });
  });

  test('whose session has ended goes on by itself when a new link was opened beside it', async () => {
    const { dashboard } = await served();
    const page = await opened(browser, linkIn(dashboard.link()).url);
    await page.context().clearCookies();
    await page.click('nav a:has-text("Markets")');
    await page.locator('.alarm:has-text("the session has ended")').waitFor(SOON);
    const beside = await page.context().newPage();
    await beside.goto(linkIn(dashboard.link()).url);
    await beside.waitForSelector('.card');
    await page.locator('#markets').waitFor(SOON);
    await page.locator('.alarm').waitFor({ state: 'detached' });
  });
});

const neverAnswered = (): Promise<never> => new Promise(() => undefined);

/** One that reads its stream for good. */
function reader(port: number, cookie: string): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  return new Promise((resolve) => {
    socket.once('data', () => {
      socket.resume();
      resolve(socket);
    });
    socket.write(`GET /events?page=orders HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\ncookie: ${cookie}\r\n\r\n`);
  });
}
