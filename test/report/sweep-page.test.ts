/** The report of a sweep in a browser: its surface over two keys, its trials, and names that could be markup. */

import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { webBundle } from '../../src/app/web/web-bundle.ts';
import { sweepPage } from '../../src/report/html/sweep-page.ts';
import { describeWithBrowser, launchBrowser } from '../support/browser.ts';
import { FACTS, HOSTILE, TRIALS } from './sample-sweep.ts';

describeWithBrowser('the report of a sweep', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(() => browser.close());

  test('opens the surface on the two keys that explain most, and draws surface and trials without a message or a request, at 360 px as well', async () => {
    const page = await browser.newPage({ viewport: { width: 360, height: 740 } });
    const complaints: string[] = [];
    page.on('console', (message) => complaints.push(message.text()));
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('request', (request) => complaints.push(request.url()));
    await page.setContent(sweepPage(FACTS, TRIALS, webBundle('sweep')), { waitUntil: 'load' });
    await page.locator('#trials').waitFor();
    const cells = await page.locator('#surface tbody td').allTextContents();
    expect(cells).toEqual(['1', '−5.00', '−5.00', '2', '3.00', '3.00', '3', '8.00', '8.00']);
    await page.locator('label', { hasText: 'Down' }).locator('select').selectOption('stop < "x"');
    await page.locator('label', { hasText: 'Across' }).locator('select').selectOption('take');
    const turned = await page.locator('#surface tbody td').allTextContents();
    expect(turned).toEqual(['2', '−5.00', '3.00', '8.00', '10', '−5.00', '3.00', '8.00']);
    expect(await page.locator('#surface .is-best').allTextContents()).toEqual(['8.00']);
    expect(await page.locator('#trials tbody tr').count()).toBe(12);
    expect(await page.locator('#trials tbody tr').first().textContent()).toContain('1.20 %');
    // What is the same of all trials, and the value under a second name, has no column.
    expect(await page.locator('#trials thead th').allTextContents()).toEqual([
      'Trial',
      'profitNet',
      'spread',
      'stop < "x"',
      'take',
      'yield',
      'ordersSent',
    ]);
    expect(await page.locator('#trials-place').textContent()).toContain('Each was played on 7 events.');
    expect(await page.locator('.headline').textContent()).toBe(FACTS.headline);
    await page.locator('#trials tbody tr').nth(1).locator('td').nth(1).click();
    expect(await page.locator('#opened code').textContent()).toBe('oddsmith sweep rerun sweeps/made --trial 5');
    await page.locator('#trials button.open').first().focus();
    await page.keyboard.press('Enter');
    expect(await page.locator('#opened code').textContent()).toMatch(/ 2$/);
    await page.locator('#trials tbody tr').nth(1).click();
    expect(await page.locator('#opened').textContent()).toContain('Trial 5 spread = wide · stop < "x" = 2 · take = 3');
    expect(await page.locator('.facts').textContent()).toContain('amounts in EUR');
    expect(await page.locator('h1').textContent()).toBe(HOSTILE);
    expect(await page.evaluate('window.hit')).toBeUndefined();
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360);
    expect(complaints).toEqual([]);
    await page.close();
  });
});
