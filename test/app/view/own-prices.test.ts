/** A line in the page of the view: its ladder has its points as rows, and what rests there at an instant. */

import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeWithBrowser, launchBrowser } from '../../support/browser.ts';
import { DEFINITION, rc, withTape } from '../../support/imported-stream.ts';
import { viewOf } from '../../support/view/judged-view.ts';
import { goTo, openPage, serveView, shownLadder } from '../../support/view/view-page.ts';

const LINE = {
  ...DEFINITION,
  ...{ bettingType: 'LINE', numberOfWinners: 0, runners: [{ id: 7, status: 'ACTIVE', sortPriority: 1, name: 'Runs' }] },
};

describeWithBrowser('a line in the page', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(() => browser.close());

  test('has its points as rows, the highest first, and says that no run plays it', async () => {
    const changes = [
      { marketDefinition: LINE, ...rc({ id: 7, atl: [[240.5, 20]], atb: [[2.5, 4]] }) },
      rc({ id: 7, atb: [[238.5, 10.25]], trd: [[239.5, 8]], ltp: 239.5 }),
      rc({ id: 7, trd: [[239.5, 12]], atb: [[2.5, 0]] }),
    ];
    await withTape(changes, async (tape) => {
      const server = await serveView(viewOf([tape]));
      const { page, troubles } = await openPage(browser, server.link('1.5'));
      await page.waitForSelector('.ladder.full');
      await goTo(page, '1.5', 3_000);
      const none = { ownBack: '', back: '', lay: '', ownLay: '', traded: '', isLast: false };
      expect(await shownLadder(page, 'Runs')).toEqual([
        { ...none, price: 240.5, lay: '20' },
        { ...none, price: 239.5, traded: '6', isLast: true },
        { ...none, price: 238.5, back: '10.25' },
      ]);
      const rows = await page.locator('.ladder.full tbody th').allInnerTexts();
      expect(rows).toEqual(['240.50', '239.50', '238.50', '2.50']);
      expect(await page.innerText('.truth')).toMatch(
        /No run plays this market.*points, at which bets are at even odds/s,
      );
      expect(await page.innerText('.market')).toContain('not played: LINE');
      expect(troubles).toEqual([]);
    });
  });
});
