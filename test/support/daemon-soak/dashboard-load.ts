/**
 * What the dashboard costs a run that follows 200 markets with 5 updates a second each, and whether its page stays quick:
 * `npm run soak:dashboard -- --minutes 10`. Windows in which a page is open take turns with windows in which none is.
 */

import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pass } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { Page } from 'playwright-core';
import { stringify } from 'yaml';
import { launchBrowser } from '../browser.ts';
import { streamText } from '../made-stream.ts';
import { builtCommand, startProcess } from '../running-command.ts';

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    markets: { type: 'string', default: '200' },
    json: { type: 'boolean', default: false },
  },
});
const minutes = Number(values.minutes);
const markets = Number(values.markets);
const EVERY_MS = 200;
const WINDOW_MS = 15_000;
/** What a reader goes through while a window is open. */
const PAGES = ['now', 'markets', 'market', 'orders', 'record'] as const;
const PATIENCE_MS = 240_000;

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

interface Window {
  readonly isOpen: boolean;
  /** Share of a core that the daemon took. */
  readonly cpu: number;
  readonly rss: number;
}

/** Asked for once: sources may change while it runs. */
const COMMAND = builtCommand([]);
const directory = mkdtempSync(join(tmpdir(), 'oddsmith-dashboard-load-'));
const children: { kill(signal?: NodeJS.Signals): void; readonly ended: Promise<unknown> }[] = [];
try {
  const report = await measured();
  process.stdout.write(values.json ? `${JSON.stringify(report)}\n` : `${stringify(report)}`);
} finally {
  for (const child of children) child.kill('SIGTERM');
  await Promise.all(children.map(({ ended }) => ended));
  rmSync(directory, { recursive: true, force: true });
}

async function measured(): Promise<object> {
  const tape = madeTape();
  const sandbox = start(['sandbox', '--port', '0', '--memory', '--tape', tape, '--json']);
  await sandbox.until(/\}\s*$/, PATIENCE_MS);
  const { url, streamUrl, appId, apiKey, walletId } = JSON.parse(sandbox.said.out);
  writeFileSync(join(directory, 'rester.ts'), STRATEGY);
  const config = join(directory, 'run.yaml');
  const feeds = { prices: { mode: 'stream', rereadMs: 10_000 }, markets: { mode: 'poll', everyMs: 5_000 } };
  const limits = { ordersPerSecond: 50, wallet: 9_000, market: 100, liveOrders: 1_000 };
  const freshness = { markets: 60_000, prices: 60_000, orders: 60_000, wallets: 60_000 };
  const exchange = { url, streamUrl, appId, apiKey };
  const wallets = { main: { id: walletId } };
  const rest = { record: true, heartbeat: 'none', dashboard: { port: 0 }, dir: join(directory, 'live') };
  writeFileSync(
    config,
    stringify({ exchange, strategies: [{ file: 'rester.ts' }], wallets, feeds, freshness, limits, ...rest }),
  );
  const daemon = start(['run', config, '--json', '--log-level', 'warn'], {
    NODE_OPTIONS: `--import=${new URL('thread-heap.mjs', import.meta.url).href}`,
    ODDSMITH_THREAD_HEAP: heapFile(),
  });
  await daemon.until(/"markets"|live/, PATIENCE_MS).catch(() => undefined);
  await followed(daemon.pid);
  const link = await newLink();
  const browser = await launchBrowser(['--enable-precise-memory-info']);
  const page = await browser.newPage({ viewport: { width: 1_400, height: 900 } });
  await page.goto(link);
  await page.waitForSelector('.card');
  const base = new URL(link).origin;
  const first = await heapOf(page);
  const windows: Window[] = [];
  const received = receivedUpdates();
  const begun = Date.now();
  const collections = heapSince(0).length;
  const frames: number[] = [];
  const loads: number[] = [];
  const loadBefore = loadavg();
  const until = Date.now() + minutes * 60_000;
  for (let turn = 0; Date.now() < until; turn += 1) {
    windows.push(await windowOf(daemon.pid, false, () => page.goto('about:blank')));
    const name = PAGES[turn % PAGES.length] ?? 'now';
    windows.push(await windowOf(daemon.pid, true, () => open(page, base, name)));
    frames.push(...(await framesOf(page)));
    const said = /takes ([\d.]+) %/.exec(await page.innerText('footer'))?.[1];
    if (said !== undefined) loads.push(Number(said));
  }
  await open(page, base, 'now');
  const last = await heapOf(page);
  await browser.close();
  const seconds = (Date.now() - begun) / 1_000;
  const updates = (receivedUpdates() - received) / seconds;
  return summary({ windows, frames, loads, first, last, loadBefore, updates, heap: heapSince(collections) });
}

