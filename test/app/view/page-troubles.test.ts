/** The page of the view when something is amiss: late data, refusals, a server or a session that is gone, names that mean harm. */

import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import type { Found, ViewSource } from '../../../src/app/web/view/view-source.ts';
import type { ViewMarket, ViewPart, ViewWelcome } from '../../../src/pages/view-data.ts';
import { describeWithBrowser, launchBrowser } from '../../support/browser.ts';
import { madeMarket, madeOrder } from '../../support/view/made-view.ts';
import { goTo, openPage, serveView, shownInstant, shownLadder } from '../../support/view/view-page.ts';

const HOSTILE = `</script><script>window.hit = 1</script><img src=x onerror="window.hit = 1">'"&`;
const START = Date.UTC(2026, 2, 14, 12);
const PART_MS = 60_000;
const PARTS = 20;

const WELCOME: ViewWelcome = {
  ...{ kind: 'paper', name: HOSTILE, version: '0.1.0', currency: 'USDC', strategies: [HOSTILE], notes: [HOSTILE] },
  newLink: 'oddsmith view runs/paper',
  markets: [
    {
      ...{ id: HOSTILE, event: HOSTILE, name: 'odds', startsAt: START, updates: 20, orders: 1, fills: 1, profit: -1 },
      refusal: undefined,
      why: undefined,
    },
    {
      ...{ id: 'none', event: 'Gone v Away', name: 'odds', startsAt: START, updates: 0, orders: 0, fills: 0 },
      ...{ profit: undefined, refusal: undefined, why: 'It is on none of the tapes.' },
    },
  ],
};

const MARKET: ViewMarket = madeMarket({
  ...{ id: HOSTILE, event: HOSTILE, name: HOSTILE, startsAt: START + 90_000 },
  ...{ firstAt: START, lastAt: START + PARTS * PART_MS - 1_000 },
  parts: Array.from({ length: PARTS }, (_, part) => START + part * PART_MS),
  outcomes: [HOSTILE, 'Away', 'Draw'].map((title, at) => ({ id: String(at), title })),
  states: [],
  prices: {
    ...{ startAt: START, stretchMs: PARTS * PART_MS, updates: [PARTS] },
    outcomes: [2, 3, 4].map((price) => ({
      ...{ backLow: [price], backHigh: [price], layLow: [price + 0.1], layHigh: [price + 0.1] },
    })),
  },
  orders: [
    madeOrder({
      ...{ number: 5, strategy: HOSTILE, note: HOSTILE, reason: HOSTILE, decidedAt: START + 10, arrivedAt: START + 20 },
      fills: [{ at: START + 30, price: 2.5, stake: 1 }],
    }),
  ],
  plots: [{ strategy: HOSTILE, name: HOSTILE, at: [START], value: [1] }],
});

/** In the first part 1 can be backed at 2, in the next 2, and so on. */
function partOf(part: number): ViewPart {
  const book = { for: [[2.1, 5]], against: [[2, part + 1]], traded: [], last: 2 } as const;
  const empty = { for: [], against: [], traded: [], last: undefined };
  const at = START + part * PART_MS;
  return { part, book: { outcomes: [book, empty, empty] }, updates: [{ at, events: [['for', 0, 2.1, 6]] }] };
}

interface Staged extends ViewSource {
  /** From now on parts are answered when the function that is returned is called. */
  hold(): () => void;
  /** The run has gone on by so many parts. */
  goOn(parts: number): void;
  /** From now on parts are refused with these words. */
  refuse(why: string | undefined): void;
}

function staged(): Staged {
  let held: Promise<void> | undefined;
  let refusal: string | undefined;
  let market = MARKET;
  const found = <T>(value: T): Found<T> => ({ kind: 'found', value });
  return {
    welcome: () => WELCOME,
    market: async () => found(market),
    part: async (_, part) => {
      await held;
      if (refusal === undefined) return found(partOf(part));
      return { kind: 'not', status: 409, body: { why: refusal, next: 'Import the recording again.' } };
    },
    hold: () => {
      const { promise, resolve } = Promise.withResolvers<void>();
      held = promise;
      return () => {
        held = undefined;
        resolve();
      };
    },
    goOn: (more) => {
      const parts = Array.from({ length: PARTS + more }, (_, part) => START + part * PART_MS);
      market = { ...MARKET, parts, lastAt: START + (PARTS + more) * PART_MS - 1_000 };
    },
    refuse: (why) => {
      refusal = why;
    },
  };
}

