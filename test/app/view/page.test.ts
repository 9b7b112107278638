/** The page of the view in Chromium, over a backtest of the bundled recording: what it shows is what a slow reading of the tape says. */

import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import type { ViewMarket, ViewOrder } from '../../../src/pages/view-data.ts';
import { Tape } from '../../../src/recording/tape/tape.ts';
import { amount, count } from '../../../src/words/numbers.ts';
import { describeWithBrowser, launchBrowser } from '../../support/browser.ts';
import { SAMPLE_TAPE } from '../../support/places.ts';
import { foundOf } from '../../support/view/judged-view.ts';
import { NaiveLadders } from '../../support/view/naive-ladders.ts';
import { centralRun } from '../../support/view/played-run.ts';
import {
  goTo,
  openPage,
  type ShownRow,
  serveView,
  shownInstant,
  shownLadder,
  viewOfRun,
} from '../../support/view/view-page.ts';

const MARKET = '99000301';
const RACE = '99000101';

/** What the ladder of an outcome must hold: the recorded book, and own stake that has arrived and is not yet gone. */
function expectedLadder(market: ViewMarket, at: number, outcome: number): readonly ShownRow[] {
  const tape = Tape.open(SAMPLE_TAPE);
  const naive = new NaiveLadders([tape], market.id).to(at).outcomes[outcome];
  tape.close();
  const rows = new Map<number, { -readonly [Key in keyof ShownRow]: ShownRow[Key] }>();
  const rowAt = (price: number) => {
    const row = rows.get(price) ?? {
      ...{ price: price / 1000, ownBack: '', back: '', lay: '', ownLay: '', traded: '' },
      isLast: naive?.last === price,
    };
    rows.set(price, row);
    return row;
  };
  const stake = (millionths: number): string => count(Math.round(millionths / 1e4) / 100);
  // What rests Against an outcome is backed by a taker, what rests For it is laid.
  for (const [price, amountThere] of naive?.against ?? []) rowAt(price).back = stake(amountThere);
  for (const [price, amountThere] of naive?.for ?? []) rowAt(price).lay = stake(amountThere);
  for (const [price, amountThere] of naive?.traded ?? []) rowAt(price).traded = stake(amountThere);
  if (naive?.last !== undefined) rowAt(naive.last);
  const own = new Map<string, number>();
  for (const order of market.orders) {
    const left = restingAt(order, at);
    if (order.outcome !== outcome || left === 0) continue;
    const key = `${order.side} ${Math.round(order.price * 1000)}`;
    own.set(key, (own.get(key) ?? 0) + left);
  }
  for (const [key, left] of own) {
    const [side = '', price = ''] = key.split(' ');
    rowAt(Number(price))[side === 'For' ? 'ownLay' : 'ownBack'] = amount(left);
  }
  return [...rows.values()].sort((a, b) => b.price - a.price);
}

function restingAt({ arrivedAt, endedAt, stake, fills }: ViewOrder, at: number): number {
  if (arrivedAt === undefined || at < arrivedAt || (endedAt !== undefined && at >= endedAt)) return 0;
  return stake - fills.reduce((sum, fill) => sum + (fill.at <= at ? fill.stake : 0), 0);
}

async function expectLadders(page: Page, market: ViewMarket, at: number): Promise<void> {
  const shown = await page.locator('.ladder.full button.title').allInnerTexts();
  expect(shown.length).toBeGreaterThan(0);
  for (const title of shown) {
    const outcome = market.outcomes.findIndex((each) => each.title === title);
    expect(await shownLadder(page, title), `${title} at ${at}`).toEqual(expectedLadder(market, at, outcome));
  }
}

