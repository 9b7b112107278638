/** Durations are written and shown with their unit: a bare number is refused where it was written, and no report shows 300000 for 5m. */

import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { SAMPLE_TAPE, sampleStrategy } from '../support/places.ts';
import { temporaryDirectory, temporaryFile } from '../support/temporary-directory.ts';
import { run } from './fake-terminal.ts';

const strategy = sampleStrategy('dutch-book');

function configFile(params: string): string {
  return temporaryFile(
    'backtest.yaml',
    `strategies:\n  - file: ${strategy}\n    params:\n      ${params}\ntapes: [${SAMPLE_TAPE}]\nmarkets: { ids: ['99000401'] }\n`,
  );
}

async function errorOf(...args: readonly string[]) {
  const { code, out } = await run(...args, '--json');
  const { error } = JSON.parse(out);
  return { ...error, exit: code };
}

describe('a duration without a unit', () => {
  test('is refused on the command line, with what to write', async () => {
    const given = ['--strategy', strategy, '--tape', SAMPLE_TAPE, '--param', 'patience=5'];
    expect(await errorOf('backtest', ...given)).toMatchObject({
      exit: 2,
      what: "The param 'patience' is 5, and a duration needs its unit: 500ms, 30s, 5m or 2h.",
      where: '--param patience=5',
    });
  });

  test('is refused in a configuration, at its line and column', async () => {
    const config = configFile('patience: 300000');
    expect(await errorOf('backtest', config)).toMatchObject({
      exit: 2,
      what: expect.stringContaining('(300000 milliseconds are 5m)'),
      where: `${config}:4:17`,
    });
  });

  test('is refused in the space of a sweep, and beside it', async () => {
    const text = readFileSync(configFile('patience: 300000'), 'utf8');
    const space = 'sweep: { name: x, space: { params.stake: { values: [10, 20] } } }\n';
    const fixed = temporaryFile('sweep.yaml', `${text}${space}`);
    expect(await errorOf('sweep', fixed, '--dry-run')).toMatchObject({
      exit: 2,
      what: expect.stringContaining('needs its unit'),
      where: `${fixed}:4:17`,
    });
    const varied = temporaryFile(
      'sweep.yaml',
      `${text.replace('300000', '5m')}${space.replace('params.stake', 'params.patience')}`,
    );
    expect(await errorOf('sweep', varied, '--dry-run')).toMatchObject({
      exit: 2,
      why: 'A duration needs its unit: 500ms, 30s, 5m or 2h.',
      where: `${varied}:7:56`,
    });
  });

  test('may be 0', async () => {
    const out = temporaryDirectory('durations');
    const { code } = await run('backtest', configFile('patience: 0'), '--out', out);
    expect(code).toBe(0);
  });
});

test('another param that is not allowed is told of at its place too', async () => {
  const config = configFile('stake: -3');
  expect(await errorOf('backtest', config)).toMatchObject({ exit: 2, where: `${config}:4:14` });
});

test('a report shows it as it would be written; JSON keeps the number of ms, and says how it is written beside', async () => {
  const out = temporaryDirectory('durations');
  await run('backtest', configFile('patience: 300s'), '--out', out);
  const directory = join(out, readdirSync(out)[0] ?? '');
  const html = readFileSync(join(directory, 'report.html'), 'utf8');
  expect(html).toContain('patience = 5m');
  expect(html).not.toContain('300000');
  expect(JSON.parse(readFileSync(join(directory, 'result.json'), 'utf8'))).toMatchObject({
    strategies: [{ params: { patience: 300_000 }, durations: { patience: '5m' } }],
  });
});

describe('what is given as a tape and is a recording', () => {
  test.each([
    ['of Betfair', Buffer.from('{"op":"mcm","id":1,"clk":"AAA","pt":1}\n'), "a recording of Betfair's stream"],
    ['packed with bz2', Buffer.from('BZh91AY&SY'), 'packed (bz2)'],
    ['packed with gzip', Buffer.from([0x1f, 0x8b, 8, 0]), 'packed (gzip)'],
    ['a zip archive', Buffer.from('PK\x03\x04'), 'packed (zip)'],
  ])('%s: says how to import it', async (_what, bytes, words) => {
    const path = join(temporaryDirectory('no tape'), "a recording's name");
    writeFileSync(path, bytes);
    const quoted = `'${path.replace("'", String.raw`'\''`)}'`;
    expect(await errorOf('backtest', '--strategy', strategy, '--tape', path)).toMatchObject({
      exit: 5,
      what: expect.stringContaining(words),
      where: path,
      next: `Import it first, then name the tape that this makes: oddsmith import betfair ${quoted} --tape data/first.tape.`,
    });
  });

  test('a directory', async () => {
    const path = temporaryDirectory('recordings');
    expect(await errorOf('tape', 'info', path)).toMatchObject({
      exit: 5,
      next: expect.stringContaining(`oddsmith import betfair ${path} --tape data/first.tape`),
    });
  });
});
