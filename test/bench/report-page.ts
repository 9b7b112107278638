/**
 * A report of 100,000 fills in Chromium: how large its file is, when it is first painted, how long a frame takes while its largest market is moved.
 * `node --conditions=oddsmith-source test/bench/report-page.ts`; figures depend on the machine and its load, so that no test asserts them.
 */

import { rmSync, statSync } from 'node:fs';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Page } from 'playwright-core';
import { writeRunFiles } from '../../src/app/output/run-files.ts';
import { decimalOfTick, type Tick } from '../../src/core/number/ladder.ts';
import { Random } from '../../src/core/number/random.ts';
import type { MarketPrices } from '../../src/result/market-prices.ts';
import type { BacktestResult, FillRow, MarketResult, OrderRow } from '../../src/result/result.ts';
import { sampleResult } from '../report/sample-result.ts';
import { launchBrowser } from '../support/browser.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const FILLS = 100_000;
/** One market has half of them: moving it is the hardest that a page can be asked to do. */
const LARGEST = FILLS / 2;
const OTHERS = 49;
const START = Date.UTC(2026, 2, 14, 10);

interface MadeRows {
  readonly orders: OrderRow[];
  readonly fills: FillRow[];
  readonly prices: MarketPrices[];
}

function madeResult(): BacktestResult {
  const random = Random.fromSeed(1);
  const base = sampleResult(OTHERS + 1);
  const rows: MadeRows = { orders: [], fills: [], prices: [] };
  const byMarket = base.byMarket.map((market, index) => {
    const count = index === 0 ? LARGEST : Math.floor((FILLS - LARGEST) / OTHERS);
    const outcomes = ['1', '2', '3'].map((id) => ({ id, title: `Outcome ${id}` }));
    madeMarket(market, count, random, rows);
    return { ...market, outcomes, orders: count, settledAt: START + 3 * 3_600_000 + index * 60_000 };
  });
  const curve = base.curve.map((point, index) => ({ ...point, at: START + 3 * 3_600_000 + index * 60_000 }));
  const orders = { ...base.orders, intended: FILLS, sent: FILLS, accepted: FILLS };
  return { ...base, byMarket, curve, orders, orderRows: rows.orders, fillRows: rows.fills, prices: rows.prices };
}

/** Orders every few hundred milliseconds around a wandering price, each of them filled after a while. */
function madeMarket(market: MarketResult, count: number, random: Random, { orders, fills, prices }: MadeRows): void {
  let tick = 150;
  let at = START;
  const stretches = 240;
  const columns = {
    backLow: new Int16Array(stretches),
    backHigh: new Int16Array(stretches),
    layLow: new Int16Array(stretches),
    layHigh: new Int16Array(stretches),
  };
  const stepMs = (3 * 3_600_000) / count;
  for (let index = 0; index < count; index += 1) {
    at += Math.round(stepMs * (0.5 + random.uniform()));
    tick = Math.max(20, Math.min(300, tick + Math.floor(random.uniform() * 3) - 1));
    const side = random.uniform() < 0.5 ? 'For' : 'Against';
    const price = decimalOfTick(tick as Tick);
    const stake = Math.round(200 + random.uniform() * 800) / 100;
    const id = orders.length + 1;
    const place = { marketId: market.id, outcomeId: '1', outcomeTitle: 'Outcome 1', side } as const;
    const filledAt = at + Math.round(random.uniform() * 9000);
    orders.push(
      madeOrder({ ...place, id, price, stake, decidedAt: at, endedAt: filledAt }, { random, tick, name: market.name }),
    );
    fills.push({
      ...place,
      run: 1,
      flow: 'central',
      order: id,
      price,
      stake,
      at: filledAt,
      lastPriceAfter10s: price,
      lastPriceAfter60s: decimalOfTick((tick + 2) as Tick),
    });
    const stretch = Math.min(stretches - 1, Math.floor((index * stretches) / count));
    columns.backLow[stretch] = tick - 2;
    columns.backHigh[stretch] = tick;
    columns.layLow[stretch] = tick + 1;
    columns.layHigh[stretch] = tick + 3;
  }
  prices.push({
    marketId: market.id,
    startAt: START,
    stretchMs: (3 * 3_600_000) / stretches,
    outcomes: [{ outcomeId: '1', ...columns }],
    states: [{ at: START, suspended: false, inPlay: false, inPlayDelayMs: 0 }],
  });
}

type OrderTerms = Pick<
  OrderRow,
  'marketId' | 'outcomeId' | 'outcomeTitle' | 'side' | 'id' | 'price' | 'stake' | 'decidedAt' | 'endedAt'
>;

