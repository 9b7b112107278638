/** What everyone does wrong in the first hour, and that what is said then helps: with a strategy, a file in the wrong place, a key, a flag. */

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { accessError } from '../../../src/app/cli/access-error.ts';
import { backtestOf, onlyMarkets } from '../../support/backtest-of.ts';
import { SAMPLE_TAPE } from '../../support/places.ts';
import { temporaryDirectory, temporaryFile } from '../../support/temporary-directory.ts';
import { run, runUntil } from '../fake-terminal.ts';

const work = temporaryDirectory('mistakes');

function written(name: string, text: string): string {
  const path = join(work, name);
  mkdirSync(work, { recursive: true });
  writeFileSync(path, text);
  return path;
}

/** Deliberately code that the types refuse: not everyone looks at them. */
const strategy = (name: string, body: string): string =>
  written(
    `${name}.ts`,
    `import { back, defineStrategy, favourites, lay } from 'oddsmith';
export default defineStrategy({ name: '${name}', decide({ market, now }) {
  const [favourite] = favourites(market);
  if (favourite === undefined || !market.tradable) return [];
  ${body}
} });
`,
  );

async function errorOf(...args: readonly string[]) {
  const { code, out } = await run(...args, '--json');
  return { ...JSON.parse(out).error, exit: code };
}

describe('a strategy that', () => {
  test.each([
    ['waits by a timer', 'setTimeout(() => undefined, 5); return [];', /has no timers: return `wakeAt`/],
    ['asks the network', "fetch('http://localhost'); return [];", /has no network: .* signal/],
    ['reads the environment', "return process.env['STAKE'] === undefined ? [] : [];", /is a param/],
    ['reads a steady clock', 'return performance.now() > 0 ? [] : [];', /take `now`/],
    ['looks where it lies', 'return __dirname ? [] : [];', /imports files beside it/],
    ['forgets an import', 'return [greenUp(market)];', /import it; helpers come from oddsmith/],
    [
      'sorts what it is given',
      'market.outcomes.sort((a, b) => (a.id < b.id ? 1 : -1)); return [];',
      /change a copy, such as \[\.\.\.market\.outcomes\]/,
    ],
    ['sets what it is given', 'market.inPlay = true; return [];', /read and not written/],
    ['adds to what it is given', 'favourite.mine = 1; return [];', /read and not written/],
    ['fails in another way', 'return favourite.nothing.here;', /^Correct the line\. A strategy that throws/],
  ])('%s', async (name, body, next) => {
    const { halts } = await backtestOf([strategy(name.replaceAll(' ', '-'), body)], {
      markets: onlyMarkets('99000101'),
      fills: 'central',
    });
    expect(halts).toMatchObject([{ code: 'STRATEGY_THROW', next: expect.stringMatching(next) }]);
    expect(halts[0]?.next).toContain('is halted and its orders are cancelled');
  });

  test.each([
    [
      'names an id',
      "return [back('1', { stake: 5, price: 3 })];",
      /^TypeError: back: its first argument must be an outcome .* it is '1'$/,
    ],
    ['names a market', 'return [lay(market, { stake: 5, price: 3 })];', /^TypeError: lay: .* it is something else$/],
    ['found no outcome', "return [back(market.outcome('no'), { stake: 5, price: 3 })];", /it is undefined$/],
    [
      'returns one intent',
      'return back(favourite, { stake: 5 });',
      /^Decide returned one intent and no list: put it into one, as in \[back\(…\)\]/,
    ],
  ])('%s', async (name, body, why) => {
    const { halts } = await backtestOf([strategy(name.replaceAll(' ', '-'), body)], {
      markets: onlyMarkets('99000101'),
      fills: 'central',
    });
    expect(halts).toMatchObject([{ why: expect.stringMatching(why) }]);
  });
});

