import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { webBundle } from '../../src/app/web/web-bundle.ts';
import { drawnPoints } from '../../src/pages/report/report-data.ts';
import { mapBounds } from '../../src/result/figures/bounds.ts';
import type { BacktestResult } from '../../src/result/result.ts';
import { percent } from '../../src/words/numbers.ts';
import { describeWithBrowser, launchBrowser } from '../support/browser.ts';
import { htmlReport } from '../support/html-report.ts';
import { sampleResult } from './sample-result.ts';
import { fill, order } from './sample-rows.ts';

const library = webBundle('report');
const HOSTILE = '</script><script>window.hit = 1</script><img src=x onerror="window.hit = 1">';

describe('the report as text', () => {
  test('escapes names wherever they stand', () => {
    const page = htmlReport(hostile(), library);
    expect(page).not.toContain(HOSTILE);
    expect(page).not.toContain('<img');
    expect(page.match(/<script/g)).toHaveLength(2);
  });

  test('names no address but its own parts', () => {
    const page = htmlReport(sampleResult(3), library);
    expect(page.match(/(?:src|href)="(?!data:|#)[^"]*"/g)).toBeNull();
    expect(page.replaceAll(/https?:\/\/www\.w3\.org\S*/g, '')).not.toMatch(/https?:\/\//);
  });

  test('says of a generated recording that it never happened', () => {
    const tapes = [{ path: 'a.tape', sha256: '00', grade: 'A' as const, generated: 'a seeded crowd' }];
    expect(htmlReport(sampleResult(1, { tapes }), library)).toContain('A generated recording, not real trading');
    expect(htmlReport(sampleResult(1), library)).not.toContain('not real trading');
  });

  test('shows every interval from its lowest to its highest figure, the central one inside', () => {
    const result = sampleResult(1);
    const { pessimistic, central, optimistic } = result.total;
    const total = {
      pessimistic: { ...pessimistic, markToMarket: -164.31 },
      central: { ...central, markToMarket: -138.82 },
      optimistic: { ...optimistic, markToMarket: -155.65 },
    };
    expect(htmlReport({ ...result, total }, library)).toContain('<b>−138.82</b><span>−164.31 … −138.82</span>');
  });

  test('says of orders that had no answer how many they are', () => {
    const { orders } = sampleResult(1);
    const cut = { ...orders, unanswered: 5 };
    expect(htmlReport(sampleResult(1, { orders: cut }), library)).toContain('5 orders sent had no answer');
    expect(htmlReport(sampleResult(1), library)).not.toContain('had no answer');
  });

  test('names the currency', () => {
    const page = htmlReport(sampleResult(1, { currency: 'AUD' }), library);
    expect(page).toContain('Net profit over time <span class="soft">AUD</span>');
  });

  test('allows its own script and style by their hash, and has no styles or handlers in its tags', () => {
    const page = htmlReport(sampleResult(3), library);
    const policy = /content="(default-src [^"]*)"/.exec(page)?.[1]?.replaceAll('&#39;', "'");
    expect(policy).toMatch(/script-src 'sha256-[\w+/=]{44}'; style-src 'sha256-[\w+/=]{44}'/);
    expect(policy).not.toContain('unsafe-inline');
    const tags = page.replaceAll(/<(script|style)[^>]*>[\s\S]*?<\/\1>/g, '').match(/<[a-z][^>]*>/g) ?? [];
    expect(tags.filter((tag) => /\s(style|on\w+)=/.test(tag))).toEqual([]);
  });

  test('keeps first, last and extreme points of a long curve', () => {
    const { curve } = sampleResult(20_000);
    const spike = curve.map((point, index) => (index === 12_345 ? { ...point, central: 1e6 } : point));
    const drawn = drawnPoints(spike);
    const indices = drawn.map(({ index }) => index);
    expect(drawn.length).toBeLessThanOrEqual(4002);
    expect(drawn.map(({ point }) => point.central)).toContain(1e6);
    expect([indices[0], indices.at(-1)]).toEqual([0, 19_999]);
    expect(indices.toSorted((a, b) => a - b)).toEqual(indices);
  });
});

