/** A page speaks of the two sides in one pair of words throughout: that which its reader chose. */

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { pageDocument } from '../../src/app/web/page-document.ts';
import { webBundle } from '../../src/app/web/web-bundle.ts';
import { chooseSideWords, SIDE_WORDS, type SideWords } from '../../src/words/side-words.ts';
import { run } from '../app/fake-terminal.ts';
import { backtestOf, onlyMarkets } from '../support/backtest-of.ts';
import { describeWithBrowser, launchBrowser } from '../support/browser.ts';
import { openDashedSandbox } from '../support/dashboard/dashed-sandbox.ts';
import { htmlReport } from '../support/html-report.ts';
import { SAMPLE_TAPE, sampleStrategy } from '../support/places.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';
import { centralRun } from '../support/view/played-run.ts';
import { openPage, serveView, viewOfRun } from '../support/view/view-page.ts';

/** Words that are of the other pair. `For` is looked for with its capital: a page is for somebody. */
const FOREIGN: Readonly<Record<SideWords, RegExp>> = {
  'back-lay': /\b(?:For|Against)\b/g,
  'for-against': /\b(?:back|lay|backs|lays|backed|laid)\b/gi,
};
const OWN: Readonly<Record<SideWords, RegExp>> = { 'back-lay': /\bback\b/, 'for-against': /\bFor\b/ };

/** What is written on a page, and what its marks say when they are pointed at. */
const ALL_TEXT = `[document.body.innerText, ...[...document.querySelectorAll('[title]')].map(({ title }) => title),
  ...[...document.querySelectorAll('option, svg title')].map((each) => each.textContent)].join('\\n')`;

afterEach(() => chooseSideWords(undefined));

describeWithBrowser('one pair of words throughout', () => {
  let browser: Browser;
  let played: string;
  beforeAll(async () => {
    browser = await launchBrowser();
    played = await centralRun(SAMPLE_TAPE);
  });
  afterAll(() => browser.close());

  async function expectWords(page: Page, words: SideWords): Promise<void> {
    const text: string = await page.evaluate(ALL_TEXT);
    const foreign = [...text.matchAll(FOREIGN[words])].map(({ index }) => text.slice(index - 40, index + 40));
    expect(foreign).toEqual([]);
    expect(text).toMatch(OWN[words]);
  }

  test.each(SIDE_WORDS)('report: %s', async (words) => {
    chooseSideWords(words);
    const result = await backtestOf([sampleStrategy('passive-quoter')], { markets: onlyMarkets('99000101') });
    const page = await browser.newPage();
    await page.setContent(htmlReport(result, webBundle('report')), { waitUntil: 'load' });
    await page.locator('#markets .open').first().click();
    await page.locator('#orders .open').first().click();
    for (const summary of await page.locator('summary').all()) await summary.click();
    await page.locator('#all-orders').waitFor();
    await expectWords(page, words);
    await page.close();
  });

  test.each(SIDE_WORDS)('view: %s', async (words) => {
    chooseSideWords(words);
    const { link } = await serveView(viewOfRun(played));
    const { page } = await openPage(browser, link(undefined));
    await page.locator('a.market').first().click();
    await page.waitForSelector('.ladder.full');
    await expectWords(page, words);
  });

  test.each(SIDE_WORDS)('market of a dashboard: %s', async (words) => {
    chooseSideWords(words);
    const { link } = await openDashedSandbox();
    const { page } = await openPage(browser, link.url);
    await page.click('nav a:has-text("Markets")');
    await page.locator('#markets tbody a').first().click();
    await page.waitForSelector('#outcomes');
    await expectWords(page, words);
  });
});

test('the words of a configuration stay with the run, a flag is stronger, and without either it is back and lay', async () => {
  const out = temporaryDirectory('sides');
  const [config, tape, page] = [join(out, 'backtest.yaml'), SAMPLE_TAPE, join(out, 'page.html')];
  writeFileSync(
    config,
    stringify({ strategies: [{ file: sampleStrategy('passive-quoter') }], tapes: [tape], out, sides: 'for-against' }),
  );
  const made = await run('backtest', config, '--json');
  expect([made.code, made.note]).toEqual([0, '']);
  const { seed, transcript } = JSON.parse(made.out);
  const directory = join(out, `backtest-${seed}-${transcript.sha256.slice(0, 10)}`);
  const drawn = async (...flags: readonly string[]): Promise<string | undefined> => {
    expect((await run('report', directory, '--out', page, ...flags)).code).toBe(0);
    return / data-sides="([^"]*)"/.exec(readFileSync(page, 'utf8'))?.[1];
  };
  expect(await drawn()).toBe('for-against');
  expect(await drawn('--sides', 'back-lay')).toBe('back-lay');
  expect(readFileSync(join(directory, 'orders.csv'), 'utf8')).toMatch(/,(?:For|Against),/);
  const refused = await run('report', directory, '--sides', 'punter');
  expect([refused.code, refused.note]).toEqual([2, expect.stringContaining('back-lay or for-against')]);
  await run('explain', 'ODDS_INVALID');
  expect(pageDocument('view').html).toContain('data-sides="back-lay"');
});
