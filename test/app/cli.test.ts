import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { CLI_ERRORS, errorBlock, errorJson } from '../../src/app/cli/cli-error.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';
import { run } from './fake-terminal.ts';

const directory = temporaryDirectory('cli');

describe('help', () => {
  test('of a command below another one is found in each place that people look', async () => {
    const { out } = await run('tape', 'info', '--help');
    expect(out).toContain('Usage: oddsmith tape info ');
    for (const args of [
      ['help', 'tape', 'info'],
      ['tape', 'help', 'info'],
      ['tape', 'info', '-h'],
    ])
      expect(await run(...args)).toEqual({ code: 0, out, note: '' });
    expect((await run('help')).out).toBe((await run('--help')).out);
  });

  test.each([[[]], [['tape']]])('stands before the error where the command is missing: %j', async (args) => {
    const { code, out, note } = await run(...args);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(note).toMatch(/^Usage: oddsmith/);
    expect(note).toMatch(/\nerror USAGE {2}A command is missing\.\n {2}next {3}See .*--help\.\n$/);
  });

  test('its examples can be pasted: they call oddsmith, and name its files, as it is done here', async () => {
    expect((await run('backtest', '--help')).out).toContain(
      '$ npm run -s oddsmith -- backtest --strategy strategies/favourite-scalp.ts --tape backtest/sample.tape',
    );
    expect((await run('--help')).out).toContain('npm run -s oddsmith -- sandbox --crowd');
  });

  test('every example is shown once', async () => {
    const examples = (await run('--help')).out.match(/^ {2}\$ .*/gm) ?? [];
    expect(new Set(examples).size).toBe(examples.length);
  });

  test("the version is the package's", async () => {
    for (const words of ['--version', '-V', '-v', 'version'])
      expect((await run(words)).out).toMatch(/^\d+\.\d+\.\d+\n$/);
  });
});

describe('usage errors exit with 2 and say what to do next', () => {
  test.each([
    [['backtst'], "Unknown command 'backtst'.", 'See npm run -s oddsmith -- --help.'],
    [['tape', 'inf'], "Unknown command 'inf'.", 'See npm run -s oddsmith -- tape --help.'],
    [['import', 'recordings/'], /why {4}import has betfair\./, 'See npm run -s oddsmith -- import --help.'],
    [['help', 'nonsense'], "Unknown command 'nonsense'.", 'See npm run -s oddsmith -- --help.'],
    [['help', 'tape', 'nonsense'], "Unknown command 'nonsense'.", 'See npm run -s oddsmith -- tape --help.'],
    [['nonsense', '--help'], "Unknown command 'nonsense'.", 'See npm run -s oddsmith -- --help.'],
    [['backtest', '--sed', '3'], "Unknown option '--sed'.", 'See npm run -s oddsmith -- backtest --help.'],
    [
      ['backtest', '--seed', '-1'],
      /argument '-1' is invalid\. It must be a whole number/,
      'See npm run -s oddsmith -- backtest --help.',
    ],
    [
      ['backtest', '--fills', 'most'],
      /Allowed choices are bounds, all, central\./,
      'See npm run -s oddsmith -- backtest --help.',
    ],
    [['backtest', '--param', 'stake'], /It must be name=value\./, 'See npm run -s oddsmith -- backtest --help.'],
    [
      ['backtest', '--param', 'stake=[5'],
      "Option '--param <name=value>' argument 'stake=[5' is invalid. Its value is not valid YAML.",
      'See npm run -s oddsmith -- backtest --help.',
    ],
    [['backtest', 'a.yaml', 'b.yaml'], /Too many arguments/, 'See npm run -s oddsmith -- backtest --help.'],
    [['backtest'], 'No strategy was named.', /Pass --strategy/],
    [
      ['import', 'betfair', 'x'],
      "Required option '--tape <file>' not specified.",
      'See npm run -s oddsmith -- import betfair --help.',
    ],
    [
      ['import', 'betfair', 'x', '--tape', 'a', '--append', '--overwrite'],
      /cannot be used with option/,
      'See npm run -s oddsmith -- import betfair --help.',
    ],
  ])('%j', async (args, what, next) => {
    const { code, out, note } = await run(...args);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(note).toMatch(what);
    expect(note).toMatch(next);
    expect(note).toMatch(/^error USAGE {2}/);
  });

  test('a near miss is suggested', async () => {
    expect((await run('backtst')).note).toContain('why    Did you mean backtest?');
  });

  test('with --json the same fields stand under error, on stdout alone', async () => {
    const { code, out, note } = await run('backtest', '--json', '--sed', '3');
    expect({ code, note }).toEqual({ code: 2, note: '' });
    expect(JSON.parse(out)).toEqual({
      error: {
        code: 'USAGE',
        what: "Unknown option '--sed'.",
        why: 'Did you mean --seed?',
        next: 'See oddsmith backtest --help.',
      },
    });
  });
});

describe('files', () => {
  test('a missing configuration is a usage error', async () => {
    const { code, note } = await run('backtest', join(directory, 'none.yaml'));
    expect(code).toBe(2);
    expect(note).toMatch(/^error CONFIG_NOT_FOUND/);
    expect(note).toContain(`where  ${join(directory, 'none.yaml')}`);
  });

  test('a fault in a configuration names line and column', async () => {
    const config = join(directory, 'bad.yaml');
    writeFileSync(config, 'seed: 1\nlimts: {}\n');
    const { code, note } = await run('backtest', config);
    expect(code).toBe(2);
    expect(note).toBe(
      [
        'error CONFIG_UNKNOWN_KEY  Unknown key "limts".',
        `  where  ${config}:2:1`,
        '  why    Allowed here: strategies, tapes, markets, wallets, feed, latency, inPlayDelay, commission, fills, fillRules, exchange, limits, isolate, strategyTimeoutMs, seed, out, sides.',
        '  next   Did you mean limits?',
        '',
      ].join('\n'),
    );
  });

  test('a missing tape, a file that is none, and a missing recording are data errors', async () => {
    const text = join(directory, 'a.txt');
    writeFileSync(text, 'no tape');
    expect(await run('tape', 'info', join(directory, 'none.tape'))).toMatchObject({
      code: 5,
      note: expect.stringMatching(/^error TAPE_NOT_FOUND/),
    });
    expect(await run('tape', 'info', text)).toMatchObject({
      code: 5,
      note: expect.stringMatching(/^error NOT_A_TAPE/),
    });
    const tape = join(directory, 'b.tape');
    expect(await run('import', 'betfair', join(directory, 'none'), '--tape', tape)).toMatchObject({
      code: 5,
      note: expect.stringMatching(/^error FILE_NOT_FOUND/),
    });
    expect(await run('import', 'betfair', text, '--tape', tape)).toMatchObject({
      code: 5,
      note: expect.stringMatching(/^error NOT_A_RECORDING/),
    });
  });
});

describe('the error block', () => {
  test('leaves out what is not known and indents what is long', () => {
    expect(errorBlock({ code: 'USAGE', what: 'No.', why: 'a\nb' })).toBe('error USAGE  No.\n  why    a\n         b\n');
    expect(errorJson({ code: 'USAGE', what: 'No.' })).toBe('{"error":{"code":"USAGE","what":"No."}}\n');
  });

  test('exit codes are those of the contract', () => {
    expect(new Set(Object.values(CLI_ERRORS))).toEqual(new Set([1, 2, 4, 5]));
  });
});
