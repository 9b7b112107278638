/** Whether the system's bzip2 is here. */

import { spawnSync } from 'node:child_process';

export function hasBzip2(): boolean {
  return spawnSync('bzip2', ['--help']).error === undefined;
}
