/** What earlier builds left in dist/, whose names hold other hashes: a process that runs since then may still load it, and nobody else needs it. */

import { readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';

const DAY_MS = 86_400_000;
/** npm takes a second for each hundred patterns, and no pattern that is longer than 64 KB. */
const NAMES_MAX = 500;

/** Removes what was last written a day before `begun` (ms UTC), and keeps from `npm pack` what was written before it. */
export function leaveOut(dist: string, begun: number): void {
  const inside = readdirSync(dist, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name));
  // Who debugs us has the sources.
  const lines = ['/.built.json', '*.map'];
  for (const directory of [dist, ...inside]) {
    const names = leftIn(directory, begun);
    for (let i = 0; i < names.length; i += NAMES_MAX)
      lines.push(join('/', relative(dist, directory), `@(${names.slice(i, i + NAMES_MAX).join('|')})`));
  }
  writeFileSync(join(dist, '.npmignore'), `${lines.join('\n')}\n`);
}

function leftIn(directory: string, begun: number): readonly string[] {
  const left: string[] = [];
  for (const entry of readdirSync(directory, { withFileTypes: true })) {
    const path = join(directory, entry.name);
    if (!entry.isFile()) continue;
    const { mtimeMs } = statSync(path);
    if (mtimeMs < begun - DAY_MS) rmSync(path);
    else if (mtimeMs < begun) left.push(entry.name);
  }
  return left;
}
