/** The built command for tests that start it. A build that is missing, or of other sources, is refused and never tested. */

import { join } from 'node:path';
import { whyToBuild } from '../../tools/built-state.ts';
import { ROOT } from './places.ts';

let checked: string | undefined;

/** Path of the built command. The files are looked at once in each process, since a long test may outlive a change of a source. */
export function builtMain(): string {
  checked ??= freshBuild(ROOT);
  return checked;
}

/** The command of the project at `root`. @throws Error if it must be built first */
export function freshBuild(root: string): string {
  const why = whyToBuild(root);
  if (why !== undefined) throw new Error(`run npm run build first: ${why}`);
  return join(root, 'dist/app/main.js');
}
