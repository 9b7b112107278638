/** Directories for what tests write, where the operating system keeps such; gone when the tests of the file are done. */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';

const made: string[] = [];
afterAll(() => {
  for (const directory of made) rmSync(directory, { recursive: true, force: true });
});

/** A new one at each call. Its name begins with this, so that one that a killed test left tells where it comes from. */
export function temporaryDirectory(name: string): string {
  const directory = mkdtempSync(join(tmpdir(), `oddsmith-${name}-`));
  made.push(directory);
  return directory;
}

/** A file of this name and text, in a directory of its own; its path. */
export function temporaryFile(name: string, text: string): string {
  const path = join(temporaryDirectory('file'), name);
  writeFileSync(path, text);
  return path;
}
