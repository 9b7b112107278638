/**
 * What the dashboard costs a run that follows 200 markets with 5 updates a second each, and whether its page stays quick and
 * memory flat: `npm run soak:dashboard -- --minutes 10`. Two runs follow the same markets at the same time; the page of one is
 * open for all of it, and nobody looks at the other, which shows what a run costs by itself. Whether memory grows is judged over
 * the last so many minutes: in those before (`--warm-up`), code is still compiled and rooms are touched for the first time. Ends
 * with 1 and says what is wrong where a limit is broken.
 */

import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pass } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { Browser, Page } from 'playwright-core';
import { stringify } from 'yaml';
import { launchBrowser } from '../browser.ts';
import { streamText } from '../made-stream.ts';
import { builtCommand, startProcess } from '../running-command.ts';
import { type Course, courseOf, growing, mean, quantile, rounded } from './course.ts';
import { cpuMs } from './sampler.ts';
import type { Point } from './slope.ts';

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    'warm-up': { type: 'string', default: '5' },
    markets: { type: 'string', default: '200' },
    json: { type: 'boolean', default: false },
  },
});
const minutes = Number(values.minutes);
const warmUp = Number(values['warm-up']);
const markets = Number(values.markets);
const EVERY_MS = 200;
const WINDOW_MS = 15_000;
/** What a reader goes through while a window is open. */
const PAGES = ['now', 'markets', 'market', 'orders', 'record'] as const;
/** What is there once it is shown. */
const SHOWS: Readonly<Record<(typeof PAGES)[number], string>> = {
  now: '.bars',
  markets: '#markets tbody tr',
  market: '.ladder tbody tr',
  orders: '.orders tbody tr',
  record: 'div.filter',
};
const OPEN_FIRST = "document.querySelector('#markets tbody a').click()";
const PATIENCE_MS = 240_000;
/** Limits: of the mean difference between the two runs, of the median frame, and of each page that is turned to. */
const CORE_PERCENT_MOST = 5;
const FRAME_MS_MOST = 20;
const TURN_MS_MOST = 4_000;

/** One order in each market that rests until the end, so that ladders and lists have own orders in them. */
const STRATEGY = `import { back, defineStrategy } from 'oddsmith';
export default defineStrategy({
  name: 'rester',
  params: {},
  decide({ market, orders }) {
    const [outcome] = market.outcomes;
    return !market.tradable || outcome === undefined || orders.length > 0 ? [] : [back(outcome, { stake: 2, price: 1000 })];
  },
});
`;

const FRAMES = `new Promise((resolve) => {
  const gaps = [];
  const begun = performance.now();
  let last = begun;
  const frame = (now) => {
    gaps.push(now - last);
    last = now;
    if (now - begun < 2000) requestAnimationFrame(frame);
    else resolve(gaps.slice(1));
  };
  requestAnimationFrame(frame);
})`;

/** One of the two runs. */
interface Twin {
  readonly dir: string;
  readonly pid: number;
  readonly heapFile: string;
  /** `note`: the warnings and worse that it has logged. */
  readonly said: { readonly note: string };
}

interface Window {
  /** Shares of a core that the two took in it. */
  readonly watched: number;
  readonly alone: number;
}

interface Measured {
  /** When the warm-up had ended, ms UTC. */
  readonly warmAt: number;
  readonly windows: readonly Window[];
  readonly frames: readonly number[];
  /** How long it took from a click until the next page was there, ms. */
  readonly turns: readonly number[];
  readonly loads: readonly number[];
  readonly pageHeap: readonly Point[];
  readonly loadBefore: readonly number[];
  /** A second, as the run recorded them. */
  readonly updates: number;
  readonly watched: readonly Collected[];
  readonly alone: readonly Collected[];
}

/** What a run has left after a collection of garbage, MB. */
interface Collected {
  readonly at: number;
  readonly heap: number;
  readonly external: number;
  readonly rss: number;
  /** Of it what is not mapped from files, which the system takes back when it needs it. */
  readonly anonymous: number;
}

