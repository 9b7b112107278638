/** The chart of chances against what came true, as text and in a browser. */

import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { webBundle } from '../../src/app/web/web-bundle.ts';
import { notKnown } from '../../src/research/figure/not-known.ts';
import { calibrationBands } from '../../src/research/run/calibration.ts';
import { priceCalibrationOf } from '../../src/research/run/price-calibration.ts';
import type { RunStatistics } from '../../src/result/statistics.ts';
import { describeWithBrowser, launchBrowser } from '../support/browser.ts';
import { htmlReport } from '../support/html-report.ts';
import { sampleResult } from './sample-result.ts';

const EDGES = [0, 0.1, 0.5, 1];
const library = webBundle('report');

/** So many outcomes at a price, of which some won. */
function at(price: number, outcomes: number, won: number) {
  return Array.from({ length: outcomes }, (_, index) => ({
    eventGroup: `${index}`,
    chance: 1 / price,
    won: index < won,
  }));
}

function taken(backs: ReturnType<typeof at>, lays: ReturnType<typeof at>): RunStatistics['pricesTaken'] {
  return { backs: priceCalibrationOf(backs, EDGES), lays: priceCalibrationOf(lays, EDGES) };
}

function pageOf(change: Partial<RunStatistics>): string {
  const result = sampleResult(3);
  const none = notKnown('The closing prices do not make a market.');
  const statistics = { ...result.statistics, calibration: none, models: [], ...change };
  return htmlReport({ ...result, statistics }, library);
}

test('the bands that are off by more than chance explains are named, and those with few outcomes are not judged', () => {
  const page = pageOf({ pricesTaken: taken([...at(4, 60, 30), ...at(20, 9, 9)], at(4, 60, 15)) });
  expect(page).toContain(
    'Back bets: of 1 band with 10 outcomes or more 1 is off by more than chance explains: 10 to 50 % won more often.',
  );
  expect(page).toContain('Lay bets: of 1 band with 10 outcomes or more none is off by more than chance explains.');
  expect(page.match(/class="mark back few"/g)).toHaveLength(1);
  expect(page).toMatch(/0 to 10 %<small>10 and longer<\/small><\/td><td>9<\/td>.*<td class="why">too few to say<\/td>/);
  expect(page).toMatch(
    /10 to 50 %<small>prices 2.00 to 10<\/small><\/td><td>60<\/td>.*<td class="why">more often<\/td>/,
  );
});

test('where no band has enough outcomes, the page says that nothing can be said', () => {
  const page = pageOf({ pricesTaken: taken(at(4, 9, 0), []) });
  expect(page).toContain('Back bets: too few to say, no band has 10 outcomes.');
  expect(page).toContain('Not read as chances. The closing prices do not make a market.');
});

test('without an outcome that can be judged there is no card, and no jump to one', () => {
  const page = pageOf({ pricesTaken: taken([], []) });
  expect(page).not.toContain('id="calibration"');
  expect(page).not.toContain('#calibration');
});

test('sides are told apart by their marks, and marks stand where the shares are', () => {
  const backs = at(4, 40, 10);
  const [band] = calibrationBands(backs, EDGES);
  const page = pageOf({ pricesTaken: taken(backs, at(4, 40, 10)) });
  const circle = /<circle class="mark back" cx="([\d.]+)" cy="([\d.]+)"/.exec(page);
  const square = /<rect class="mark lay" x="([\d.]+)" y="([\d.]+)" width="9"/.exec(page);
  // √0.25 is the middle of both axes; the second series stands 9 units to the right of the first.
  expect(band).toMatchObject({ meanChance: 0.25, shareWon: 0.25 });
  expect([Number(circle?.[1]) + 4.5, Number(circle?.[2])]).toEqual([192, 158]);
  expect([Number(square?.[1]), Number(square?.[2])]).toEqual([192, 153.5]);
});

describeWithBrowser('the chart of chances in a browser', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(() => browser.close());

  test('takes its colours from the scheme, and from paper when it is printed', async () => {
    const page = await browser.newPage({ viewport: { width: 390, height: 800 }, colorScheme: 'dark' });
    await page.setContent(pageOf({ pricesTaken: taken(at(4, 40, 10), at(3, 40, 10)) }), { waitUntil: 'load' });
    const fill = () => page.evaluate("getComputedStyle(document.querySelector('.mark.back')).fill");
    expect(await fill()).toBe('rgb(109, 179, 242)');
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
    expect(await fill()).toBe('rgb(31, 111, 181)');
    await page.emulateMedia({ media: 'screen', colorScheme: 'light' });
    expect(await fill()).toBe('rgb(31, 111, 181)');
    const box = await page.locator('svg[aria-label^="Prices taken"]').boundingBox();
    expect(box?.width).toBeGreaterThan(300);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
    await page.close();
  });
});
