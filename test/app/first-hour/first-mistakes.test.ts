/** What everyone does wrong in the first hour, and that what is said then helps: with a strategy, a file in the wrong place, a key, a flag. */

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { accessError } from '../../../src/app/cli/access-error.ts';
import { accessReport, betdexIdentity } from '../../../src/betdex/access.ts';
import { backtestOf, onlyMarkets } from '../../support/backtest-of.ts';
import { SAMPLE_TAPE, sampleStrategy } from '../../support/places.ts';
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

  test('a state directory as the configuration of a daemon', async () => {
    mkdirSync(join(work, 'live'), { recursive: true });
    expect(await errorOf('status', join(work, 'live'))).toMatchObject({
      ...{ code: 'CONFIG_NOT_READABLE', next: expect.stringContaining(`--dir ${join(work, 'live')}`) },
    });
    expect(await errorOf('parity', join(work, 'live'))).toMatchObject({
      ...{ code: 'RUN_NOT_FOUND', why: expect.stringContaining('no run that recorded begins in this directory') },
    });
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

describe('a configuration that names a file which is not there has its line told', () => {
  const asStrategy = strategy('named', 'return [];');
  const config = (name: string, lines: readonly string[]): string => written(name, `${lines.join('\n')}\n`);
  const gone = join(work, 'gone.tape');
  const isTape = { exit: 5, code: 'TAPE_NOT_FOUND', what: `There is no file at ${gone}.` };
  const isStrategy = { exit: 2, code: 'STRATEGY_NOT_FOUND', what: 'There is no strategy file at strategies/gone.ts.' };

  test('a tape of a backtest, or one that is none', async () => {
    const file = config('b.yaml', ['strategies:', `  - { file: ${asStrategy} }`, `tapes: [${SAMPLE_TAPE}, ${gone}]`]);
    const column = `tapes: [${SAMPLE_TAPE}, `.length + 1;
    expect(await errorOf('backtest', file)).toMatchObject({ ...isTape, where: `${file}:3:${column}` });
    const none = config('n.yaml', [`strategies: [{ file: ${asStrategy} }]`, `tapes: [${asStrategy}]`]);
    expect(await errorOf('backtest', none)).toMatchObject({
      ...{ code: 'NOT_A_TAPE', where: `${none}:2:9` },
      what: expect.stringContaining(`${asStrategy} is no oddsmith tape`),
    });
  });

  test('a strategy of a backtest, however its path is written; the path of a flag has no line', async () => {
    const file = config('s.yaml', [
      'strategies:',
      '  - params: {}',
      '    file: ./strategies/gone.ts',
      `tapes: [${gone}]`,
    ]);
    expect(await errorOf('backtest', file)).toMatchObject({
      ...{ ...isStrategy, where: `${file}:3:11` },
      next: 'Check the path; it is relative to the directory in which oddsmith was started.',
    });
    const flag = await errorOf('backtest', file, '--strategy', 'strategies/other.ts');
    expect(flag).toMatchObject({ code: 'STRATEGY_NOT_FOUND', where: 'strategies/other.ts' });
  });

  test('the sample by the path that it has elsewhere: where it lies, and its line', async () => {
    const file = config('p.yaml', [`strategies: [{ file: ${asStrategy} }]`, 'tapes: [backtest/sample.tape]']);
    const cwd = process.cwd();
    process.chdir(work);
    const error = await errorOf('backtest', file);
    process.chdir(cwd);
    expect(error).toMatchObject({ where: `${file}:2:9`, next: expect.stringContaining(`lies here: ${SAMPLE_TAPE}`) });
  });

  test('a project in which oddsmith was started one directory too deep: where to go', async () => {
    const bot = join(work, 'my bot');
    mkdirSync(join(bot, 'strategies'), { recursive: true });
    mkdirSync(join(bot, 'config'));
    writeFileSync(join(bot, 'strategies/mine.ts'), PRICED);
    writeFileSync(join(bot, 'config/b.yaml'), `strategies: [{ file: strategies/mine.ts }]\ntapes: [${SAMPLE_TAPE}]\n`);
    const cwd = process.cwd();
    process.chdir(join(bot, 'strategies'));
    const inside = await errorOf('backtest', '../config/b.yaml');
    process.chdir(cwd);
    expect(inside).toMatchObject({
      where: '../config/b.yaml:1:22',
      next: expect.stringMatching(/ below another one: cd \.\.$/),
    });
    const outside = await errorOf('backtest', join(bot, 'config/b.yaml'));
    expect(outside.next).toMatch(/ below another one: cd '.*my bot'$/);
  });

  test('of a sweep, of a run, and as the doctor says it', async () => {
    const space = ['sweep:', '  space: { params.stake: { values: [1, 2] } }', `  out: ${work}`];
    const sweep = config('w.yaml', [
      `strategies: [{ file: ${sampleStrategy('favourite-scalp')} }]`,
      `tapes: [${gone}]`,
      ...space,
    ]);
    expect(await errorOf('sweep', sweep)).toMatchObject({ ...isTape, where: `${sweep}:2:9` });
    expect(await errorOf('sweep', sweep, '--dry-run')).toMatchObject({ ...isTape, where: `${sweep}:2:9` });
    const live = config('r.yaml', [
      'exchange: { url: http://127.0.0.1:1, appId: a, apiKey: k }',
      'strategies: [{ file: strategies/gone.ts }]',
      `dir: ${join(work, 'run')}`,
    ]);
    expect(await errorOf('run', live, '--paper')).toMatchObject({ ...isStrategy, where: `${live}:2:22` });
    const { out } = await run('doctor', sweep, '--json');
    const { checks }: { readonly checks: readonly { check: string; where?: string }[] } = JSON.parse(out);
    expect(checks.find(({ check }) => check === 'tape')?.where).toBe(`${sweep}:2:9`);
  });
});

describe('a name that is nearly right has the right one beside it', () => {
  test('a param, and a price that is none of the ladder', async () => {
    const of = (param: string) =>
      errorOf('backtest', '--strategy', sampleStrategy('favourite-scalp'), '--tape', SAMPLE_TAPE, '--param', param);
    expect(await of('stak=5')).toMatchObject({
      ...{ code: 'STRATEGY_PARAM', where: '--param stak=5' },
      what: expect.stringMatching(/^There is no param 'stak'\. .* Did you mean 'stake'\?$/),
    });
    const priced = written('priced.ts', PRICED);
    const at = (price: string) =>
      errorOf('backtest', '--strategy', priced, '--tape', SAMPLE_TAPE, '--param', `max=${price}`);
    expect((await at('6.03')).what).toMatch(/is 6\.03, which is not a ladder price\. Beside it are 6 and 6\.2\.$/);
    for (const price of ['1', '0', '1001', 'six', '-2'])
      expect((await at(price)).what).toMatch(/which is not a ladder price\.$/);
  });

  test('a configuration, a strategy or a tape that is misspelt, and a directory in its place', async () => {
    const file = strategy('scalper', 'return [];');
    const config = written('paper.yaml', '');
    expect(await errorOf('backtest', join(work, 'papre.yaml'))).toMatchObject({
      ...{ code: 'CONFIG_NOT_FOUND', next: `Did you mean ${config}?` },
    });
    const of = (path: string) => errorOf('backtest', '--strategy', path, '--tape', SAMPLE_TAPE);
    expect(await of(join(work, 'scalper.js'))).toMatchObject({ next: `Did you mean ${file}?` });
    expect((await of(work)).next).toMatch(/^Name a file in it, such as .*\.ts\.$/);
    expect((await of('strategies')).next).toMatch(/^Name a file in it, such as strategies\/.*\.ts\.$/);
    expect((await of(join(work, 'entirely-other.ts'))).next).toMatch(/^Check the path/);
    const tape = written('august.tape', '');
    const asTape = await errorOf('backtest', '--strategy', file, '--tape', join(work, 'augsut.tape'));
    expect(asTape).toMatchObject({ code: 'TAPE_NOT_FOUND', next: `Did you mean ${tape}?` });
    const named = written('y.yaml', `strategies: [{ file: ${work}/scaler.ts }]\ntapes: [${SAMPLE_TAPE}]\n`);
    expect(await errorOf('backtest', named)).toMatchObject({ where: `${named}:1:22`, next: `Did you mean ${file}?` });
  });
});

const PRICED = `import { defineStrategy, param } from 'oddsmith';
export default defineStrategy({ name: 'priced', params: { max: param.price({ default: 6 }) }, decide: () => [] });
`;

describe('a sandbox on this machine', () => {
  test.each(['http://127.0.0.1:8640', 'http://localhost:1/', 'http://[::1]:8640'])('%s', (url) => {
    expect(nextAfter(url, 401)).toContain('new keys each time it starts');
    expect(nextAfter(url)).toContain('oddsmith sandbox --crowd');
  });

  test.each(['https://exchange.example', 'http://127.example.com', 'http://localhost.example'])('%s is none', (url) => {
    expect(nextAfter(url, 401)).toBe('Check exchange.appId and exchange.apiKey.');
  });

  function nextAfter(url: string, status?: number): string | undefined {
    const failed = { kind: 'failed', code: 'NO_SESSION', details: 'no' } as const;
    const access = { url, streamUrl: undefined, proxy: undefined, appId: 'a', apiKey: 'k' };
    const report = accessReport(status === undefined ? failed : { ...failed, status }, access);
    if (report.kind === 'granted') return expect.fail('a failure lets nobody in');
    return accessError(report, betdexIdentity(access)).parts.next;
  }
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