describeWithBrowser('the page of the view', () => {
  let browser: Browser;
  let played = '';
  beforeAll(async () => {
    browser = await launchBrowser();
    played = await centralRun(SAMPLE_TAPE);
  });
  afterAll(() => browser.close());

  async function opened(market: string) {
    const view = viewOfRun(played);
    const server = await serveView(view);
    const { page, troubles } = await openPage(browser, server.link(market));
    await page.waitForSelector('.ladder.full');
    return { page, troubles, server, market: await foundOf(view.market(market)) };
  }

  test('its ladders are those of the tape at any instant, with own orders from their arrival to their end', async () => {
    const { page, troubles, market } = await opened(MARKET);
    expect(page.url(), 'the secret is gone from the address').not.toContain('link');
    const rested = market.orders.filter(
      ({ arrivedAt, endedAt, fills }) => arrivedAt !== undefined && endedAt !== undefined && fills.length > 0,
    );
    const order = rested.find(({ arrivedAt = 0, decidedAt = 0 }) => arrivedAt > decidedAt) ?? expect.fail();
    const { decidedAt = 0, arrivedAt = 0, endedAt = 0, fills } = order;
    const span = market.lastAt - market.firstAt;
    const far = [0.02, 0.31, 0.64, 0.97].map((part) => Math.round(market.firstAt + span * part));
    const instants = [arrivedAt - 1, arrivedAt, fills[0]?.at ?? 0, endedAt - 1, endedAt, ...far, market.lastAt];
    for (const at of instants) {
      await goTo(page, MARKET, at, [market.outcomes[order.outcome]?.id ?? '']);
      await expectLadders(page, market, at);
    }
    await goTo(page, MARKET, decidedAt);
    const named = page.locator('small', { hasText: new RegExp(`^${order.number}\\b`) });
    const row = page.locator('#own tbody tr').filter({ has: named }).first();
    expect(await row.innerText()).toContain('on the way');
    await goTo(page, MARKET, arrivedAt, [market.outcomes[order.outcome]?.id ?? '']);
    expect(await row.innerText()).toContain('resting');
    const title = await page.locator('.ladder.full td.own[title*="Order"]').first().getAttribute('title');
    expect(title).toMatch(/Order \d+: (back|lay) at [\d.]+, [\d.]+ unmatched.*stood before it when it arrived/);
    expect(troubles).toEqual([]);
  });

  test('it plays forth and back, by buttons and keys, and what it shows then is true', async () => {
    const { page, troubles, market } = await opened(RACE);
    const from = market.firstAt + 300_000;
    await goTo(page, RACE, from);
    await page.click('.speeds button:has-text("×500")');
    await page.click('[title^="Play forward"]');
    await expect.poll(() => shownInstant(page)).toBeGreaterThan(from + 200_000);
    await page.keyboard.press('Space');
    const there = await shownInstant(page);
    await expectLadders(page, market, there);
    await page.keyboard.press('Shift+Space');
    await expect.poll(() => shownInstant(page)).toBeLessThan(there - 200_000);
    await page.keyboard.press('Space');
    const back = await shownInstant(page);
    await expectLadders(page, market, back);
    await page.waitForTimeout(100);
    expect(await shownInstant(page), 'it stands').toBe(back);
    expect(troubles).toEqual([]);
  });

  test('keys, clicks and drags go where they say, and the address says where one is', async () => {
    const { page, troubles, market } = await opened(RACE);
    await page.keyboard.press('Home');
    await expect.poll(() => shownInstant(page)).toBe(market.firstAt);
    await page.keyboard.press('Shift+ArrowRight');
    const own = market.orders.flatMap(({ decidedAt = Number.POSITIVE_INFINITY }) => decidedAt);
    await expect.poll(() => shownInstant(page)).toBe(Math.min(...own));
    await page.keyboard.press('ArrowRight');
    const next = await shownInstant(page);
    expect(next).toBeGreaterThan(Math.min(...own));
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('ArrowRight');
    await expect.poll(() => shownInstant(page)).toBe(next);
    await page.keyboard.press('+');
    expect(await page.innerText('.speeds [aria-pressed=true]')).toBe('×20');
    await page.keyboard.press('End');
    await expect.poll(() => shownInstant(page)).toBe(market.lastAt);

    const box = await page.locator('.line').boundingBox();
    if (box === null) throw new Error('there is no time line');
    const x = (part: number): number => box.x + 50 + (box.width - 58) * part;
    const close = (at: number, part: number): void => {
      const span = market.lastAt - market.firstAt;
      expect(Math.abs(at - market.firstAt - part * span)).toBeLessThan(span / 200);
    };
    await page.mouse.click(x(0.5), box.y + 60);
    await page.waitForSelector('.waiting', { state: 'detached' });
    close(await shownInstant(page), 0.5);
    await page.mouse.move(x(0.5), box.y + 60);
    await page.mouse.down();
    await page.mouse.move(x(0.3), box.y + 60, { steps: 5 });
    await page.mouse.up();
    await page.waitForSelector('.waiting', { state: 'detached' });
    close(await shownInstant(page), 0.3);
    await page.mouse.move(x(0.6), box.y + 60);
    await page.mouse.down();
    await page.mouse.move(x(0.8), box.y + 60, { steps: 5 });
    await page.mouse.up();
    close(await shownInstant(page), 0.3);
    await page.mouse.click(x(0.5), box.y + 60);
    await page.waitForSelector('.waiting', { state: 'detached' });
    close(await shownInstant(page), 0.7);
    // Beneath the pointer the buttons of the time line give way to what is there.
    await page.mouse.move(x(0.5), box.y - 200);
    await page.click('button:has-text("Whole span")');

    const at = await shownInstant(page);
    await expect.poll(() => page.url()).toContain(`t=${at}`);
    await page.locator('a.market', { hasText: 'Northgate v Southmoor: match odds' }).click();
    await page.waitForSelector('.moment h2:has-text("Northgate")');
    await page.goBack();
    await expect.poll(() => shownInstant(page)).toBe(at);
    await page.reload();
    await page.waitForSelector('.ladder.full');
    expect(await shownInstant(page), 'the cookie keeps the session, the address the instant').toBe(at);
    expect(troubles).toEqual([]);
  });

  test('the list is searched by text and walked by arrows; ladders stand side by side', async () => {
    const { page, troubles } = await opened(RACE);
    await page.fill('.markets input', 'northgate odds');
    expect(await page.locator('a.market').count()).toBe(1);
    await page.fill('.markets input', '');
    expect(await page.locator('a.market').count()).toBe(14);
    await page.focus('.markets input');
    await page.keyboard.press('ArrowDown');
    const second = await page.locator('a.market b').nth(1).innerText();
    await page.waitForSelector(`.moment h2:has-text("${second}")`);
    expect(await page.locator('a.market[aria-current=page] b').innerText()).toBe(second);

    const ladders = page.locator('.ladder.full button.title');
    await expect.poll(() => ladders.count()).toBeGreaterThan(1);
    const room = await ladders.count();
    const names = await page.locator('#outcomes .open').allInnerTexts();
    const chosen = names.at(-1) ?? '';
    await page.click(`#outcomes .open:text-is("${chosen}")`);
    expect(await ladders.allInnerTexts()).toContain(chosen);
    expect(await page.innerText('.time-line .legend b')).toBe(chosen);
    expect(await ladders.count()).toBe(room);
    await page.click(`button[aria-label="Take the ladder of ${chosen} away"]`);
    expect(await ladders.allInnerTexts()).not.toContain(chosen);
    expect(troubles).toEqual([]);
  });

  test('a ladder stands still while the best price moves little, and nothing moves under the eyes of who scrolled', async () => {
    const { page, market } = await opened(MARKET);
    const top = () =>
      page
        .locator('.levels')
        .first()
        .evaluate((box) => box.scrollTop);
    await goTo(page, MARKET, market.firstAt + 1_200_000);
    const before = await top();
    for (let step = 0; step < 5; step += 1) await page.keyboard.press('ArrowRight');
    expect(await top()).toBe(before);
    await page
      .locator('.levels')
      .first()
      .evaluate((box) => {
        box.scrollTop = 0;
      });
    await page.waitForSelector('button:has-text("centre"):not([disabled])');
    await goTo(page, MARKET, market.firstAt + 4_000_000);
    expect(await top()).toBe(0);
    await page.click('button:has-text("centre"):not([disabled])');
    await expect.poll(top).toBeGreaterThan(1_000);
  });

  test('on a phone it is a list, then a market that nothing sticks out of, and a touch goes there', async () => {
    const server = await serveView(viewOfRun(played));
    const { page, troubles } = await openPage(browser, server.link(undefined), {
      viewport: { width: 390, height: 844 },
      hasTouch: true,
    });
    const width = () => page.evaluate('document.documentElement.scrollWidth');
    await page.waitForSelector('a.market');
    expect(await page.locator('.ladder').count()).toBe(0);
    expect(await width()).toBeLessThanOrEqual(390);
    await page.locator('a.market').first().tap();
    await page.waitForSelector('.ladder.full');
    expect(await page.locator('.ladder.full').count()).toBe(1);
    expect(await width()).toBeLessThanOrEqual(390);
    const before = await shownInstant(page);
    const box = await page.locator('.line').boundingBox();
    await page.touchscreen.tap((box?.x ?? 0) + 260, (box?.y ?? 0) + 60);
    await expect.poll(() => shownInstant(page)).toBeGreaterThan(before + 60_000);
    await page.tap('a.back-to-list');
    await page.waitForSelector('a.market');
    expect(troubles).toEqual([]);
  });

  test('a long play at ×500, forth and back, keeps no memory', async () => {
    const { page, troubles, market } = await opened(RACE);
    const inspector = await page.context().newCDPSession(page);
    onTestFinished(() => inspector.detach());
    const heap = async (): Promise<number> => {
      await inspector.send('HeapProfiler.collectGarbage');
      const { usedSize } = await inspector.send('Runtime.getHeapUsage');
      return usedSize / 1e6;
    };
    await page.click('.speeds button:has-text("×500")');
    const pass = async (key: string, end: number): Promise<void> => {
      await page.keyboard.press(key);
      await expect.poll(() => shownInstant(page), { interval: 100 }).toBe(end);
    };
    await pass('Shift+Space', market.firstAt);
    await pass('Space', market.lastAt);
    const before = await heap();
    await pass('Shift+Space', market.firstAt);
    expect((await heap()) - before, 'MB more').toBeLessThan(1.5);
    expect(troubles).toEqual([]);
  });
});