function madeTape(): string {
  const recordings = join(directory, 'recordings');
  execFileSync('mkdir', ['-p', recordings]);
  const updates = Math.ceil(((minutes + 6) * 60_000) / EVERY_MS);
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

function heapFile(): string {
  return join(directory, 'heap.txt');
}

function start(words: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const child = startProcess([...COMMAND, ...words], { cwd: directory, env });
  children.push(child);
  return child;
}

/** Until it follows all markets and has an order in most. */
async function followed(pid: number): Promise<void> {
  const begun = Date.now();
  for (;;) {
    const status = ask(['status', '--dir', join(directory, 'live'), '--json']);
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
function receivedUpdates(): number {
  const tapes = join(directory, 'live', 'tapes');
  return readdirSync(tapes).reduce((sum, name) => {
    const info = ask(['tape', 'info', join(tapes, name), '--json']);
    const found = info?.tapes[0].markets ?? [];
    return found.reduce((total: number, market: { readonly updates: number }) => total + market.updates, sum);
  }, 0);
}

async function newLink(): Promise<string> {
  const { url } = ask(['dashboard', 'link', '--dir', join(directory, 'live'), '--json']);
  return url;
}

async function open(page: Page, base: string, name: (typeof PAGES)[number]): Promise<void> {
  await page.goto(`${base}/#/${name === 'market' ? 'markets' : name}`);
  await page.waitForSelector('.card');
  if (name !== 'market') return;
  await page.click('#markets tbody a');
  await page.waitForSelector('.ladder tbody tr');
}

async function windowOf(pid: number, isOpen: boolean, begin: () => Promise<unknown>): Promise<Window> {
  await begin();
  await pass(1_000);
  const [before, begun] = [cpuMs(pid), performance.now()];
  await pass(WINDOW_MS);
  return { isOpen, cpu: (cpuMs(pid) - before) / (performance.now() - begun), rss: rssOf(pid) };
}

/** Processor time of the process so far, user and system, in ms; Linux counts it in hundredths of a second. */
function cpuMs(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

function rssOf(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? Number.NaN) / 1_000;
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

interface Measured {
  readonly windows: readonly Window[];
  readonly frames: readonly number[];
  readonly loads: readonly number[];
  readonly first: number;
  readonly last: number;
  readonly loadBefore: readonly number[];
  /** A second, as the run recorded them. */
  readonly updates: number;
  /** What the engine’s thread holds after each collection of garbage, MB. */
  readonly heap: readonly number[];
}

function summary({ windows, frames, loads, first, last, loadBefore, updates, heap }: Measured): object {
  const of = (isOpen: boolean) => windows.filter((window) => window.isOpen === isOpen);
  const cpu = (isOpen: boolean) => of(isOpen).map((window) => window.cpu * 100);
  const pairs = cpu(true).map((open, index) => open - (cpu(false)[index] ?? 0));
  const third = Math.max(1, Math.floor(windows.length / 3));
  const rss = (part: readonly Window[]) => rounded(mean(part.map((window) => window.rss)));
  return {
    markets,
    updatesPerSecond: { played: (markets * 1_000) / EVERY_MS, received: rounded(updates) },
    minutes,
    loadAverage: { before: loadBefore.map(rounded), after: loadavg().map(rounded) },
    daemonPercentOfCore: {
      withPage: rounded(mean(cpu(true))),
      without: rounded(mean(cpu(false))),
      difference: rounded(mean(pairs)),
      medianOfPairs: rounded(quantile(pairs, 0.5)),
      pairs: pairs.length,
      saidByItself: rounded(mean(loads)),
    },
    daemonMegabytes: { firstThird: rss(windows.slice(0, third)), lastThird: rss(windows.slice(-third)) },
    liveHeapMegabytes: thirdsOf(heap),
    pageMegabytes: { first: rounded(first), last: rounded(last) },
    frameMs: { median: rounded(quantile(frames, 0.5)), p95: rounded(quantile(frames, 0.95)), frames: frames.length },
  };
}

/** After so many collections. */
function heapSince(first: number): readonly number[] {
  const lines = readFileSync(heapFile(), 'utf8').trim().split('\n');
  return lines.slice(first).map((bytes) => Number(bytes) / 1e6);
}

function thirdsOf(numbers: readonly number[]): object {
  const third = Math.max(1, Math.floor(numbers.length / 3));
  return { firstThird: rounded(mean(numbers.slice(0, third))), lastThird: rounded(mean(numbers.slice(-third))) };
}

function mean(numbers: readonly number[]): number {
  return numbers.reduce((sum, each) => sum + each, 0) / Math.max(1, numbers.length);
}

function quantile(numbers: readonly number[], share: number): number {
  return [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length * share)] ?? Number.NaN;
}

function rounded(value: number): number {
  return Math.round(value * 100) / 100;
}