describe('luck and skill in the report', () => {
  const page = htmlReport(sampleResult(8), library);

  test('has each figure with what it says and does not say, and the tables', () => {
    expect(page.match(/<summary>What this says and does not say<\/summary>/g)).toHaveLength(10);
    expect(page).toContain('+35.30: who won helped');
    expect(page).toContain('<td>Last price before the off</td><td>412</td>');
    expect(page).toContain('<td class="why" colspan="4">No bet has a closing price.</td>');
    expect(page).toContain('<td><b>0.030</b></td>');
    expect(page).toContain('Brier score 0.0020 better than that of closing prices (95 %: −0.0020 … +0.0060).');
    expect(page).toContain('Luck leaves out 2 markets: the market has no result.');
  });

  test('says where nothing was matched that there is nothing to judge', () => {
    expect(htmlReport(sampleResult(0), library)).toContain('Nothing was matched: there is nothing to judge.');
  });
});

describeWithBrowser('the report in a browser', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(() => browser.close());

  test.each([0, 1, 60, 2000])('draws %i markets without an error or a request', async (markets) => {
    const { page, complaints } = await open(browser, sampleResult(markets));
    expect(complaints).toEqual([]);
    expect(await page.locator('#markets tbody tr').count()).toBe(Math.min(markets, 200));
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    expect(await inkOnCanvas(page)).toBe(markets > 0);
    await page.close();
  });

  test('does not run what names contain', async () => {
    const { page, complaints } = await open(browser, hostile());
    expect(await page.evaluate('window.hit')).toBeUndefined();
    expect(await page.locator('h1').textContent()).toBe(HOSTILE);
    await page.locator('#markets .open').click();
    await page.locator('#orders .open').click();
    expect(await page.locator('.life').textContent()).toContain(HOSTILE);
    expect(await page.evaluate('window.hit')).toBeUndefined();
    expect(complaints).toEqual([]);
    await page.close();
  });

  test('sorts the table by a clicked column, first the largest, then the smallest', async () => {
    const { page } = await open(browser, sampleResult(30));
    const profits = (): Promise<number[]> =>
      page
        .locator('#markets tbody tr td:nth-child(2)')
        .evaluateAll((cells) => cells.map((cell) => Number(cell.textContent.replace('−', '-').replaceAll(',', ''))));
    const head = page.locator('#markets th button', { hasText: 'Net profit' });
    const unsorted = await profits();
    await head.click();
    const falling = [...unsorted].sort((a, b) => b - a);
    expect(await profits()).toEqual(falling);
    expect(unsorted).not.toEqual(falling);
    await head.click();
    expect(await profits()).toEqual(falling.toReversed());
    await page.close();
  });

  test('shows more of many markets when asked, and says of a voided one that it is', async () => {
    const many = sampleResult(450);
    const byMarket = many.byMarket.map((market) => ({ ...market, status: 'Voided' as const }));
    const { page } = await open(browser, { ...many, byMarket });
    await page.getByRole('button', { name: 'Show 200 more of 250' }).click();
    await page.getByRole('button', { name: 'Show 50 more of 50' }).click();
    expect(await page.locator('#markets tbody tr').count()).toBe(450);
    expect(await page.locator('#markets tbody tr').first().textContent()).toContain('Voided');
    expect(await page.locator('#markets th[title]').count()).toBe(10);
    expect(await page.locator('#markets thead').textContent()).toContain('Settled, UTC');
    await page.close();
  });

  test('finds markets by name', async () => {
    const { page } = await open(browser, sampleResult(24));
    await page.locator('#search').fill('kempton');
    const shown = await page.locator('#markets tbody tr:visible').allTextContents();
    expect(shown).toHaveLength(3);
    for (const row of shown) expect(row).toContain('Kempton');
    await page.close();
  });

  test('redraws by market and in the dark', async () => {
    const { page, complaints } = await open(browser, sampleResult(30));
    await page.getByRole('button', { name: 'by market', exact: true }).click();
    expect(await inkOnCanvas(page)).toBe(true);
    await page.emulateMedia({ colorScheme: 'dark' });
    expect(await inkOnCanvas(page)).toBe(true);
    await page.locator('#profit .u-over').first().hover();
    expect(await page.locator('#legend').textContent()).toMatch(/after \d+ markets pessimistic [+−]\d/);
    expect(complaints).toEqual([]);
    await page.close();
  });

  test('fits a phone, with everything unfolded and a market opened as well', async () => {
    const result = sampleResult(30);
    const ids = result.byMarket.map(({ id }) => id);
    const rows = { orderRows: ids.map((id, at) => order(at, id)), fillRows: ids.map((id, at) => fill(at, id)) };
    const { page, complaints } = await open(browser, { ...result, ...rows }, { width: 360, height: 740 });
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360);
    await page.locator('#markets .open').first().click();
    await page.locator('#orders').waitFor();
    for (const summary of await page.locator('summary').all()) await summary.click();
    await page.locator('#all-orders').waitFor();
    await page.locator('#fills').waitFor();
    expect(await page.locator('#all-orders tbody tr').count()).toBe(30);
    expect(await page.locator('#fills tbody tr').count()).toBe(1);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360);
    expect(complaints).toEqual([]);
    await page.close();
  });

  test.each([
    ['far apart', withNet({ pessimistic: -55.15, central: -20, optimistic: 16.29 })],
    ['all but equal', withNet({ pessimistic: -1_234.5, central: -1_234.49, optimistic: -1_234.48 })],
    ['beside zero', withNet({ pessimistic: -0.02, central: 0.01, optimistic: 987.65 })],
    ['zero itself', withNet({ pessimistic: 0, central: 0, optimistic: 0 })],
    ['out of order, all five', withAllBounds(withNet({ pessimistic: 3, central: -2, optimistic: 1 }))],
  ])('each figure of the interval stands at its mark: %s', async (_, result) => {
    for (const width of [1400, 1024, 390]) {
      const { page, complaints } = await open(browser, result, { width, height: 844 });
      const room = await page.locator('.range').boundingBox();
      const { left = 0, right = 0 } = room === null ? {} : { left: room.x, right: room.x + room.width };
      for (const row of ['word', 'number']) {
        const labels: LabelAtMark[] = await page.evaluate(`(${LABELS})('${row}')`);
        expect(labels.length).toBeGreaterThanOrEqual(3);
        for (const [index, label] of labels.entries()) {
          // The line begins at the mark and ends at the label.
          expect(Math.abs(label.lineStart - label.mark)).toBeLessThan(1);
          expect(Math.abs(label.lineEnd - (label.left + label.right) / 2)).toBeLessThan(1);
          expect(label.left).toBeGreaterThanOrEqual(left - 1);
          expect(label.right).toBeLessThanOrEqual(right + 1);
          const next = labels[index + 1];
          if (next !== undefined) {
            expect(label.right).toBeLessThan(next.left);
            expect(label.mark).toBeLessThanOrEqual(next.mark);
          }
          const half = (label.right - label.left) / 2 + 5;
          const [before, after] = [labels[index - 1]?.mark ?? left - half, next?.mark ?? right + half];
          const isFree =
            label.mark - before > 90 &&
            after - label.mark > 90 &&
            label.mark - half > left &&
            label.mark + half < right;
          if (isFree) expect(Math.abs(label.lineEnd - label.mark)).toBeLessThan(1);
        }
      }
      const bottom = (await page.locator('.range').boundingBox()) ?? expect.fail();
      expect(bottom.y + bottom.height).toBeLessThan(844);
      expect(complaints).toEqual([]);
      await page.close();
    }
  });

  test('fits a phone with the extremes and what comes back as well, each named', async () => {
    const { page } = await open(browser, withAllBounds(sampleResult(30)), { width: 360, height: 740 });
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360);
    const first = await page.innerText('#result');
    for (const words of ['last in every queue', 'first in every queue', 'If what was taken comes back'])
      expect(first).toContain(words);
    expect(await page.innerText('#legend')).toContain('from lowest to highest');
    await page.close();
  });
});

