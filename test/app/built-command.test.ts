/** A test that starts the built command says so where the build is missing or old. */

import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { freshBuild } from '../support/built-command.ts';

let root = '';
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'oddsmith-built-'));
  put('src/core/a.ts', 100);
});
afterEach(() => rmSync(root, { recursive: true }));

/** Writes a file that was changed so many seconds after 1970. */
function put(path: string, at: number): void {
  mkdirSync(join(root, path, '..'), { recursive: true });
  writeFileSync(join(root, path), '');
  utimesSync(join(root, path), at, at);
}

test('a build is needed', () => {
  expect(() => freshBuild(root)).toThrow('run npm run build first: dist/app/main.js is missing');
});

test('a build that is newer than every source is taken', () => {
  put('dist/app/main.js', 101);
  expect(freshBuild(root)).toBe(join(root, 'dist/app/main.js'));
});

test('a build that is older than a source is refused, and the source is named', () => {
  put('dist/app/main.js', 101);
  put('src/core/run/b.ts', 102);
  expect(() => freshBuild(root)).toThrow(/^run npm run build first: .*src\/core\/run\/b\.ts is newer/);
});
