/** Which process somebody is, so that another one can wait until it is gone. */

import { readFileSync } from 'node:fs';
import { platform } from 'node:os';
import { setTimeout as pass } from 'node:timers/promises';

export interface ProcessMark {
  readonly pid: number;
  /** When it started, in the system's own count: a later process, or one of another container, has the same number and another start. */
  readonly startedAt: string | undefined;
}

const LOOK_MS = 20;

export function ownMark(): ProcessMark {
  return { pid: process.pid, startedAt: lookAt(process.pid)?.startedAt };
}

/** The mark that was written into a file; undefined where there is none, or where that process has ended. */
export function markOfFile(path: string): ProcessMark | undefined {
  let mark: Partial<Record<keyof ProcessMark, unknown>>;
  try {
    mark = Object(JSON.parse(readFileSync(path, 'utf8')));
  } catch {
    // Older daemons write none, and a full disk may cut it off: then nobody is named.
    return undefined;
  }
  const { pid, startedAt } = mark;
  if (typeof pid !== 'number' || !Number.isSafeInteger(pid) || pid <= 0) return undefined;
  const found = { pid, startedAt: typeof startedAt === 'string' ? startedAt : undefined };
  return isThere(found) ? found : undefined;
}

/** Waits for its end, no longer than `limitMs`; whether it is gone. One that ended and that nobody has asked for yet is gone. */
export async function waitUntilGone(mark: ProcessMark, limitMs: number): Promise<boolean> {
  for (let waited = 0; ; waited += LOOK_MS) {
    if (!isThere(mark)) return true;
    if (waited >= limitMs) return false;
    await pass(LOOK_MS);
  }
}

function isThere({ pid, startedAt }: ProcessMark): boolean {
  if (startedAt !== undefined && platform() === 'linux') {
    const found = lookAt(pid);
    return found !== undefined && found.startedAt === startedAt && !found.isOver;
  }
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // A process of another user may not be asked, but is there.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/** What Linux says of a process; undefined where there is none, or on another system. */
function lookAt(pid: number): { readonly startedAt: string | undefined; readonly isOver: boolean } | undefined {
  let text: string;
  try {
    text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    return undefined;
  }
  // The name in brackets may hold anything. After it: the state, and as the twentieth the time of the start.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return { startedAt: fields[19], isOver: fields[0] === 'Z' || fields[0] === 'X' };
}