interface LabelAtMark {
  readonly left: number;
  readonly right: number;
  readonly mark: number;
  readonly lineStart: number;
  readonly lineEnd: number;
}

/** The labels of a row from left to right, in pixels of the page. */
const LABELS = `(row) => [...document.querySelectorAll('.range text.' + row)]
  .map((label) => {
    const line = label.previousElementSibling;
    const svg = document.querySelector('.range').getBoundingClientRect();
    const { left, right } = label.getBoundingClientRect();
    const mark = label.parentElement.querySelector('rect').getBoundingClientRect();
    const [lineStart, lineEnd] = [svg.left + line.x1.baseVal.value, svg.left + line.x2.baseVal.value];
    return { left, right, mark: (mark.left + mark.right) / 2, lineStart, lineEnd };
  })
  .sort((a, b) => a.left - b.left)`;

/** Net profits with the same everything else. */
function withNet(nets: Readonly<Record<'pessimistic' | 'central' | 'optimistic', number>>): BacktestResult {
  const result = sampleResult(3);
  return {
    ...result,
    total: mapBounds(result.total, (profit, bound) => ({ ...profit, profitNet: nets[bound as keyof typeof nets] })),
  };
}

function withAllBounds(result: BacktestResult): BacktestResult {
  const { pessimistic, central, optimistic } = result.total;
  const [lowest, highest] = [
    { ...pessimistic, profitNet: pessimistic.profitNet - 1234.56 },
    { ...optimistic, profitNet: optimistic.profitNet + 1234.56 },
  ];
  const total = { ...result.total, lowest, highest, refilled: { ...central, profitNet: central.profitNet + 1 } };
  const curve = result.curve.map((point) => ({
    ...point,
    lowest: point.pessimistic - 40,
    highest: point.optimistic + 40,
  }));
  return { ...result, total, curve };
}

