/** Names that are markup, formulas or commands of a terminal go the whole way, from a tape to pages, files and terminal, and do nothing. */

import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { stringify } from 'yaml';
import { runCli } from '../../src/app/start/cli.ts';
import { describeWithBrowser, launchBrowser } from '../support/browser.ts';
import { linkIn } from '../support/dashboard/dashboard-visit.ts';
import { terminalOf } from '../support/dashboard/open-command.ts';
import { EVIL_FILE, EVIL_NAMES, evilStrategy, evilTape } from '../support/hostile/evil-names.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';
import { run } from './fake-terminal.ts';

const folder = join(temporaryDirectory('harmless'), EVIL_FILE);
mkdirSync(folder);
const tape = evilTape(folder);
const strategy = evilStrategy(folder);
const runs = join(folder, 'runs');
const sweeps = join(folder, 'sweeps');
let directory = '';

beforeAll(async () => {
  await clean('backtest', '--strategy', strategy, '--tape', tape, '--out', runs);
  directory = join(runs, readdirSync(runs)[0] ?? '');
});

/** What a terminal would obey, or show in another place than it stands. */
const OBEYED = /[\p{C}\u2028\u2029]/u;

/** Runs a command, and wants nothing of it that a terminal obeys. */
async function clean(...args: readonly string[]) {
  const printed = await run(...args);
  for (const text of [printed.out, printed.note])
    for (const line of text.split('\n')) expect(line, args.join(' ')).not.toMatch(OBEYED);
  return printed;
}

test.each([
  [['report', '<run>'], 0],
  [['report', '<folder>'], 5],
  [['tape', 'info', '<tape>'], 0],
  // The names were put into it behind its back.
  [['tape', 'verify', '<tape>'], 5],
  [['tape', 'export', '<tape>', '--market', EVIL_FILE], 2],
  [['tape', 'info', '<strategy>'], 5],
  [['explain', EVIL_FILE], 2],
  [['status', '--dir', '<folder>'], 2],
  [['status', '<strategy>'], 2],
  [['halt', '<folder>'], 2],
  [['backtest', '<tape>'], 2],
  [['backtest', '--strategy', '<strategy>', '--tape', '<strategy>'], 5],
  [['backtest', '--strategy', '<tape>', '--tape', '<tape>'], 2],
  [['backtest', '--strategy', '<strategy>', '--tape', '<tape>', '--param', `${EVIL_FILE}=1`], 2],
  [['backtest', `--${EVIL_FILE}`], 2],
  [['sweep', 'show', '<folder>'], 2],
  [['doctor', '<strategy>'], 2],
  [['import', 'betfair', '<strategy>', '--tape', '<folder>/imported.tape'], 5],
  [[EVIL_FILE], 2],
] as const)('%j prints nothing that a terminal obeys', async (words, code) => {
  const places = { '<run>': directory, '<folder>': folder, '<tape>': tape, '<strategy>': strategy };
  const args = words.map((word) =>
    Object.entries(places).reduce((text, [name, path]) => text.replace(name, () => path), word as string),
  );
  expect((await clean(...args)).code).toBe(code);
  expect(JSON.parse((await clean(...args, '--json')).out)).toBeTypeOf('object');
});

test('JSON has the names as they are, in escapes', async () => {
  const { out } = await clean('tape', 'info', tape, '--json');
  const { tapes }: { readonly tapes: readonly { readonly markets: readonly { readonly name: string }[] }[] } =
    JSON.parse(out);
  const names = tapes.flatMap(({ markets }) => markets.map(({ name }) => name));
  expect(names).toEqual(
    expect.arrayContaining(['\u001b[2J\u001b]0;title\u0007\u009b31m', 'turned \u202egnp.exe\u2066 around']),
  );
  expect(out).toContain('turned \\u202egnp.exe\\u2066 around');
  const played = await clean('backtest', '--strategy', strategy, '--tape', tape, '--out', runs, '--rows', '--json');
  expect([played.code, JSON.parse(played.out).byMarket.length]).toEqual([0, names.length]);
});

test('no cell of the CSV files is calculated, and each record has as many cells as its head', () => {
  for (const file of ['orders.csv', 'fills.csv', 'plots.csv', 'refusals.csv']) {
    const text = readFileSync(join(directory, file), 'utf8');
    const [head = [], ...records] = recordsOf(text);
    expect(records.length, file).toBeGreaterThan(100);
    expect(records.filter((cells) => cells.length !== head.length)).toEqual([]);
    const texts = records.flat().filter((cell) => !/^-?[\d.]+(e[+-]\d+)?$/.test(cell));
    expect(texts.filter((cell) => /^[=+\-@\t\r]/.test(cell))).toEqual([]);
    // In another locale a semicolon or a tab ends a cell that is not quoted.
    const bare = text.replaceAll(/"(?:[^"]|"")*"/g, '');
    expect(bare).not.toMatch(/[;\t]/);
  }
  const notes = recordsOf(readFileSync(join(directory, 'orders.csv'), 'utf8')).map((cells) => cells.at(-1) ?? '');
  for (const name of ["'=cmd|' /C calc'!A0", "'+1", "'-1", "'@SUM(1+1)*cmd", "'\t=1+1", "'\r=1+1"])
    expect(notes).toContain(name);
});

