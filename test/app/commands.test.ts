/** The commands from end to end, over the bundled recording. */

import { copyFileSync, existsSync, mkdtempSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, describe, expect, test } from 'vitest';
import { Tape } from '../../src/recording/tape/tape.ts';
import { SAMPLE_TAPE, sampleStrategy } from '../support/places.ts';
import { temporaryDirectory, temporaryFile } from '../support/temporary-directory.ts';
import { run, runUntil } from './fake-terminal.ts';

const strategy = sampleStrategy('favourite-scalp');
const directory = temporaryDirectory('commands');

const tape = Tape.open(SAMPLE_TAPE);
afterAll(() => tape.close());
/** The market with the fewest updates, so that the tests are quick. */
const small = [...tape.markets].sort((a, b) => a.updates - b.updates)[0] ?? expect.fail('the sample has markets');

function config(text: string): string {
  return temporaryFile(
    'run.yaml',
    `strategies: [{ file: ${JSON.stringify(strategy)} }]\ntapes: [${JSON.stringify(SAMPLE_TAPE)}]\nout: ${JSON.stringify(directory)}\n${text}`,
  );
}

describe('tape', () => {
  test('info says that the sample is generated, and what is in it', async () => {
    const { code, out } = await run('tape', 'info', SAMPLE_TAPE, '--json');
    expect(code).toBe(0);
    const [info] = JSON.parse(out).tapes;
    expect(info).toMatchObject({ path: SAMPLE_TAPE, sha256: tape.sha256 });
    expect(info.markets).toHaveLength(tape.markets.length);
    for (const market of info.markets) {
      expect(market.generated).toBeTruthy();
      expect(market.longestSilenceMs).toBeGreaterThan(0);
      expect(market.longestSilenceMs).toBeLessThanOrEqual(market.lastAt - market.firstAt);
    }
    expect((await run('tape', 'info', SAMPLE_TAPE)).out).toMatch(/generated {2}never happened: /);
  });

  test('verify passes the sample and lists damage with exit code 5', async () => {
    expect(await run('tape', 'verify', SAMPLE_TAPE)).toEqual({ code: 0, out: `${SAMPLE_TAPE}: whole\n`, note: '' });
    const damaged = join(directory, 'damaged.tape');
    copyFileSync(SAMPLE_TAPE, damaged);
    const database = new Database(damaged);
    database.exec('UPDATE segment SET bytes = zeroblob(length(bytes)) WHERE id = 1');
    database.close();
    const { code, out } = await run('tape', 'verify', damaged);
    expect(code).toBe(5);
    expect(out).toMatch(/damaged\n {2}.*segment \d+: its checksum is wrong/);
  });

  test('export gives a line for each update, and one heading to two tapes in CSV', async () => {
    const { out } = await run('tape', 'export', SAMPLE_TAPE, '--market', small.facts.id);
    const lines = out
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines.filter((line) => line.kind === 'update')).toHaveLength(small.updates);
    const csv = (await run('tape', 'export', SAMPLE_TAPE, SAMPLE_TAPE, '--format', 'csv', '--market', small.facts.id))
      .out;
    expect(csv.match(/^market,/gm)).toHaveLength(1);
    expect(csv.trimEnd().split('\n').length % 2).toBe(1);
  });

  test('export of an unknown market suggests a known one and leaves no half file', async () => {
    const out = join(directory, 'none.jsonl');
    const id = `${small.facts.id}0`;
    const { code, note } = await run('tape', 'export', SAMPLE_TAPE, '--market', id, '--out', out);
    expect(code).toBe(2);
    expect(note).toContain(`Did you mean ${small.facts.id}?`);
  });
});

describe('backtest', () => {
  test('prints one JSON object, writes its files, and gives the same transcript again', async () => {
    const file = config(`markets: { ids: ["${small.facts.id}"] }`);
    const { code, out, note } = await run('backtest', file, '--json');
    expect({ code, note }).toEqual({ code: 0, note: '' });
    const json = JSON.parse(out);
    expect(json).toMatchObject({
      command: 'backtest',
      seed: 1,
      markets: 1,
      updates: small.updates,
      interrupted: false,
    });
    expect(json.tapes[0].sha256).toBe(tape.sha256);
    const made = join(directory, `backtest-1-${json.transcript.sha256.slice(0, 10)}`);
    for (const name of ['result.json', 'report.html', 'orders.csv', 'fills.csv'])
      expect(existsSync(join(made, name)), name).toBe(true);
    expect(JSON.parse(readFileSync(join(made, 'result.json'), 'utf8'))).toEqual(json);
    const orders = readFileSync(join(made, 'orders.csv'), 'utf8').trimEnd().split('\r\n');
    expect(orders.filter((line) => line.includes(',central,'))).toHaveLength(json.orders.sent);
    const again = JSON.parse((await run('backtest', file, '--json')).out);
    expect(again.transcript).toEqual(json.transcript);
    expect(again.result).toEqual(json.result);
  });

  test('parameters from the command line reach the strategy, and change the transcript', async () => {
    const file = config(`markets: { ids: ["${small.facts.id}"] }`);
    const plain = JSON.parse((await run('backtest', file, '--json')).out);
    const changed = JSON.parse((await run('backtest', file, '--json', '--param', 'stake=3')).out);
    expect(changed.strategies[0].params).toMatchObject({ stake: 3 });
    expect(changed.transcript).not.toEqual(plain.transcript);
  });

  test('a parameter that the strategy does not have is a strategy error', async () => {
    const { code, note } = await run('backtest', config(''), '--param', 'steak=3');
    expect(code).toBe(2);
    expect(note).toMatch(/^error STRATEGY_PARAM/);
    expect(note).toContain('where  --param steak=3\n');
    expect(note).toContain('of favourite-scalp.ts declares');
  });

  test('a strategy that does not parse is reported with file, line and column', async () => {
    const broken = temporaryFile('broken.ts', 'export default {\n  name: ,\n};\n');
    const { code, note } = await run('backtest', '--strategy', broken, '--tape', SAMPLE_TAPE);
    expect(code).toBe(2);
    expect(note).toMatch(/^error STRATEGY_SYNTAX/);
    expect(note).toMatch(/broken\.ts:2:9/);
  });

  test('filters that leave nothing are said so', async () => {
    const { code, note } = await run('backtest', config('markets: { ids: [nothing] }'));
    expect(code).toBe(2);
    expect(note).toMatch(/^error NO_MARKETS/);
  });

  test('Ctrl-C ends with 130 and with what was replayed', async () => {
    const abort = new AbortController();
    abort.abort();
    const { code, out } = await runUntil(abort.signal, ['backtest', config(''), '--json']);
    const json = JSON.parse(out);
    expect({ code, interrupted: json.interrupted }).toEqual({ code: 130, interrupted: true });
    expect(json.updates).toBeLessThan(tape.markets.reduce((sum, market) => sum + market.updates, 0));
  });
});