/** Asked for once: sources may change while it runs. */
const COMMAND = builtCommand([]);
const directory = mkdtempSync(join(tmpdir(), 'oddsmith-dashboard-load-'));
const children: { kill(signal?: NodeJS.Signals): void; readonly ended: Promise<unknown> }[] = [];
try {
  const report = await measured();
  process.stdout.write(values.json ? `${JSON.stringify(report)}\n` : `${stringify(report)}`);
  if (report.troubles.length > 0) process.exitCode = 1;
} finally {
  for (const child of children) child.kill('SIGTERM');
  await Promise.all(children.map(({ ended }) => ended));
  rmSync(directory, { recursive: true, force: true });
}

async function measured(): Promise<Report> {
  const sandbox = start(['sandbox', '--port', '0', '--memory', '--tape', madeTape(), '--json']);
  await sandbox.until(/\}\s*$/, PATIENCE_MS);
  const place = JSON.parse(sandbox.said.out);
  writeFileSync(join(directory, 'rester.ts'), STRATEGY);
  const other = await otherApp(place);
  const watched = twin('watched', { ...place });
  const alone = twin('alone', { ...place, ...other });
  await followed(watched);
  await followed(alone);
  const browser = await launchBrowser(['--enable-precise-memory-info']);
  try {
    return summary(await looked(browser, { watched, alone }));
  } catch (error) {
    process.stderr.write(`the run whose page is open said:\n${watched.said.note.slice(-4_000)}\n`);
    throw error;
  } finally {
    await browser.close();
  }
}

/** An app of its own for the second run, so that neither sees the other's orders. */
async function otherApp({ url, controlKey }: { readonly url: string; readonly controlKey: string }): Promise<object> {
  const post = async (path: string, body: object) => {
    const headers = { authorization: `Bearer ${controlKey}`, 'content-type': 'application/json' };
    const answer = await fetch(`${url}/control${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
    if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`);
    return Object(await answer.json());
  };
  const { id: appId } = await post('/apps', { name: 'alone' });
  const { secret: apiKey } = await post(`/apps/${appId}/keys`, {});
  const balances = [{ currencyId: 'USDC', balance: 10_000 }];
  const { id: walletId } = await post(`/apps/${appId}/wallets`, { balances });
  return { appId, apiKey, walletId };
}

/** A run that follows all markets, and has an order in each. */
function twin(name: string, place: Readonly<Record<string, string>>): Twin {
  const { url, streamUrl, appId, apiKey, walletId } = place;
  const dir = join(directory, name);
  const config = join(directory, `${name}.yaml`);
  const feeds = { prices: { mode: 'stream', rereadMs: 10_000 }, markets: { mode: 'poll', everyMs: 5_000 } };
  const limits = { ordersPerSecond: 50, wallet: 9_000, market: 100, liveOrders: 1_000 };
  const freshness = { markets: 60_000, prices: 60_000, orders: 60_000, wallets: 60_000 };
  const exchange = { url, streamUrl, appId, apiKey };
  const wallets = { main: { id: walletId } };
  const rest = { record: true, heartbeat: 'none', dashboard: { port: 0 }, dir };
  writeFileSync(
    config,
    stringify({ exchange, strategies: [{ file: 'rester.ts' }], wallets, feeds, freshness, limits, ...rest }),
  );
  const heapFile = join(directory, `${name}.heap`);
  const daemon = start(['run', config, '--json', '--log-level', 'warn'], {
    NODE_OPTIONS: `--import=${new URL('thread-heap.mjs', import.meta.url).href}`,
    ODDSMITH_THREAD_HEAP: heapFile,
  });
  return { dir, pid: daemon.pid, heapFile, said: daemon.said };
}

