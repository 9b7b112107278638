/** Runs a test over the specification's text where it is there, and skips it, with the reason, where it is not. */

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'vitest';
import { sharedDir } from '../shared.ts';

export function testWithSpecification(name: string, body: (text: string) => void): void {
  const shared = sharedDir();
  const file = shared === undefined ? undefined : join(shared, 'spec', 'exchange-api-v0.1.md');
  if (file !== undefined && existsSync(file)) test(name, () => body(readFileSync(file, 'utf8')));
  else
    test.skip(`${name} [no specification: set ODDSMITH_SHARED, or put shared/spec beside the project]`, () =>
      undefined);
}
