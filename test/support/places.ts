/** Where the project lies, and what tests use of it: the sample recording, the sample strategies. */

import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../../', import.meta.url));
export const SAMPLE_TAPE = join(ROOT, 'backtest/sample.tape');

/** The file of a sample strategy. */
export function sampleStrategy(name: string): string {
  return join(ROOT, 'strategies', `${name}.ts`);
}
