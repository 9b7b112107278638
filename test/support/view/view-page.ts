/** The page of a view in Chromium: opened by its link, and read as a person reads it. */

import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { onTestFinished } from 'vitest';
import { runSourceOf } from '../../../src/app/web/view/run/run-source.ts';
import { RunView } from '../../../src/app/web/view/run-view.ts';
import { openViewServer, type ViewServer } from '../../../src/app/web/view/server/view-server.ts';
import type { ViewSource } from '../../../src/app/web/view/view-source.ts';

/** Until the test is done. */
export async function serveView(source: ViewSource, port = 0): Promise<ViewServer> {
  const onFault = (error: unknown): void => {
    throw error;
  };
  const server = await openViewServer({ port, host: '127.0.0.1', source, now: Date.now, onFault });
  onTestFinished(() => server.close());
  return server;
}

/** The view of the run in this directory. */
export function viewOfRun(directory: string): ViewSource {
  const source = runSourceOf(directory, []);
  onTestFinished(() => source.close());
  return new RunView({ source, newLink: `oddsmith view ${directory}`, pause: async () => undefined });
}

export interface OpenPage {
  readonly page: Page;
  /** What it said in its console, and whom it asked but its own server. */
  readonly troubles: string[];
}

export async function openPage(browser: Browser, link: string, options: BrowserContextOptions = {}): Promise<OpenPage> {
  const context = await browser.newContext({ viewport: { width: 1_400, height: 900 }, ...options });
  onTestFinished(() => context.close());
  const page = await context.newPage();
  const troubles: string[] = [];
  const own = link.split('#')[0] ?? '';
  page.on('console', (message) => troubles.push(message.text()));
  page.on('pageerror', (error) => troubles.push(error.message));
  page.on('request', (request) => {
    if (!request.url().startsWith(own)) troubles.push(request.url());
  });
  await page.goto(link);
  return { page, troubles };
}

/** The instant in its head, ms UTC. */
export async function shownInstant(page: Page): Promise<number> {
  return Date.parse((await page.getAttribute('.instant time', 'datetime')) ?? '');
}

/** Puts an instant into the address, as a link that somebody sent does, and waits until it is shown. */
export async function goTo(page: Page, market: string, at: number, outcomes: readonly string[] = []): Promise<void> {
  const fields = new URLSearchParams({ m: market, t: String(at) });
  for (const id of outcomes) fields.append('o', id);
  await page.evaluate(`location.hash = ${JSON.stringify(fields.toString())}`);
  const time = new Date(at).toISOString();
  await page.waitForSelector(`.instant time[datetime="${time}"]`);
  await page.waitForSelector('.waiting', { state: 'detached' });
}

export interface ShownRow {
  readonly price: number;
  readonly ownBack: string;
  readonly back: string;
  readonly lay: string;
  readonly ownLay: string;
  readonly traded: string;
  readonly isLast: boolean;
}

/** The rows of a ladder that hold anything, by the title of its outcome. */
export async function shownLadder(page: Page, title: string): Promise<readonly ShownRow[]> {
  const rows: readonly ShownRow[] = await page.locator('.ladder.full table').evaluateAll((tables, wanted) => {
    const table = tables.find((each) => each.getAttribute('aria-label') === `Ladder of ${wanted}`);
    return [...(table?.querySelectorAll('tbody tr') ?? [])].map((row) => {
      const cells = [...row.querySelectorAll('td, th')].map((cell) => cell.textContent ?? '');
      const [ownBack = '', back = '', price = '', lay = '', ownLay = '', traded = ''] = cells;
      const isLast = row.querySelector('th')?.classList.contains('last') ?? false;
      return { price: Number(price), ownBack, back, lay, ownLay, traded, isLast };
    });
  }, title);
  return rows.filter((row) => row.isLast || row.ownBack + row.back + row.lay + row.ownLay + row.traded !== '');
}
