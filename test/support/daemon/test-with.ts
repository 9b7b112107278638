/** Tests that need a program of the system, and say so where it is not there. */

import { spawnSync } from 'node:child_process';
import { test } from 'vitest';

export function testWith(program: string, name: string, body: () => void | Promise<void>): void {
  const isThere = spawnSync(program, ['--version']).error === undefined;
  if (isThere) test(name, body);
  else test.skip(`${name} (there is no ${program} on this machine)`, body);
}
