/** What this process says of itself to others that work on a sweep, and whether another one is alive. */

import { hostname } from 'node:os';

export interface ProcessName {
  readonly host: string;
  readonly pid: number;
}

export function ownProcess(): ProcessName {
  return { host: hostname(), pid: process.pid };
}

/** Never the name of another process, not even of a later one with the same number. */
export function ownName({ host, pid }: ProcessName): string {
  const startedAt = Math.floor(performance.timeOrigin);
  return `${host.replaceAll(/[^A-Za-z0-9.-]/g, '_')}-${pid}-${startedAt.toString(36)}`;
}

/** The process of such a name. */
export function processOf(name: string): ProcessName | undefined {
  const [, host, pid] = /^(.+)-(\d+)-[0-9a-z]+$/.exec(name) ?? [];
  return host === undefined ? undefined : { host, pid: Number(pid) };
}

/** Undefined where it is a process of another machine. */
export function isAlive({ host, pid }: ProcessName): boolean | undefined {
  const own = hostname();
  if (host !== own && host !== own.replaceAll(/[^A-Za-z0-9.-]/g, '_')) return undefined;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // A process of another user may not be asked, but is there.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/** The first number of Node's version: another one may compute other rows. */
export function nodeMajor(): number {
  return Number(process.versions.node.split('.')[0]);
}