/** One page, never loaded anew, goes through all pages of the dashboard. */
async function looked(browser: Browser, { watched, alone }: Readonly<Record<'watched' | 'alone', Twin>>) {
  const page = await browser.newPage({ viewport: { width: 1_400, height: 900 } });
  await page.goto(newLink(watched));
  await shown(page, '.card');
  const windows: Window[] = [];
  const frames: number[] = [];
  const turns: number[] = [];
  const loads: number[] = [];
  const pageHeap: Point[] = [];
  const loadBefore = loadavg();
  const received = receivedUpdates(watched);
  const begun = Date.now();
  const warmAt = begun + warmUp * 60_000;
  while (Date.now() < warmAt + minutes * 60_000) {
    const name = PAGES[windows.length % PAGES.length] ?? 'now';
    turns.push(await turnTo(page, name));
    windows.push(await windowOf(watched, alone));
    frames.push(...(await framesOf(page)));
    if (Date.now() >= warmAt) pageHeap.push({ at: Date.now(), value: await heapOf(page) });
    const said = /takes ([\d.]+) %/.exec(await page.innerText('footer'))?.[1];
    if (said !== undefined) loads.push(Number(said));
  }
  const updates = ((receivedUpdates(watched) - received) * 1_000) / (Date.now() - begun);
  const collected = (run: Twin) => collectedOf(run).filter(({ at }) => at >= begun);
  return {
    ...{ warmAt, windows, frames, turns, loads, pageHeap, loadBefore, updates },
    ...{ watched: collected(watched), alone: collected(alone) },
  };
}

function madeTape(): string {
  const recordings = join(directory, 'recordings');
  execFileSync('mkdir', ['-p', recordings]);
  const updates = Math.ceil(((warmUp + minutes + 6) * 60_000) / EVERY_MS);
  for (let market = 0; market < markets; market += 1) {
    const name = `1.2${String(market).padStart(8, '0')}`;
    writeFileSync(
      join(recordings, name),
      streamText({ updates, market: name, everyMs: EVERY_MS, startAt: 1_700_000_000_000 + market }),
    );
  }
  const tape = join(directory, 'load.tape');
  const [program = '', ...words] = [...COMMAND, 'import', 'betfair', recordings, '--tape', tape, '--jobs', '2'];
  execFileSync(program, words, { cwd: directory, stdio: 'ignore' });
  rmSync(recordings, { recursive: true });
  return tape;
}

function start(words: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const child = startProcess([...COMMAND, ...words], { cwd: directory, env });
  children.push(child);
  return child;
}

/** Until it follows all markets and has an order in most. */
async function followed({ dir, pid }: Twin): Promise<void> {
  const begun = Date.now();
  for (;;) {
    const status = ask(['status', '--dir', dir, '--json']);
    if (status?.markets >= markets && status.orders.live >= markets * 0.9) return;
    if (Date.now() - begun > PATIENCE_MS)
      throw new Error(`process ${pid} has ${JSON.stringify(status?.orders)} in ${status?.markets} markets`);
    await pass(2_000);
  }
}

// biome-ignore lint/suspicious/noExplicitAny: what the command prints
function ask(words: readonly string[]): any {
  const [program = '', ...rest] = [...COMMAND, ...words];
  try {
    return JSON.parse(execFileSync(program, rest, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }));
  } catch {
    return undefined;
  }
}

/** What the run has recorded so far: every update that it received. */
function receivedUpdates({ dir }: Twin): number {
  const tapes = join(dir, 'tapes');
  return readdirSync(tapes).reduce((sum, name) => {
    const info = ask(['tape', 'info', join(tapes, name), '--json']);
    const found = info?.tapes[0].markets ?? [];
    return found.reduce((total: number, market: { readonly updates: number }) => total + market.updates, sum);
  }, 0);
}

function newLink({ dir }: Twin): string {
  return ask(['dashboard', 'link', '--dir', dir, '--json']).url;
}

/** By the page's own links, as a person does; the time until its content is there. */
async function turnTo(page: Page, name: (typeof PAGES)[number]): Promise<number> {
  if (name === 'market') {
    await page.evaluate("location.hash = '#/markets'");
    await shown(page, '#markets tbody a');
  }
  const begun = performance.now();
  await page.evaluate(name === 'market' ? OPEN_FIRST : `location.hash = '#/${name}'`);
  await shown(page, SHOWS[name]);
  return performance.now() - begun;
}

/** Takes no handle of what it waits for: that would keep whole tables alive, and be measured as the page's memory. */
async function shown(page: Page, selector: string): Promise<void> {
  try {
    await page.locator(selector).first().waitFor();
  } catch (cause) {
    throw new Error(`${page.url()} does not show ${selector}, but:\n${await page.innerText('body')}`, { cause });
  }
}

