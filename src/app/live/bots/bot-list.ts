/** The bots whose state directories lie below a directory, each asked for its status. */

import { type Dirent, existsSync, readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { CliError } from '../../cli/cli-error.ts';
import { askDaemon } from '../control/control-client.ts';
import { CONTROL_SOCKET, type DaemonStatus } from '../control/control-protocol.ts';
import { waitingText } from '../control/waiting-answers.ts';
import { whyNoOrders } from '../dashboard/why-no-orders.ts';

export interface ListedBot {
  /** The path from the directory that was asked for. */
  readonly name: string;
  readonly dir: string;
  /** Undefined where no daemon answered. */
  readonly status: DaemonStatus | undefined;
  /** Why it does not trade, in words; undefined where it does. */
  readonly whyNot: string | undefined;
}

/** What only a state directory holds. */
const MARKS: readonly string[] = ['run.json', CONTROL_SOCKET, 'journal.sqlite'];
/** The depth is that of systemd's own directories: main/runs/live. */
const DEPTH_MAX = 3;
/** More directories are not looked into: this is no place where bots live. */
const LOOKED_MAX = 2_000;
const LISTED_MAX = 200;
/** A directory of another user, one that was removed meanwhile, and what is no path of a directory hold no bot of this user. */
const HOLDS_NONE: ReadonlySet<string> = new Set([
  'EACCES',
  'EPERM',
  'ENOENT',
  'ENOTDIR',
  'ELOOP',
  'ENAMETOOLONG',
  'ERR_INVALID_ARG_VALUE',
]);

export function isStateDirectory(directory: string): boolean {
  return MARKS.some((name) => existsSync(join(directory, name)));
}

/** The directories in order of name, at most 200; the directory itself may be one. Nothing below a state directory is another one. */
export function stateDirectoriesIn(directory: string): readonly string[] {
  if (isStateDirectory(directory)) return [directory];
  const found: string[] = [];
  let looked = 0;
  const look = (path: string, depth: number): void => {
    looked += 1;
    if (looked > LOOKED_MAX) return;
    for (const entry of entriesOf(path)) {
      if (!entry.isDirectory() || entry.name.startsWith('.') || entry.name === 'node_modules') continue;
      const below = join(path, entry.name);
      if (isStateDirectory(below)) found.push(below);
      else if (depth < DEPTH_MAX) look(below, depth + 1);
    }
  };
  look(directory, 1);
  return found.sort().slice(0, LISTED_MAX);
}

function entriesOf(directory: string): readonly Dirent[] {
  try {
    return readdirSync(directory, { withFileTypes: true });
  } catch (error) {
    if (error instanceof Error && 'code' in error && HOLDS_NONE.has(String(error.code))) return [];
    throw error;
  }
}

/** All are asked at once: one that does not answer keeps none of the others waiting. */
export function askBots(directory: string): Promise<readonly ListedBot[]> {
  return Promise.all(
    stateDirectoriesIn(directory).map(async (dir) => {
      const answer = await askBot(dir);
      const named = { name: relative(directory, dir), dir };
      if ('status' in answer)
        return { ...named, status: answer.status, whyNot: whyNoOrders(answer.status, undefined)[0]?.text };
      return { ...named, status: undefined, whyNot: answer.isDown ? 'no daemon runs' : answer.why };
    }),
  );
}

/** Its status, or why it gave none, and whether that is since nothing runs there. */
export async function askBot(
  dir: string,
): Promise<{ readonly status: DaemonStatus } | { readonly why: string; readonly isDown: boolean }> {
  try {
    const reply = await askDaemon(dir, { v: 1, command: 'status' });
    if (reply.kind === 'status') return { status: reply.status };
    return { why: reply.kind === 'waiting' ? waitingText(reply.waiting) : 'its daemon ends', isDown: false };
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    return { why: error.parts.what, isDown: error.parts.code === 'DAEMON_NOT_RUNNING' };
  }
}
