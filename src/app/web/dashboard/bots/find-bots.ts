/** The state directories below a directory: those in which a run has been. */

import { type Dirent, existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { CONTROL_SOCKET } from '../../../live/control/control-protocol.ts';

/** How deep it looks, into how many directories, and how many runs it lists. */
const DEPTH_MAX = 3;
const LOOKED_MAX = 2_000;
const BOTS_MAX = 200;
/** A run leaves one of them in its state directory, also when it has ended. */
const MARKS = [CONTROL_SOCKET, 'run.json'];
/** Another user’s directory, or one that was removed meanwhile, holds no run of ours. */
const NOT_OURS: ReadonlySet<string> = new Set(['EACCES', 'EPERM', 'ENOENT', 'ENOTDIR']);

/** In order of their names; the directory itself may be one. Nothing below a state directory is another one. */
export function findBots(dir: string): readonly string[] {
  const found: string[] = [];
  let looked = 0;
  const look = (path: string, depth: number): void => {
    looked += 1;
    if (looked > LOOKED_MAX) return;
    if (MARKS.some((name) => existsSync(join(path, name)))) found.push(path);
    else if (depth < DEPTH_MAX)
      for (const entry of entriesOf(path)) if (entry.isDirectory()) look(join(path, entry.name), depth + 1);
  };
  look(dir, 0);
  return found.sort().slice(0, BOTS_MAX);
}

function entriesOf(path: string): readonly Dirent[] {
  try {
    return readdirSync(path, { withFileTypes: true });
  } catch (error) {
    if (error instanceof Error && 'code' in error && NOT_OURS.has(String(error.code))) return [];
    throw error;
  }
}
