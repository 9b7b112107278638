/** The built command for tests that start it. A build that is missing, or older than the sources, is refused and never tested. */

import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './places.ts';

let checked: string | undefined;

/** Path of the built command. The files are looked at once in each process, since a long test may outlive a change of a source. */
export function builtMain(): string {
  checked ??= freshBuild(ROOT);
  return checked;
}

/** The command of the project at `root`. @throws Error if it must be built first */
export function freshBuild(root: string): string {
  const command = join(root, 'dist/app/main.js');
  const builtAt = statSync(command, { throwIfNoEntry: false })?.mtimeMs;
  if (builtAt === undefined) throw new Error('run npm run build first: dist/app/main.js is missing');
  const newer = readdirSync(join(root, 'src'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .find((path) => statSync(path).mtimeMs > builtAt);
  if (newer !== undefined) throw new Error(`run npm run build first: ${newer} is newer than dist/app/main.js`);
  return command;
}
