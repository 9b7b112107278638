/** The state directory: its owner's alone, and of one run for ever. */

import { chmodSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { CliError, type CliErrorParts } from '../../../src/app/cli/cli-error.ts';
import { resolveRun } from '../../../src/app/config/resolve/resolve-run.ts';
import { claimRunDirectory, openRunDirectory, runFiles } from '../../../src/app/live/process/run-directory.ts';
import type { RunOptions } from '../../../src/app/run/run-options.ts';
import { temporaryDirectory } from '../../support/temporary-directory.ts';
import { thrownBy } from '../../support/thrown-by.ts';

let parent = '';
beforeEach(() => {
  parent = temporaryDirectory('dir');
});

function optionsFor(more: { dir?: string; url?: string; wallet?: string; mode?: RunOptions['mode'] } = {}): RunOptions {
  const { dir = join(parent, 'run'), url = 'http://h', wallet = 'w', mode = 'live' } = more;
  const text = `exchange: { url: "${url}", appId: a, apiKey: k-5417 }
strategies: [{ file: s.ts }]
wallets: { main: { id: ${wallet} } }
dir: ${JSON.stringify(dir)}`;
  return resolveRun({ text, file: 'run.yaml' }, {}, mode);
}

function faultOf(options: RunOptions): CliErrorParts {
  return thrownBy(CliError, () => openRunDirectory(options)).parts;
}

test('is made for its owner alone, with all its parents', () => {
  const { dir } = openRunDirectory(optionsFor({ dir: join(parent, 'a/b/run') }));
  expect(statSync(dir).mode & 0o777).toBe(0o700);
});

test.each([0o755, 0o710, 0o701, 0o777])('with mode %o is refused, with the command that mends it', (mode) => {
  const dir = join(parent, 'run');
  mkdirSync(dir);
  chmodSync(dir, mode);
  expect(faultOf(optionsFor())).toMatchObject({ code: 'RUN_DIRECTORY_OPEN', next: `Run: chmod 700 ${dir}` });
  chmodSync(dir, 0o700);
  openRunDirectory(optionsFor());
});

test('once claimed, it is of one exchange, app, set of wallets and way of running; its file holds no key', () => {
  const directory = openRunDirectory(optionsFor());
  openRunDirectory(optionsFor({ url: 'http://mistyped' }));
  claimRunDirectory(directory, optionsFor());
  openRunDirectory(optionsFor());
  for (const more of [{ url: 'http://other' }, { wallet: 'v' }, { mode: 'paper' as const }])
    expect(faultOf(optionsFor(more)).code, JSON.stringify(more)).toBe('RUN_DIRECTORY_MISMATCH');
  expect(faultOf(optionsFor({ wallet: 'v' })).what).toBe('The state directory belongs to a run with other wallets.');
  expect(faultOf(optionsFor({ mode: 'paper' })).next).toMatch(/paper and live runs keep theirs apart\.$/);
  expect(faultOf(optionsFor({ wallet: 'v' })).why).toContain('It says main=w, the configuration main=v');
  expect(readFileSync(join(directory.dir, 'run.json'), 'utf8')).not.toContain('5417');
});

test('whose identity cannot be read is refused', () => {
  const directory = openRunDirectory(optionsFor());
  writeFileSync(join(directory.dir, 'run.json'), '{');
  expect(faultOf(optionsFor()).code).toBe('RUN_DIRECTORY_MISMATCH');
});

test('whose path is too long for a socket is refused before anything is opened', () => {
  const dir = join(parent, 'x'.repeat(100));
  expect(faultOf(optionsFor({ dir }))).toMatchObject({ code: 'CONFIG_INVALID', where: join(dir, 'control.sock') });
});

test('a path that is a file is refused', () => {
  writeFileSync(join(parent, 'run'), '');
  expect(faultOf(optionsFor()).code).toBe('FILE_NOT_WRITABLE');
});

test('a live run goes on in one journal, a paper run begins a directory with each start', () => {
  const directory = openRunDirectory(optionsFor());
  expect(runFiles(directory, 'live', 'live-1').journal).toBe(join(directory.dir, 'journal.sqlite'));
  expect(runFiles(directory, 'paper', 'paper-1').journal).toBe(join(directory.dir, 'paper-1', 'journal.sqlite'));
});