async function open(
  browser: Browser,
  result: BacktestResult,
  viewport = { width: 1100, height: 900 },
): Promise<{ readonly page: Page; readonly complaints: readonly string[] }> {
  const page = await browser.newPage({ viewport });
  const complaints: string[] = [];
  page.on('console', (message) => complaints.push(`console ${message.type()}: ${message.text()}`));
  page.on('pageerror', (error) => complaints.push(`error: ${error.message}`));
  page.on('request', (request) => {
    if (!request.url().startsWith('data:')) complaints.push(`request: ${request.url()}`);
  });
  await page.setContent(htmlReport(result, library), { waitUntil: 'load' });
  if (result.byMarket.length > 0) await page.locator('#markets').waitFor();
  return { page, complaints };
}

/** Whether anything was drawn; read from a copy, because reading a canvas twice makes Chromium complain. */
function inkOnCanvas(page: Page): Promise<boolean> {
  return page.evaluate(`(() => {
    const canvas = document.querySelector('#profit canvas');
    if (canvas === null) return false;
    const copy = Object.assign(document.createElement('canvas'), { width: canvas.width, height: canvas.height });
    const context = copy.getContext('2d', { willReadFrequently: true });
    context.drawImage(canvas, 0, 0);
    return context.getImageData(0, 0, copy.width, copy.height).data.some((value) => value !== 0);
  })()`);
}

function hostile(): BacktestResult {
  const one = sampleResult(1);
  return {
    ...one,
    strategies: [{ timerCalls: 0, name: HOSTILE, file: HOSTILE, params: { [HOSTILE]: HOSTILE } }],
    byMarket: one.byMarket.map((market) => ({ ...market, id: HOSTILE, name: HOSTILE, eventName: HOSTILE })),
    curve: one.curve.map((point) => ({ ...point, market: HOSTILE })),
    leftOut: [{ id: HOSTILE, name: HOSTILE, reason: HOSTILE }],
    warnings: [HOSTILE],
    tapes: [{ path: HOSTILE, sha256: HOSTILE, grade: 'A', generated: HOSTILE }],
    wallets: [{ name: HOSTILE, currency: HOSTILE }],
    settings: [{ name: HOSTILE, value: HOSTILE }],
    rejections: { [HOSTILE]: 1 },
    orderRows: [order(1, HOSTILE, { outcomeTitle: HOSTILE, strategy: HOSTILE, reason: HOSTILE, note: HOSTILE })],
    fillRows: [fill(1, HOSTILE, { outcomeTitle: HOSTILE })],
  };
}

test('a yield is that of settled stake alone', () => {
  const sample = sampleResult(3);
  const byMarket = sample.byMarket.map(({ settledAt, ...market }, at) =>
    at === 0 ? { ...market, settledAt: 1 } : market,
  );
  const [settled] = byMarket;
  const { profitNet, stakeMatched } = settled?.profit.central ?? expect.fail();
  const total = mapBounds(sample.total, (all) => ({ ...all, profitNet }));
  const page = htmlReport({ ...sample, byMarket, total }, library);
  expect(page).toContain(`<span>Yield on stake</span><b>${percent(profitNet / stakeMatched)}</b>`);
  const open = sample.byMarket.map(({ settledAt: _, ...market }) => market);
  expect(htmlReport({ ...sample, byMarket: open }, library)).toContain(
    '<span>Yield on stake</span><b>–</b><span>nothing settled</span>',
  );
});