/** Records of RFC 4180, read letter by letter. */
function recordsOf(text: string): readonly (readonly string[])[] {
  const records: string[][] = [];
  let [record, cell, quoted] = [[] as string[], '', false];
  for (let at = 0; at < text.length; at += 1) {
    const letter = text[at] ?? '';
    if (quoted) {
      if (letter !== '"') cell += letter;
      else if (text[at + 1] === '"') cell += text[++at];
      else quoted = false;
    } else if (letter === '"') quoted = true;
    else if (letter === ',' || text.startsWith('\r\n', at)) {
      record.push(cell);
      cell = '';
      if (letter === ',') continue;
      records.push(record);
      record = [];
      at += 1;
    } else cell += letter;
  }
  expect([record, cell, quoted], 'the file ends with a line').toEqual([[], '', false]);
  return records;
}

describeWithBrowser('in Chromium', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(() => browser.close());

  /** A page that must ask nobody but what it came from, and say nothing. */
  async function opened(
    url: string,
    own = url,
  ): Promise<{ readonly page: Page; readonly harmless: () => Promise<void> }> {
    const page = await browser.newPage({ viewport: { width: 1_000, height: 900 } });
    const complaints: string[] = [];
    page.on('console', (message) => complaints.push(`console: ${message.text()}`));
    page.on('pageerror', (error) => complaints.push(`error: ${error.message}`));
    page.on('dialog', (dialog) => complaints.push(`dialog: ${dialog.message()}`));
    page.on('request', (request) => {
      if (!request.url().startsWith('data:') && !request.url().startsWith(own)) complaints.push(request.url());
    });
    await page.goto(url);
    const harmless = async (): Promise<void> => {
      expect(await page.evaluate('window.hit')).toBeUndefined();
      expect(await page.locator('img, svg[onload], [onerror], [onmouseover]').count()).toBe(0);
      expect(await page.locator('a[href^="javascript"]').count()).toBe(0);
      expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
      expect(complaints).toEqual([]);
      await page.close();
    };
    return { page, harmless };
  }

  test('the report shows names as text: markets, orders, their lives, refusals, plots', async () => {
    const { page, harmless } = await opened(pathToFileURL(join(directory, 'report.html')).href);
    await page.locator('#markets').waitFor();
    for (const select of ['type', 'strategy'])
      await page.locator('label', { hasText: 'Rows' }).locator('select').selectOption(select);
    const markets = page.locator('#markets .open');
    for (let at = 0; at < 8; at += 1) {
      await markets.nth(at).click();
      await page.locator('#market').waitFor();
      const order = page.locator('#orders .open').first();
      if ((await order.count()) > 0) await order.click();
      for (const summary of await page.locator('#market summary').all()) await summary.click();
    }
    await page.evaluate("for (const each of document.querySelectorAll('details')) each.open = true");
    await page.locator('#all-orders .open').first().click();
    await page.locator('#refusals a').first().click();
    const text = await page.locator('main').innerText();
    for (const name of EVIL_NAMES.slice(0, 6)) expect(text).toContain(name.trim());
    await page.setViewportSize({ width: 390, height: 800 });
    await harmless();
  });

  test('a link that was cut opens the report all the same', async () => {
    const { page, harmless } = await opened(
      `${pathToFileURL(join(directory, 'report.html')).href}#market=%E0%A4%A`,
      'file:',
    );
    await page.locator('#markets').waitFor();
    await harmless();
  });

  test('a sweep over evil words: its table in the terminal, and its page', async () => {
    const config = join(folder, 'sweep.yaml');
    const space = { 'strategies[0].params.word': { values: EVIL_NAMES.slice(0, 6) } };
    const sweep = { name: 'evil', out: sweeps, space };
    writeFileSync(
      config,
      stringify({ strategies: [{ file: strategy, params: {} }], tapes: [tape], isolate: 'event', sweep }),
    );
    const played = await clean('sweep', config, '--jobs', '1');
    expect(played.code, played.note).toBe(0);
    const kept = join(sweeps, readdirSync(sweeps)[0] ?? '');
    for (const words of [
      ['show', kept],
      ['top', kept],
    ])
      expect((await clean('sweep', ...words)).code).toBe(0);
    expect((await clean('report', kept)).code).toBe(0);
    const { page, harmless } = await opened(pathToFileURL(join(kept, 'report.html')).href);
    await page.locator('#trials tbody tr').first().waitFor();
    expect(await page.locator('#trials').innerText()).toContain(EVIL_NAMES[0]);
    await harmless();
  });

  test('the dashboard of a sandbox that plays the tape', async () => {
    const words = [
      'sandbox',
      '--port',
      '0',
      '--memory',
      '--tape',
      tape,
      '--speed',
      '1000',
      '--dashboard',
      '0',
      '--json',
    ];
    const { said, until, end } = terminalOf((terminal) => runCli(words, terminal));
    onTestFinished(async () => void (await end('SIGTERM')));
    await until(/"dashboard"/);
    const { url, port } = linkIn(said.out);
    const { page, harmless } = await opened(url, `http://127.0.0.1:${port}/`);
    await page.click('nav a:has-text("Markets")');
    const evil = page.locator('#markets tbody a', { hasText: EVIL_NAMES[5] ?? '' });
    await evil.first().waitFor();
    await evil.first().click();
    await page.locator('#outcomes tbody tr').first().waitFor();
    for (const name of ['Orders', 'Record', 'Now']) {
      const link = page.locator(`nav a:has-text("${name}")`);
      if ((await link.count()) > 0) await link.click();
    }
    await harmless();
  });
});
