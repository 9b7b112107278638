/** Runs what needs bash and curl where they are, and skips it, with the reason, where they are not. */

import { spawnSync } from 'node:child_process';
import { describe } from 'vitest';

const missing = ['bash', 'curl'].filter((command) => spawnSync(command, ['--version']).status !== 0);

export function describeWithCurl(name: string, body: () => void): void {
  if (missing.length === 0) describe(name, body);
  else describe.skip(`${name} [no ${missing.join(' and no ')} on this machine]`, body);
}
