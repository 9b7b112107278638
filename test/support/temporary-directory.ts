/** Directories for what tests write, where the operating system keeps such; gone when the tests of the file are done (clean-up.ts). */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const made: string[] = [];

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

export function removeTemporaryDirectories(): void {
  for (const directory of made.splice(0)) rmSync(directory, { recursive: true, force: true });
}