describeWithBrowser('the page of the view, where something is amiss', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(() => browser.close());

  async function opened(port = 0) {
    const source = staged();
    const server = await serveView(source, port);
    const open = await openPage(browser, server.link(undefined));
    await open.page.waitForSelector('.ladder.full');
    return { ...open, source, server };
  }

  test('names that mean harm stay text, in the list, the ladders, the orders and the plots', async () => {
    const { page, troubles } = await opened();
    await goTo(page, HOSTILE, START + 40, ['0']);
    const whole = await page.innerText('#view');
    expect(whole.split('<script>window.hit = 1</script>').length - 1).toBeGreaterThan(8);
    expect(await page.locator('#view img, #view script').count()).toBe(0);
    expect(await page.evaluate('window.hit')).toBeUndefined();
    expect(await page.locator('.ladder.full button.title').first().innerText()).toBe(HOSTILE);
    expect(await page.locator('.market.off').innerText()).toContain('It is on none of the tapes.');
    expect(await page.innerText('.truth')).toContain('paper run');
    expect(troubles).toEqual([]);
  });

  test('what is late is waited for, and until then the instant that is shown stays true', async () => {
    const { page, troubles, source } = await opened();
    await goTo(page, HOSTILE, START + PART_MS, ['0']);
    await page.waitForLoadState('networkidle');
    const release = source.hold();
    await page.keyboard.press('End');
    await page.waitForSelector('.waiting');
    expect(await shownInstant(page)).toBe(START + PART_MS);
    const levels = async () => (await shownLadder(page, HOSTILE)).map(({ price, back, lay }) => [price, back, lay]);
    expect(await levels()).toContainEqual([2, '2', '']);
    release();
    await page.waitForSelector('.waiting', { state: 'detached' });
    expect(await shownInstant(page)).toBe(MARKET.lastAt);
    expect(await levels()).toContainEqual([2, String(PARTS), '']);
    expect(troubles).toEqual([]);
  });

  test('a run that goes on is read on, and the instant stays where it was', async () => {
    const { page, troubles, source } = await opened();
    await page.keyboard.press('End');
    await expect.poll(() => shownInstant(page)).toBe(MARKET.lastAt);
    await expect.poll(() => page.url()).toContain(`t=${MARKET.lastAt}`);
    source.goOn(3);
    await page.click('button:has-text("Read on")');
    const lineEnd = () => page.evaluate(`Number(document.querySelector('.line')?.ariaValueMax)`);
    await expect.poll(lineEnd).toBeGreaterThan(MARKET.lastAt);
    await expect.poll(() => shownInstant(page)).toBe(MARKET.lastAt);
    await page.keyboard.press('End');
    await expect.poll(() => shownInstant(page)).toBe(MARKET.lastAt + 3 * PART_MS);
    expect(troubles).toEqual([]);
  });

  test('a refusal is shown in the words of the server, with what to do, and asked for again by hand', async () => {
    const { page, troubles, source } = await opened();
    source.refuse('The tape is damaged.');
    await page.keyboard.press('End');
    await page.waitForSelector('.alarm');
    expect(await page.innerText('.alarm')).toMatch(/The tape is damaged\.\s+Import the recording again\./);
    source.refuse(undefined);
    await page.click('.alarm button');
    await page.waitForSelector('.alarm', { state: 'detached' });
    await expect.poll(() => shownInstant(page)).toBe(MARKET.lastAt);
    expect(troubles.filter((text) => !text.includes('409'))).toEqual([]);
  });

  test('where the server is gone it says so and how to start it, and asks for a link where a new one answers', async () => {
    const { page, server } = await opened();
    await server.close();
    await page.keyboard.press('End');
    await page.waitForSelector('.alarm');
    expect(await page.innerText('.alarm')).toMatch(/The server does not answer\..*oddsmith view runs\/paper/s);
    expect(await shownInstant(page), 'what is shown stays').toBeLessThan(MARKET.lastAt);
    const again = await serveView(staged(), Number(new URL(server.url).port));
    await page.waitForSelector('.card.narrow');
    expect(await page.innerText('.card.narrow')).toMatch(/link/);
    await page.fill('.ask input', again.link(undefined));
    await page.click('.ask button');
    await page.waitForSelector('.ladder.full');
  });

  test('without a session it says how to get a link', async () => {
    const server = await serveView(staged());
    const { page, troubles } = await openPage(browser, server.url);
    onTestFinished(() => page.close());
    expect(await page.innerText('.card.narrow')).toMatch(/There is no session.*prints a new link/s);
    expect(troubles.filter((text) => !text.includes('401'))).toEqual([]);
  });
});