async function windowOf(watched: Twin, alone: Twin): Promise<Window> {
  const [first, second, begun] = [cpuMs(watched.pid), cpuMs(alone.pid), performance.now()];
  await pass(WINDOW_MS);
  const took = performance.now() - begun;
  return { watched: (cpuMs(watched.pid) - first) / took, alone: (cpuMs(alone.pid) - second) / took };
}

/** How far apart frames are while the page is fed, over two seconds. */
function framesOf(page: Page): Promise<readonly number[]> {
  return page.evaluate(FRAMES);
}

/** The page's heap after a collection, MB. */
async function heapOf(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page);
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  await session.detach();
  return usedSize / 1e6;
}

function collectedOf({ heapFile }: Twin): readonly Collected[] {
  const lines = readFileSync(heapFile, 'utf8').trim().split('\n');
  return lines.map((line) => {
    const [at = 0, heap = 0, external = 0, rss = 0, anonymous = 0] = line.split(' ').map(Number);
    return { at, heap: heap / 1e6, external: external / 1e6, rss: rss / 1e6, anonymous: anonymous / 1e6 };
  });
}

interface Report {
  /** Empty where all limits are kept. */
  readonly troubles: readonly string[];
  readonly [name: string]: unknown;
}

function summary(measured: Measured): Report {
  const { warmAt, windows, frames, turns, loads, pageHeap, loadBefore, updates, watched, alone } = measured;
  const percent = (of: (window: Window) => number) => windows.map((window) => of(window) * 100);
  const pairs = percent((window) => window.watched - window.alone);
  const memory = { withPage: memoryOf(watched, warmAt), without: memoryOf(alone, warmAt) };
  return {
    markets,
    updatesPerSecond: { played: (markets * 1_000) / EVERY_MS, received: rounded(updates) },
    minutes: { warmUp, measured: minutes },
    loadAverage: { before: loadBefore.map(rounded), after: loadavg().map(rounded) },
    daemonPercentOfCore: {
      withPage: rounded(mean(percent((window) => window.watched))),
      without: rounded(mean(percent((window) => window.alone))),
      difference: rounded(mean(pairs)),
      medianOfPairs: rounded(quantile(pairs, 0.5)),
      pairs: pairs.length,
      saidByItself: rounded(mean(loads)),
    },
    daemonMegabytes: memory,
    daemonMegabytesByMinute: { withPage: byMinute(watched), without: byMinute(alone) },
    pageMegabytes: courseOf(pageHeap),
    frameMs: { median: rounded(quantile(frames, 0.5)), p95: rounded(quantile(frames, 0.95)), frames: frames.length },
    turnMs: { median: rounded(quantile(turns, 0.5)), most: rounded(Math.max(...turns)), turns: turns.length },
    troubles: [
      ...(mean(pairs) <= CORE_PERCENT_MOST ? [] : [`a page takes more than ${CORE_PERCENT_MOST} % of a core`]),
      ...(quantile(frames, 0.5) <= FRAME_MS_MOST ? [] : [`the median frame takes more than ${FRAME_MS_MOST} ms`]),
      ...(Math.max(...turns) <= TURN_MS_MOST ? [] : [`a page took more than ${TURN_MS_MOST} ms to come`]),
      ...growing('the run with a page', memory.withPage.rss),
      ...growing('the run without', memory.without.rss),
      ...growing('the page', courseOf(pageHeap)),
    ],
  };
}

/** After collections: what the process has, what its heap holds, what lies outside of it. */
function memoryOf(
  collected: readonly Collected[],
  warmAt: number,
): Readonly<Record<'rss' | 'anonymous' | 'heap' | 'external', Course>> {
  const warm = collected.filter(({ at }) => at >= warmAt);
  const of = (field: keyof Collected) => courseOf(warm.map((each) => ({ at: each.at, value: each[field] })));
  return { rss: of('rss'), anonymous: of('anonymous'), heap: of('heap'), external: of('external') };
}

/** What the process has, from the beginning of the warm-up on. */
function byMinute(collected: readonly Collected[]): readonly number[] {
  const minuteOf = ({ at }: Collected) => Math.floor((at - (collected[0]?.at ?? 0)) / 60_000);
  return [...Map.groupBy(collected, minuteOf).values()].map((each) => rounded(mean(each.map(({ rss }) => rss))));
}
