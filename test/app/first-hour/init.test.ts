/** `oddsmith init`: what it writes, what it depends on, and all that it refuses without leaving anything behind. */

import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { Ajv } from 'ajv';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { tar } from '../../support/compress.ts';
import { ROOT } from '../../support/places.ts';
import { temporaryDirectory, temporaryFile } from '../../support/temporary-directory.ts';
import { run } from '../fake-terminal.ts';

const packed = join(temporaryDirectory('packed'), 'any-name.tgz');
const archive = (manifest: object) =>
  gzipSync(tar({ 'package/LICENSE': Buffer.from('x'), 'package/package.json': Buffer.from(JSON.stringify(manifest)) }));
writeFileSync(packed, archive({ name: 'oddsmith', version: '0.1.7' }));

/** The folder in which a project is made, so that nothing beside it is missed. */
function place(name = 'my-bot') {
  const folder = temporaryDirectory('init');
  return { folder, directory: join(folder, name) };
}

async function errorOf(...args: readonly string[]) {
  const { code, out } = await run(...args, '--json');
  return { ...JSON.parse(out).error, exit: code };
}

test('writes a project with a strategy, its test, configurations, and a package that takes the named oddsmith along', async () => {
  const { directory, folder } = place();
  const { code, out, note } = await run('init', directory, '--from', packed);
  expect(code, note).toBe(0);
  const files = readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(directory.length + 1))
    .sort();
  expect(out.trimEnd().split('\n').sort()).toEqual(files);
  expect(files).toEqual([
    '.env.example',
    '.gitignore',
    'README.md',
    'config/backtest.yaml',
    'config/live.yaml',
    'config/paper.yaml',
    'config/sweep.yaml',
    'package.json',
    'strategies/my-strategy.ts',
    'test/my-strategy.test.ts',
    'tsconfig.json',
    'vendor/oddsmith-0.1.7.tgz',
  ]);
  const manifest = JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8'));
  expect(manifest).toMatchObject({
    name: 'my-bot',
    private: true,
    type: 'module',
    dependencies: { oddsmith: 'file:vendor/oddsmith-0.1.7.tgz' },
  });
  expect(Object.keys(manifest.scripts)).toEqual(['test', 'check', 'backtest']);
  expect(readFileSync(join(directory, manifest.dependencies.oddsmith.slice('file:'.length)))).toEqual(
    readFileSync(packed),
  );
  expect(readFileSync(join(directory, 'README.md'), 'utf8')).toContain('# my-bot');
  expect(note).toContain(`cd ${directory}\n  npm install  `);
  expect(readdirSync(folder), 'nothing beside it').toEqual(['my-bot']);
});

test('the configurations fit the schemas that they name for the editor', async () => {
  const { directory } = place();
  await run('init', directory, '--from', packed);
  for (const name of ['backtest', 'sweep', 'paper', 'live']) {
    const text = readFileSync(join(directory, `config/${name}.yaml`), 'utf8');
    const [, schema = ''] = /^# yaml-language-server: \$schema=\.\.\/node_modules\/oddsmith\/(\S+)$/m.exec(text) ?? [];
    const accepts = new Ajv({ strict: false }).compile(JSON.parse(readFileSync(join(ROOT, schema), 'utf8')));
    expect(accepts(parse(text)), `${name}: ${JSON.stringify(accepts.errors)}`).toBe(true);
  }
});

test.each([
  ['My Bot (2)', 'my-bot-2'],
  ['.hidden', 'hidden'],
  ['oddsmith', 'my-bot'],
  ['日本', 'my-bot'],
])('a folder named %s makes a package that npm takes', async (folderName, name) => {
  const { directory } = place(folderName);
  await run('init', directory, '--from', packed);
  expect(JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8')).name).toBe(name);
});

test('a folder that holds a repository and nothing else is filled, and keeps it', async () => {
  const { directory } = place('with space');
  mkdirSync(join(directory, '.git'), { recursive: true });
  writeFileSync(join(directory, '.git/HEAD'), 'ref: refs/heads/main\n');
  const { code, note } = await run('init', directory, '--from', packed);
  expect(code, note).toBe(0);
  expect(readFileSync(join(directory, '.git/HEAD'), 'utf8')).toBe('ref: refs/heads/main\n');
  expect(note, 'the line can be pasted').toContain(`cd '${directory}'\n`);
});

test('on an old Node the warnings of npm are explained, and nowhere else', async () => {
  const before = process.env['npm_config_user_agent'];
  try {
    for (const [agent, words] of [
      ['npm/11.19.1 node/v20.20.2 linux x64', 'EBADENGINE about Node 20.20.2'],
      ['npm/11.19.1 node/v24.1.0 linux x64', ''],
    ] as const) {
      process.env['npm_config_user_agent'] = agent;
      const { note } = await run('init', place().directory, '--from', packed);
      expect(note.includes('EBADENGINE')).toBe(words !== '');
      expect(note).toContain(words);
    }
  } finally {
    if (before === undefined) delete process.env['npm_config_user_agent'];
    else process.env['npm_config_user_agent'] = before;
  }
});

test('a folder that is there and empty is filled, and stays the same folder', async () => {
  const { directory } = place();
  mkdirSync(directory, { mode: 0o750 });
  expect((await run('init', directory, '--from', packed)).code).toBe(0);
  expect(existsSync(join(directory, 'package.json'))).toBe(true);
});

describe('refuses, and writes nothing', () => {
  test('a folder that is not empty, with the names of what is in it', async () => {
    const { directory, folder } = place();
    mkdirSync(directory);
    for (const name of ['package.json', 'notes.md']) writeFileSync(join(directory, name), 'mine');
    expect(await errorOf('init', directory, '--from', packed)).toMatchObject({
      exit: 2,
      code: 'PROJECT_EXISTS',
      where: directory,
      why: 'It holds notes.md, package.json.',
    });
    expect(readdirSync(directory).sort()).toEqual(['notes.md', 'package.json']);
    expect(readFileSync(join(directory, 'package.json'), 'utf8')).toBe('mine');
    expect(readdirSync(folder)).toEqual(['my-bot']);
  });

  test('a file of that name', async () => {
    const file = temporaryFile('my-bot', 'mine');
    expect(await errorOf('init', file, '--from', packed)).toMatchObject({ exit: 2, code: 'PROJECT_EXISTS' });
    expect(readdirSync(dirname(file))).toEqual(['my-bot']);
  });

  test.each([
    ['a file that is no archive', Buffer.from('no archive')],
    ['an archive of another package', archive({ name: 'other', version: '1.0.0' })],
    ['an archive that is cut off', archive({ name: 'oddsmith', version: '0.1.7' }).subarray(0, 60)],
    ['a version that would leave its folder', archive({ name: 'oddsmith', version: '../../1' })],
  ])('--from %s', async (_what, content) => {
    const { directory, folder } = place();
    const from = join(temporaryDirectory('packed'), 'oddsmith.tgz');
    writeFileSync(from, content);
    expect(await errorOf('init', directory, '--from', from)).toMatchObject({
      exit: 2,
      code: 'NOT_A_PACKAGE',
      where: from,
    });
    expect(readdirSync(folder)).toEqual([]);
  });

  test('a place that may not be written', async () => {
    expect(await errorOf('init', '/proc/none/my-bot', '--from', packed)).toMatchObject({
      exit: 2,
      code: 'FILE_NOT_WRITABLE',
    });
  });
});