describe('a file in the wrong place', () => {
  const asStrategy = strategy('misplaced', 'return [];');

  test('a strategy or a tape as a configuration', async () => {
    expect(await errorOf('backtest', asStrategy)).toMatchObject({
      ...{ code: 'CONFIG_NOT_READABLE', exit: 2, what: 'A strategy is no configuration.' },
      next: expect.stringContaining(`oddsmith backtest --strategy ${asStrategy} --tape FILE`),
    });
    expect(await errorOf('backtest', SAMPLE_TAPE)).toMatchObject({
      ...{ code: 'CONFIG_NOT_READABLE', what: 'A tape is no configuration.' },
      next: expect.stringContaining(`--tape ${SAMPLE_TAPE}`),
    });
  });

  test.each([
    ['backtest', 'config/paper.yaml', 'of a run: oddsmith run config/paper.yaml --paper.'],
    ['backtest', 'config/sweep.yaml', 'of a sweep: oddsmith sweep config/sweep.yaml.'],
    ['run', 'config/backtest.yaml', 'of a backtest: oddsmith backtest config/backtest.yaml.'],
    ['sweep', 'config/record.yaml', 'of a recording: oddsmith record config/record.yaml.'],
    ['record', 'config/paper.yaml', 'of a run: oddsmith run config/paper.yaml --paper.'],
  ])('%s %s', async (command, file, next) => {
    expect(await errorOf(command, file)).toMatchObject({ exit: 2, next: expect.stringContaining(next) });
  });

  test('a directory of tapes as a tape', async () => {
    const directory = join(work, 'tapes');
    mkdirSync(directory, { recursive: true });
    const asTape = () => errorOf('backtest', '--strategy', asStrategy, '--tape', directory);
    expect((await asTape()).next).toContain(`oddsmith import betfair ${directory} --tape`);
    for (const name of ['b.tape', 'a.tape', 'notes.txt']) writeFileSync(join(directory, name), '');
    expect((await asTape()).next).toBe(
      `Name the tape in it: ${join(directory, 'a.tape')}, and the others of its 2 tapes.`,
    );
  });

  test('the directory of runs as a run: the newest is named', async () => {
    const runs = join(work, 'runs');
    const made = await run(
      'backtest',
      '--strategy',
      asStrategy,
      '--tape',
      SAMPLE_TAPE,
      '--fills',
      'central',
      '--out',
      runs,
    );
    const [, page = ''] = /Report, to open in a browser: (.+)\n$/.exec(made.note) ?? [];
    expect(page).toMatch(/report\.html$/);
    const { next } = await errorOf('report', runs);
    expect(`${next.split('oddsmith report ')[1]}`).toBe(`${page.replace('/report.html', '')}.`);
  });
});

describe('a sandbox on this machine', () => {
  test.each(['http://127.0.0.1:8640', 'http://localhost:1/', 'http://[::1]:8640'])('%s', (url) => {
    expect(accessError({ details: 'no', status: 401 }, url).parts.next).toContain('new keys each time it starts');
    expect(accessError({ details: 'no' }, url).parts.next).toContain('oddsmith sandbox --crowd');
  });

  test.each(['https://exchange.example', 'http://127.example.com', 'http://localhost.example'])('%s is none', (url) => {
    expect(accessError({ details: 'no', status: 401 }, url).parts.next).toBe(
      'Check exchange.appId and exchange.apiKey.',
    );
  });
});

test('a variable that stands in .env is not set: how it is loaded', async () => {
  expect(await errorOf('run', 'config/paper.yaml', '--paper')).toMatchObject({
    code: 'CONFIG_SECRET_UNSET',
    next: expect.stringContaining('set -a; . ./.env; set +a'),
  });
});

describe('Ctrl-C at once', () => {
  const stopped = AbortSignal.abort('SIGINT');

  test('an import says that there is no tape, and blames no recording', async () => {
    const recording = temporaryFile('empty.json', '{"op":"mcm","pt":1,"clk":"a","mc":[]}\n');
    const { code, note } = await runUntil(stopped, ['import', 'betfair', recording, '--tape', join(work, 'x.tape')]);
    expect(code).toBe(130);
    expect(note).toMatch(/Interrupted before the first file was read: no tape was written\./);
  });

  test('a backtest does not wonder why the strategy did nothing', async () => {
    const file = strategy('stopped', 'return [];');
    const args = ['backtest', '--strategy', file, '--tape', SAMPLE_TAPE, '--out', join(work, 'stopped')];
    const { code, out } = await runUntil(stopped, args);
    expect(code).toBe(130);
    expect(out).toContain('interrupted: the figures cover only what was replayed until then');
    expect(out).not.toContain('notice STRATEGY_');
  });
});
