/** A command prints its result, also where its files cannot be written. */

import { execFileSync, spawnSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { Tape } from '../../src/recording/tape/tape.ts';
import { SAMPLE_TAPE, sampleStrategy } from '../support/places.ts';
import { builtCommand } from '../support/running-command.ts';
import { temporaryDirectory, temporaryFile } from '../support/temporary-directory.ts';
import { run } from './fake-terminal.ts';

const folder = temporaryDirectory('unwritten');

const tape = Tape.open(SAMPLE_TAPE);
const small = [...tape.markets].sort((a, b) => a.updates - b.updates)[0] ?? expect.fail('the sample has markets');
tape.close();

let made = 0;
function place(): string {
  made += 1;
  const directory = join(folder, String(made));
  mkdirSync(directory);
  return directory;
}

function backtestTo(out: string): readonly string[] {
  const strategy = JSON.stringify(sampleStrategy('favourite-scalp'));
  const config = temporaryFile(
    'run.yaml',
    `strategies: [{ file: ${strategy} }]\ntapes: [${JSON.stringify(SAMPLE_TAPE)}]\nmarkets: { ids: ["${small.facts.id}"] }\n`,
  );
  return ['backtest', config, '--out', out];
}

/** In a process of its own, after the words of a shell. */
function command(args: readonly string[], before = '', after = '') {
  const line = `${before} exec "$@" ${after}`;
  const words = ['-c', line, 'bash', ...builtCommand(args)];
  const { status, signal, stdout, stderr } = spawnSync('bash', words, { encoding: 'utf8' });
  expect(signal).toBeNull();
  return { status, stdout, stderr };
}

const TABLE = /pessimistic +central +optimistic/;

describe('a disk without room for the files of a run', () => {
  const limit = 'ulimit -f 8;';

  test('leaves the table on stdout, names what was not written, and exits with 2', () => {
    const out = place();
    const { status, stdout, stderr } = command(backtestTo(out), limit);
    expect(status).toBe(2);
    expect(stdout).toMatch(TABLE);
    expect(stderr).toMatch(/^error FILE_NOT_WRITABLE {2}The run could not be written whole/m);
    expect(stderr).toMatch(/why {4}Not written: .*report\.html: EFBIG/);
    const [directory = ''] = readdirSync(out);
    // What there was room for is there, and no half file.
    expect(
      readdirSync(join(out, directory)).filter(
        (name) => !/^(orders|fills)\.csv$|^result\.json$|^report-data\.gz$/.test(name),
      ),
    ).toEqual([]);
  });

  test('leaves one JSON object with result and error', () => {
    const { status, stdout, stderr } = command([...backtestTo(place()), '--json'], limit);
    expect({ status, stderr }).toEqual({ status: 2, stderr: '' });
    const json = JSON.parse(stdout);
    expect(json).toMatchObject({ command: 'backtest', markets: 1, error: { code: 'FILE_NOT_WRITABLE' } });
    expect(json.result.central).toBeDefined();
  });

  test('does so for the demo', () => {
    const { status, stdout, stderr } = command(['demo', '--out', place()], limit);
    expect(status).toBe(2);
    expect(stdout).toMatch(TABLE);
    expect(stderr).toMatch(/^error FILE_NOT_WRITABLE/m);
    expect(stderr).not.toContain('Open the report');
  });
});

describe('what came to lie where a run writes', () => {
  async function directoryOfRun(out: string): Promise<string> {
    const { transcript } = JSON.parse((await run(...backtestTo(out), '--json')).out);
    return join(out, `backtest-1-${transcript.sha256.slice(0, 10)}`);
  }

  test('a file in place of its directory loses no result', async () => {
    const out = place();
    const directory = await directoryOfRun(out);
    rmSync(directory, { recursive: true });
    writeFileSync(directory, 'mine');
    const { code, out: printed, note } = await run(...backtestTo(out));
    expect(code).toBe(2);
    expect(printed).toMatch(TABLE);
    expect(note).toMatch(/^error FILE_NOT_WRITABLE/m);
    expect(readFileSync(directory, 'utf8')).toBe('mine');
  });

  test('pipes, links and directories in place of its files stay, and the other files are written', async () => {
    const out = place();
    const directory = await directoryOfRun(out);
    const elsewhere = join(place(), 'mine');
    writeFileSync(elsewhere, 'mine');
    for (const name of ['fills.csv', 'report.html', 'orders.csv', 'result.json']) rmSync(join(directory, name));
    execFileSync('mkfifo', [join(directory, 'fills.csv')]);
    symlinkSync(elsewhere, join(directory, 'report.html'));
    mkdirSync(join(directory, 'orders.csv'));
    const { code, out: printed } = await run(...backtestTo(out), '--json');
    expect(code).toBe(2);
    const { why } = JSON.parse(printed).error;
    expect(why).toMatch(/report\.html: .*a symbolic link.*orders\.csv: .*a directory.*fills\.csv: .*a pipe/);
    expect(existsSync(join(directory, 'result.json'))).toBe(true);
    expect(readFileSync(elsewhere, 'utf8')).toBe('mine');
    expect(lstatSync(join(directory, 'fills.csv')).isFIFO()).toBe(true);
  });
});

describe('before a run begins it is asked whether it can be written', () => {
  test.each([
    ['a link that leads nowhere', (out: string) => symlinkSync('nowhere', out)],
    ['a file', (out: string) => writeFileSync(out, '')],
    ['a pipe', (out: string) => void execFileSync('mkfifo', [out])],
  ])('%s is refused', async (_what, make) => {
    const out = join(place(), 'out');
    make(out);
    for (const path of [out, join(out, 'below')])
      for (const args of [backtestTo(path), ['demo', '--out', path]]) {
        const { code, out: printed, note } = await run(...args);
        expect({ code, printed }).toEqual({ code: 2, printed: '' });
        expect(note).toMatch(/^error FILE_NOT_WRITABLE/);
      }
  });

  test.each([
    ['too long a name', 'x'.repeat(300)],
    ['too long a path', `${'x'.repeat(200)}/`.repeat(21)],
  ])('%s is refused, and nothing is left of the asking', async (_what, name) => {
    const parent = place();
    const { code, out } = await run(...backtestTo(join(parent, 'made', name)));
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(readdirSync(parent)).toEqual([]);
  });
});

describe('stdout that cannot be written', () => {
  const isThere = existsSync('/dev/full');
  if (isThere)
    test.each([
      ['the table of a backtest', () => backtestTo(place())],
      ['the text of a tape', () => ['tape', 'export', SAMPLE_TAPE]],
      ['what is in a tape', () => ['tape', 'info', SAMPLE_TAPE, '--json']],
    ])('%s: one block on stderr, exit 2', (_what, args) => {
      const { status, stderr } = command(args(), '', '> /dev/full');
      expect(status).toBe(2);
      expect(stderr.match(/^error /gm)).toHaveLength(1);
      expect(stderr).toMatch(/^error FILE_NOT_WRITABLE {2}Stdout could not be written/m);
    });

  test('a reader that leaves early is no failure', () => {
    const line = `"$@" | head -c 1000 | wc -c; exit "\${PIPESTATUS[0]}"`;
    const words = ['-c', line, 'bash', ...builtCommand(['tape', 'export', SAMPLE_TAPE])];
    const { status, stdout, stderr } = spawnSync('bash', words, { encoding: 'utf8' });
    expect({ status, stdout: stdout.trim(), stderr }).toEqual({ status: 0, stdout: '1000', stderr: '' });
  });

  if (isThere)
    test('nor is a stderr that is full', () => {
      const { status, stdout } = command(backtestTo(place()), '', '2> /dev/full');
      expect(status).toBe(0);
      expect(stdout).toMatch(TABLE);
    });
});

describe('the text of a tape', () => {
  test('replaces a text, and nothing else', async () => {
    const directory = place();
    const out = join(directory, 'out.csv');
    writeFileSync(out, 'old');
    const args = ['tape', 'export', SAMPLE_TAPE, '--market', small.facts.id, '--format', 'csv', '--out'];
    expect((await run(...args, out)).code).toBe(0);
    expect(readFileSync(out, 'utf8')).toMatch(/^market,/);
    expect(readdirSync(directory)).toEqual(['out.csv']);
    const others: readonly (readonly [string, (path: string) => unknown])[] = [
      ['pipe', (path) => execFileSync('mkfifo', [path])],
      ['link', (path) => symlinkSync(out, path)],
      ['tape', (path) => copyFileSync(SAMPLE_TAPE, path)],
      ['directory', (path) => mkdirSync(path)],
    ];
    for (const [name, make] of others) {
      const path = join(directory, name);
      make(path);
      const before = lstatSync(path);
      const { code, note } = await run(...args, path);
      expect(code, name).toBe(2);
      expect(note, name).toMatch(/^error FILE_NOT_WRITABLE/);
      expect(lstatSync(path).ino, name).toBe(before.ino);
      expect(lstatSync(path).size, name).toBe(before.size);
    }
  });

  test('leaves what was there where it ends in the middle', async () => {
    const directory = place();
    const out = join(directory, 'out.jsonl');
    writeFileSync(out, 'old');
    const { status, stderr } = command(['tape', 'export', SAMPLE_TAPE, '--out', out], 'ulimit -f 64;');
    expect(status).toBe(2);
    expect(stderr).toMatch(/^error FILE_NOT_WRITABLE/);
    expect(readdirSync(directory)).toEqual(['out.jsonl']);
    expect(readFileSync(out, 'utf8')).toBe('old');
  });
});