test('the demo prints a table with intervals, writes a report and says where', async () => {
  const { code, out, note } = await run('demo', '--out', directory);
  expect(code).toBe(0);
  expect(out).toMatch(/pessimistic +central +optimistic/);
  expect(out).toContain('not real trading');
  const report = /^ {2}(\S+report\.html)$/m.exec(note)?.[1] ?? expect.fail('no report is named');
  expect(readFileSync(report, 'utf8')).toContain('A generated recording, not real trading');
});

describe('first steps that go wrong', () => {
  test.each([['reprot'], ['nonsense'], ['tape', 'nonsense'], ['import', 'nonsense']])(
    'help for the unknown command %s %s is a usage error',
    async (...words) => {
      const { code, out } = await run(...words, '--help', '--json');
      expect(code).toBe(2);
      expect(JSON.parse(out).error).toMatchObject({ code: 'USAGE', what: `Unknown command '${words.at(-1)}'.` });
    },
  );

  test('export says with --json what it wrote, and needs a file for the text then', async () => {
    const out = join(directory, 'small.csv');
    const args = ['tape', 'export', SAMPLE_TAPE, '--market', small.facts.id, '--format', 'csv', '--json'];
    const told = await run(...args, '--out', out);
    expect(JSON.parse(told.out)).toMatchObject({
      command: 'tape export',
      format: 'csv',
      out,
      markets: [small.facts.id],
    });
    expect(readFileSync(out, 'utf8')).toMatch(/^market,sequence,/);
    const refused = await run(...args);
    expect(refused.code).toBe(2);
    expect(JSON.parse(refused.out).error.next).toBe('Add --out FILE, or leave out --json.');
  });

  test('a directory without recordings is missing data, and is named', async () => {
    const empty = mkdtempSync(join(directory, 'empty-'));
    const { code, out } = await run('import', 'betfair', empty, '--tape', join(directory, 'no.tape'), '--json');
    expect(code).toBe(5);
    expect(JSON.parse(out).error).toMatchObject({ code: 'FILE_NOT_FOUND', where: empty });
  });

  test('an import onto a tape that exists names the flags that would allow it', async () => {
    const existing = join(directory, 'existing.tape');
    copyFileSync(SAMPLE_TAPE, existing);
    const recording = temporaryFile('recording', '{}\n');
    const { code, out } = await run('import', 'betfair', recording, '--tape', existing, '--json');
    expect(code).toBe(2);
    const { error } = JSON.parse(out);
    expect(error).toMatchObject({ code: 'TAPE_EXISTS', where: existing });
    expect(error.what).not.toContain(existing);
    expect(error.next).toContain('--overwrite');
  });

  test('a directory in place of the tape to write is a usage error, also with --overwrite', async () => {
    const { code, out } = await run('import', 'betfair', SAMPLE_TAPE, '--tape', directory, '--overwrite', '--json');
    expect(code).toBe(2);
    expect(JSON.parse(out).error).toMatchObject({ code: 'TAPE_NOT_REPLACEABLE', where: directory });
  });

  test('an output that cannot be written is refused before the run', async () => {
    const file = temporaryFile('a-file', '');
    const started = await run('backtest', config(''), '--out', join(file, 'runs'));
    expect(started.code).toBe(2);
    expect(started.note).toMatch(/^error FILE_NOT_WRITABLE/);
  });

  test('a directory in place of a strategy is named', async () => {
    const { code, out } = await run('backtest', '--strategy', '.', '--tape', SAMPLE_TAPE, '--json');
    expect(code).toBe(2);
    expect(JSON.parse(out).error).toMatchObject({ code: 'STRATEGY_NOT_FOUND', where: process.cwd() });
  });
});
