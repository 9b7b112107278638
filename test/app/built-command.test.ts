/** A build counts as fresh by what is in the files: a test that starts the built command says so where it is missing or old. */

import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { markBuilt, sourceHashes, unmarkBuilt } from '../../tools/built-state.ts';
import { freshBuild } from '../support/built-command.ts';

let root = '';
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'oddsmith-built-'));
  put('src/core/a.ts', 'a');
  put('tools/make.ts', 'make');
  put('package.json', '{}');
});
afterEach(() => rmSync(root, { recursive: true }));

function put(path: string, text: string): void {
  mkdirSync(join(root, path, '..'), { recursive: true });
  writeFileSync(join(root, path), text);
}

function build(): void {
  const sources = sourceHashes(root);
  unmarkBuilt(root);
  put('dist/app/main.js', '');
  markBuilt(root, sources);
}

test('a build is needed', () => {
  expect(() => freshBuild(root)).toThrow('run npm run build first: dist/app/main.js is missing');
});

test('a build of the sources as they are is taken', () => {
  build();
  expect(freshBuild(root)).toBe(join(root, 'dist/app/main.js'));
});

test.each([
  ['a source', 'src/core/a.ts', 'another'],
  ['a new source', 'src/core/run/b.ts', 'new'],
  ['a tool', 'tools/make.ts', 'another'],
  ['the packages', 'package.json', 'another'],
  ['the lock file', 'package-lock.json', 'new'],
])('a build is refused after a change of %s, which is named', (_what, path, how) => {
  build();
  put(path, 'changed');
  expect(() => freshBuild(root)).toThrow(`run npm run build first: ${path} is ${how} since the last build`);
  build();
  expect(freshBuild(root)).toBeTruthy();
});

test('a source that is gone is named', () => {
  put('src/core/b.ts', 'b');
  build();
  rmSync(join(root, 'src/core/b.ts'));
  expect(() => freshBuild(root)).toThrow('src/core/b.ts is gone since the last build');
});

test('a checkout that brings back what was built, with other times, needs no build; one of an older source does', () => {
  build();
  put('src/core/a.ts', 'other branch');
  put('src/core/a.ts', 'a');
  utimesSync(join(root, 'src/core/a.ts'), 4_000_000_000, 4_000_000_000);
  expect(freshBuild(root)).toBeTruthy();
  put('src/core/a.ts', 'of long ago');
  utimesSync(join(root, 'src/core/a.ts'), 100, 100);
  expect(() => freshBuild(root)).toThrow('src/core/a.ts is another');
});

test('a build that did not come to its end is none', () => {
  build();
  unmarkBuilt(root);
  expect(() => freshBuild(root)).toThrow('the last build did not come to its end');
});

test('what changed while it was built is built the next time', () => {
  const before = sourceHashes(root);
  put('src/core/a.ts', 'meanwhile');
  put('dist/app/main.js', '');
  markBuilt(root, before);
  expect(() => freshBuild(root)).toThrow('src/core/a.ts is another');
});
