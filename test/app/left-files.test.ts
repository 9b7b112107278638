/** What earlier builds left in dist/ stays for the processes that run since then, and is packed for nobody. */

import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { leaveOut } from '../../tools/left-files.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const BUILT_AT = Date.UTC(2026, 2, 24, 12);
const HOUR_MS = 3_600_000;
const root = temporaryDirectory('left');

function put(path: string, at: number): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), '');
  utimesSync(join(root, path), at / 1_000, at / 1_000);
}

test('of an earlier build nothing is packed, and after a day nothing is there', () => {
  writeFileSync(join(root, 'package.json'), '{ "name": "built", "version": "1.0.0", "files": ["dist"] }');
  const now = ['dist/index.js', 'dist/app/main.js', 'dist/app/run-BBBBBBBB.js', 'dist/core/side.d.ts'];
  for (const path of [...now, 'dist/.built.json']) put(path, BUILT_AT + 1_000);
  const before = Array.from({ length: 700 }, (_, i) => `dist/app/run-${String(i).padStart(8, 'A')}.js`);
  for (const path of [...before, 'dist/gone.js', 'dist/core/gone.d.ts']) put(path, BUILT_AT - HOUR_MS);
  for (const path of ['dist/app/run-CCCCCCCC.js', 'dist/core/older.js']) put(path, BUILT_AT - 25 * HOUR_MS);

  leaveOut(join(root, 'dist'), BUILT_AT);
  const args = ['pack', '--dry-run', '--json', '--ignore-scripts'];
  const [{ files }] = JSON.parse(execFileSync('npm', args, { cwd: root, encoding: 'utf8' }));
  const packed = (files as { path: string }[]).map(({ path }) => path);
  expect(packed.sort()).toEqual([...now, 'package.json'].sort());
  expect(readdirSync(join(root, 'dist/app')).sort()).toEqual(
    [...now, ...before]
      .filter((path) => path.startsWith('dist/app'))
      .map((path) => path.slice('dist/app/'.length))
      .sort(),
  );
  expect(readdirSync(join(root, 'dist/core')).sort()).toEqual(['gone.d.ts', 'side.d.ts']);
});
