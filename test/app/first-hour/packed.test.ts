/** The first hour of a user who has nothing but the packed file: install, demo, a project of their own, its tests, types and backtest. */

import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { expect, test } from 'vitest';
import { budget } from '../../support/budget.ts';
import { installByLinks, installByNpm, outsideEnvironment, packed } from '../../support/installed-package.ts';
import { temporaryDirectory } from '../../support/temporary-directory.ts';

/** `npm run test:deep` installs as users do, from the registry; every other run needs no network. */
const isByNpm = budget({ each: false, deep: true });
const directory = temporaryDirectory('packed');
const empty = join(directory, 'empty');

function ran(cwd: string, command: string, ...args: readonly string[]) {
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    cwd,
    encoding: 'utf8',
    env: outsideEnvironment(),
  });
  expect(error).toBeUndefined();
  expect(status, `${command} ${args.join(' ')}\n${stdout}${stderr}`).toBe(0);
  return { out: stdout, note: stderr };
}

test('npm pack, install into an empty directory, demo, init, npm install, test, check, backtest', () => {
  const tarball = packed(directory);
  const held = execFileSync('tar', ['-tzf', tarball], { encoding: 'utf8' });
  expect(held).not.toMatch(/^package\/(src|test|tools|node_modules)\//m);
  expect(held).not.toMatch(/\.map$/m);
  for (const bundles of ['app', 'web']) expect(held).toContain(`package/dist/${bundles}/LICENCES.txt\n`);

  mkdirSync(empty);
  if (isByNpm) installByNpm(empty, [tarball]);
  else installByLinks(empty, tarball);

  const { note } = ran(empty, 'npx', '--no', 'oddsmith', 'demo');
  const next =
    note
      .split('Next:\n')[1]
      ?.trimEnd()
      .replaceAll(/ \\\n +/g, ' ')
      .split('\n')
      .map((line) => line.trim()) ?? [];
  expect(next).toHaveLength(5);
  for (const line of next) expect(line).toMatch(/^npx oddsmith /);
  const [view = '', backtest = '', , init = '', help = ''] = next;
  expect(view).toMatch(/ view runs\/demo-/);
  for (const line of [backtest, help]) ran(empty, 'npx', '--no', ...line.split(' ').slice(1));

  const from = isByNpm ? [] : ['--from', tarball];
  expect(ran(empty, 'npx', '--no', ...init.split(' ').slice(1), ...from).out).toContain('strategies/my-strategy.ts');
  const project = join(empty, 'my-bot');
  if (isByNpm) installByNpm(project);
  else installByLinks(project, join(project, 'vendor', readdirSync(join(project, 'vendor'))[0] ?? ''));
  for (const config of readdirSync(join(project, 'config'))) {
    const [, schema = ''] = /\$schema=(\S+)/.exec(readFileSync(join(project, 'config', config), 'utf8')) ?? [];
    expect(existsSync(join(project, 'config', schema)), schema).toBe(true);
  }

  expect(ran(project, 'npm', 'test').out).toMatch(/fail 0\b/);
  ran(project, 'npm', 'run', 'check');
  const { out, note: closing } = ran(project, 'npm', 'run', 'backtest');
  expect(out).toContain('= 0 refused ');
  const [, page = ''] = /(\S+report\.html)\n$/.exec(closing) ?? [];
  expect(existsSync(join(project, page)), closing).toBe(true);
  ran(project, 'npx', '--no', 'oddsmith', 'doctor', 'config/backtest.yaml');
  expect(ran(project, 'npx', '--no', 'oddsmith', 'sweep', 'config/sweep.yaml').note).toContain('84 computed');
});

test('an editor shows the descriptions: of a function, of a field of the view, of a kind of parameter', () => {
  const file = join(empty, 'my-bot/strategies/my-strategy.ts');
  const hover = hoverIn(file);
  expect(hover('defineStrategy(')).toMatch(/the default export of a strategy file/);
  expect(hover('tradable')).toMatch(/MarketView\.tradable.*orders are accepted/s);
  expect(hover('stake({')).toMatch(/A positive stake of at most three decimals/);
});

test.each(['backtest', 'tape info', 'sweep show', 'sweep export'])(
  'the first example in the help of %s runs as it is pasted in a project',
  (command) => {
    const project = join(empty, 'my-bot');
    const help = ran(project, 'npx', '--no', 'oddsmith', ...command.split(' '), '--help').out;
    const [, words = ''] = /^ {2}\$ npx (oddsmith .*)$/m.exec(help) ?? [];
    ran(project, 'npx', '--no', ...words.split(' '));
  },
);

/** What an editor shows of the first place of a text, the package being the one that is installed there. */
function hoverIn(file: string): (at: string) => string {
  const text = readFileSync(file, 'utf8');
  const project = join(file, '../..');
  const { config } = ts.readConfigFile(join(project, 'tsconfig.json'), ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, project);
  const service = ts.createLanguageService({
    getCompilationSettings: () => options,
    getScriptFileNames: () => [file],
    getScriptVersion: () => '1',
    getScriptSnapshot: (name) => {
      const content = ts.sys.readFile(name);
      return content === undefined ? undefined : ts.ScriptSnapshot.fromString(content);
    },
    getCurrentDirectory: () => project,
    getDefaultLibFileName: ts.getDefaultLibFilePath,
    fileExists: ts.sys.fileExists,
    readFile: ts.sys.readFile,
    directoryExists: ts.sys.directoryExists,
    getDirectories: ts.sys.getDirectories,
  });
  return (at) => {
    const info = service.getQuickInfoAtPosition(file, text.indexOf(at));
    return ts.displayPartsToString([...(info?.displayParts ?? []), ...(info?.documentation ?? [])]);
  };
}

test('a project does not type-check a strategy that is wrong, and its tests find a strategy that changed', () => {
  const project = join(empty, 'my-bot');
  const strategy = join(project, 'strategies/my-strategy.ts');
  const failing = (from: string, to: string, ...args: readonly string[]) => {
    const text = readFileSync(strategy, 'utf8');
    expect(text).toContain(from);
    writeFileSync(strategy, text.replace(from, to));
    const { status, stdout } = spawnSync('npm', args, { cwd: project, encoding: 'utf8', env: outsideEnvironment() });
    writeFileSync(strategy, text);
    expect(status).not.toBe(0);
    return stdout;
  };
  expect(failing('stake: params.stake', "stake: 'much'", 'run', 'check')).toContain('error TS2322');
  expect(failing('ticksAway(queue, 1)', 'ticksAway(queue, 2)', 'test')).toContain('it queues on the favourite');
});
