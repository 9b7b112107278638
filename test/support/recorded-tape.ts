/** One of the shared recordings as a tape in a directory of the test's own. */

import { join } from 'node:path';
import { importBetfair } from '../../src/recording/betfair/import.ts';
import { sharedDir } from './shared.ts';

/** Undefined where the recordings are not there: the tests that need them are skipped then. */
export async function recordedTape(directory: string, name: string): Promise<string | undefined> {
  const shared = sharedDir();
  if (shared === undefined) return undefined;
  const tape = join(directory, `${name}.tape`);
  await importBetfair({ files: [join(shared, 'data', 'betfair', name)], tape, onError: 'skip' });
  return tape;
}
