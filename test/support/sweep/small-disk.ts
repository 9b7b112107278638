/** A file system of a few kilobytes, that only one process sees: what a full disk is. */

import { spawnSync } from 'node:child_process';
import { describe } from 'vitest';

/** In a namespace of its own even a user without rights may mount memory as a disk. */
const APART = ['unshare', '--map-root-user', '--mount', '--'];

let isAllowed: boolean | undefined;

function mayMount(): boolean {
  isAllowed ??= spawnSync('unshare', [...APART.slice(1), 'mount', '-t', 'tmpfs', 'tmpfs', '/tmp']).status === 0;
  return isAllowed;
}

export function describeWithSmallDisk(name: string, body: () => void): void {
  if (mayMount()) describe(name, body);
  else describe.skip(`${name} [no small disk: unshare may not mount one here]`, body);
}

/** The command with such a disk at `directory`. */
export function onSmallDisk(
  command: readonly string[],
  { directory, bytes }: { readonly directory: string; readonly bytes: number },
): readonly string[] {
  const mounted = 'mount -t tmpfs -o "size=$1" tmpfs "$2" && shift 2 && exec "$@"';
  return [...APART, 'sh', '-c', mounted, 'sh', String(bytes), directory, ...command];
}