/** Matched whole after a while; one in ten has a note. */
function madeOrder(
  terms: OrderTerms,
  { random, tick, name }: { readonly random: Random; readonly tick: number; readonly name: string },
): OrderRow {
  const { price, stake, side, decidedAt, id } = terms;
  return {
    ...terms,
    run: 1,
    flow: 'central',
    strategy: 'made',
    marketName: name,
    arrivedAt: decidedAt + 120,
    status: 'Won',
    stakeMatched: stake,
    averagePrice: price,
    profit: side === 'For' ? -stake : stake,
    queueAhead: Math.round(random.uniform() * 20_000) / 100,
    bestFor: decimalOfTick((tick + 1) as Tick),
    bestAgainst: price,
    ...(id % 10 === 0 ? { note: `fair ${(price * (0.95 + random.uniform() * 0.1)).toFixed(2)}` } : {}),
  };
}

/** Milliseconds between the frames of two seconds, while what is shown moves a little before each. */
const MOVED = `new Promise((resolve) => {
  const chart = document.querySelector('#market .u-over');
  const frames = [];
  const work = [];
  let before = 0;
  const fire = (type, clientX) => (type === 'mousedown' ? chart : window).dispatchEvent(new MouseEvent(type, { clientX, shiftKey: true, button: 0, bubbles: true }));
  let x = 600;
  fire('mousedown', x);
  const frame = (now) => {
    if (before > 0) frames.push(now - before);
    before = now;
    x += frames.length % 60 < 30 ? -6 : 6;
    const began = performance.now();
    fire('mousemove', x);
    // The chart draws in a microtask.
    queueMicrotask(() => queueMicrotask(() => work.push(performance.now() - began)));
    if (frames.length < 120) requestAnimationFrame(frame);
    else { fire('mouseup', x); resolve([frames, work]); }
  };
  requestAnimationFrame(frame);
})`;

/** The same of a page that changes one colour: what this machine gives a page at the moment. */
const STILL = `new Promise((resolve) => {
  const frames = [];
  let before = 0;
  const frame = (now) => {
    if (before > 0) frames.push(now - before);
    before = now;
    document.body.style.background = frames.length % 2 === 0 ? '#fff' : '#eee';
    if (frames.length < 120) requestAnimationFrame(frame);
    else resolve(frames);
  };
  requestAnimationFrame(frame);
})`;

async function measure(page: Page, file: string): Promise<void> {
  await page.setContent('<body>empty</body>');
  const busy = await busyClock(page);
  const beforeEmpty = await busy();
  const empty: number[] = await page.evaluate(STILL);
  console.log(
    `an empty page on this machine now: frames ${spread(empty)}; processor time of its thread ${(((await busy()) - beforeEmpty) / empty.length).toFixed(1)} ms a frame`,
  );
  await page.goto(pathToFileURL(file).href);
  await page.locator('#markets').waitFor();
  const paint = await page.evaluate("performance.getEntriesByName('first-contentful-paint')[0].startTime");
  const ready = await page.evaluate('performance.now()');
  console.log(`first paint ${Number(paint).toFixed(0)} ms, all of it drawn ${Number(ready).toFixed(0)} ms`);
  await page.locator('#markets .open').first().click();
  await page.locator('#market canvas').first().waitFor();
  await page.getByRole('button', { name: 'Zoom in' }).click();
  const before = await busy();
  const [frames, work]: [number[], number[]] = await page.evaluate(MOVED);
  const perFrame = ((await busy()) - before) / frames.length;
  console.log(`moving a market of ${LARGEST} fills: frames ${spread(frames)}`);
  console.log(
    `  of it the page's own work ${spread(work)}; processor time of its thread ${perFrame.toFixed(1)} ms a frame`,
  );
}

/** Processor time that the page's thread has used, ms: what other processes take from it is not counted. */
async function busyClock(page: Page): Promise<() => Promise<number>> {
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  return async () => {
    const { metrics } = await session.send('Performance.getMetrics');
    return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0) * 1000;
  };
}

function spread(times: readonly number[]): string {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number): string => (sorted[Math.floor(sorted.length * share)] ?? 0).toFixed(1);
  return `median ${at(0.5)} ms, 95 % below ${at(0.95)} ms`;
}

const out = temporaryDirectory('report-page');
const started = performance.now();
const { directory } = writeRunFiles(madeResult(), { out, prefix: 'made', rows: false, more: [] });
console.log(
  `load ${loadavg()[0]?.toFixed(1)}; made and written in ${((performance.now() - started) / 1000).toFixed(1)} s`,
);
for (const name of ['report.html', 'report-data.gz'])
  console.log(`${name} ${(statSync(join(directory, name)).size / 1e6).toFixed(2)} MB`);
const browser = await launchBrowser();
try {
  await measure(await browser.newPage({ viewport: { width: 1400, height: 900 } }), join(directory, 'report.html'));
} finally {
  await browser.close();
  rmSync(out, { recursive: true });
}
