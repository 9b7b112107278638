/** Takes the pictures of README.md and docs/ from real runs: `npm run make:screenshots`. Needs Chromium; a report and a view of a backtest of the bundled recording, a dashboard of a paper run on the sandbox. `-- view` takes those of the view alone. */

import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { launchBrowser } from '../support/browser.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const OUT = join(ROOT, 'docs/pictures');
const MAIN = join(ROOT, 'dist/app/main.js');
const WIDE = { width: 1_200, height: 800 };
const PATIENCE_MS = 60_000;

const work = mkdtempSync(join(tmpdir(), 'oddsmith-screenshots-'));
const children: ChildProcess[] = [];
const browser = await launchBrowser();
try {
  mkdirSync(OUT, { recursive: true });
  const wanted = process.argv.slice(2);
  const takes = { report: takeReport, view: takeView, dashboard: takeDashboard };
  for (const [name, take] of Object.entries(takes)) if (wanted.length === 0 || wanted.includes(name)) await take();
} finally {
  await browser.close();
  for (const child of children) child.kill('SIGKILL');
  rmSync(work, { recursive: true, force: true });
}

/** The directory of a backtest, which is played once. */
async function playedRun(): Promise<string> {
  const out = join(work, 'runs');
  const args = ['backtest', '--strategy', 'strategies/market-maker.ts', '--tape', 'backtest/sample.tape', '--out', out];
  if (!existsSync(out)) await ended(start(args));
  const [run = ''] = readdirSync(out);
  return join(out, run);
}

/** The summary of a report, and one of its markets opened. */
async function takeReport(): Promise<void> {
  const run = await playedRun();
  const page = await browser.newPage({ viewport: WIDE });
  await page.goto(`file://${join(run, 'report.html')}`);
  await page.waitForSelector('canvas');
  await shoot(page, 'report.png');
  await page.click('#markets tbody button.open >> nth=2');
  await page.waitForSelector('#market canvas');
  await page.setViewportSize({ ...WIDE, height: 1_000 });
  await page.locator('#market').scrollIntoViewIfNeeded();
  await shoot(page, 'report-market.png');
  await page.close();
}

/** A market at an instant at which own orders rest, on a wide page, and in the dark on a phone. */
async function takeView(): Promise<void> {
  const view = start(['view', await playedRun(), '--port', '0', '--json']);
  const { url, link } = JSON.parse(await lineOf(view, /"link"/));
  const context = await browser.newContext({ viewport: { width: 1_400, height: 900 } });
  const page = await context.newPage();
  const shown = `m=99000301&t=${Date.UTC(2026, 2, 14, 12, 55)}`;
  await page.goto(`${link}&${shown}`);
  await page.waitForSelector('.ladder.full');
  await shoot(page, 'view.png');
  const storageState = await context.storageState();
  const narrow = { width: 390, height: 844 };
  const phone = await browser.newContext({ viewport: narrow, hasTouch: true, colorScheme: 'dark', storageState });
  const small = await phone.newPage();
  await small.goto(`${url}/#${shown}`);
  await small.waitForSelector('.ladder.full');
  await shoot(small, 'view-phone.png');
  await context.close();
  await phone.close();
}

/** What a paper run shows while it trades: its state, and a ladder with its orders. */
async function takeDashboard(): Promise<void> {
  const sandbox = start(['sandbox', '--memory', '--port', '0', '--crowd', '--json']);
  const { url, appId, apiKey } = JSON.parse(await lineOf(sandbox, /"apiKey"/));
  const config = join(work, 'paper.yaml');
  writeFileSync(
    config,
    [
      `exchange: { url: '${url}', appId: '${appId}', apiKey: '\${ODDSMITH_API_KEY}' }`,
      `strategies: [{ file: '${join(ROOT, 'strategies/passive-quoter.ts')}', wallet: main }]`,
      'wallets: { main: { balance: 10000 } }',
      'limits: { order: 100, market: 1000, dailyLoss: 1000 }',
      'dashboard: { port: 0 }',
      `dir: '${join(work, 'paper')}'`,
    ].join('\n'),
  );
  const bot = start(['run', config, '--paper'], { ODDSMITH_API_KEY: apiKey });
  const [link = ''] = /http:\/\/127\.0\.0\.1:\d+\/#link=[\w-]+/.exec(await lineOf(bot, /#link=/)) ?? [];
  const page = await browser.newPage({ viewport: WIDE });
  await page.goto(link);
  await page.waitForSelector('#why h2:has-text("It trades")');
  // Long enough for orders that were matched.
  await page.waitForTimeout(20_000);
  await shoot(page, 'dashboard.png');
  await page.click('nav a:has-text("Markets")');
  await page.click('button:has-text("With own orders")');
  await page.click('#markets tbody a >> nth=0');
  await page.waitForSelector('.ladder tbody tr');
  await shoot(page, 'dashboard-market.png');
  await page.close();
}

function start(args: readonly string[], environment: NodeJS.ProcessEnv = {}): ChildProcess {
  const child = spawn(process.execPath, [MAIN, ...args], { cwd: ROOT, env: { ...process.env, ...environment } });
  children.push(child);
  return child;
}

function ended(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    child.once('exit', (code) => (code === 0 ? resolve() : reject(new Error(`a command ended with ${code}`))));
  });
}

/** The first line on stdout or stderr that matches. */
function lineOf(child: ChildProcess, wanted: RegExp): Promise<string> {
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => reject(new Error(`no line like ${wanted}`)), PATIENCE_MS);
    for (const stream of [child.stdout, child.stderr])
      if (stream !== null)
        createInterface({ input: stream }).on('line', (line) => {
          if (!wanted.test(line)) return;
          clearTimeout(late);
          resolve(line);
        });
  });
}

async function shoot(page: Page, name: string): Promise<void> {
  await page.screenshot({ path: join(OUT, name) });
}
