/** Whether dist/ is of the sources as they are now: by what is in the files, so that a checkout, a copy or a touched file misleads nobody. */

import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** All that a build reads, from the project's root: files, and directories with all that is in them. */
const READ: readonly string[] = [
  'src',
  'tools',
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  'tsconfig.build.json',
  'tsconfig.web.json',
];
const COMMAND = 'dist/app/main.js';
const STAMP = 'dist/.built.json';

/** Short hashes of the files that a build reads, by path. */
export type SourceHashes = Readonly<Record<string, string>>;

export function sourceHashes(root: string): SourceHashes {
  return Object.fromEntries(filesOf(root).map((path) => [path, hashOf(join(root, path))]));
}

/** Why the project at `root` must be built, as a clause that names a file; undefined if its build is of the sources as they are. */
export function whyToBuild(root: string, now: SourceHashes = sourceHashes(root)): string | undefined {
  if (!existsSync(join(root, COMMAND))) return `${COMMAND} is missing`;
  const built = readStamp(join(root, STAMP));
  if (built === undefined) return 'the last build did not come to its end';
  const changed = Object.keys(now).find((path) => now[path] !== built[path]);
  if (changed !== undefined)
    return `${changed} is ${built[changed] === undefined ? 'new' : 'another'} since the last build`;
  const gone = Object.keys(built).find((path) => now[path] === undefined);
  return gone === undefined ? undefined : `${gone} is gone since the last build`;
}

/** From now on, until it is marked again, the build counts as unfinished. */
export function unmarkBuilt(root: string): void {
  rmSync(join(root, STAMP), { force: true });
}

/** `sources` as they were before the build began: what changed meanwhile is built the next time. */
export function markBuilt(root: string, sources: SourceHashes): void {
  writeFileSync(join(root, STAMP), `${JSON.stringify(sources)}\n`);
}

function readStamp(path: string): SourceHashes | undefined {
  try {
    return Object(JSON.parse(readFileSync(path, 'utf8')));
  } catch {
    // Absent, or cut off: nothing is known of the build.
    return undefined;
  }
}

function filesOf(root: string): readonly string[] {
  return READ.flatMap((name) => {
    if (/\.json$/.test(name)) return existsSync(join(root, name)) ? [name] : [];
    if (!existsSync(join(root, name))) return [];
    return readdirSync(join(root, name), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) =>
        join(entry.parentPath, entry.name)
          .slice(root.length)
          .replace(/^[\\/]+/, ''),
      );
  });
}

function hashOf(path: string): string {
  return createHash('sha256').update(readFileSync(path)).digest('hex').slice(0, 16);
}
