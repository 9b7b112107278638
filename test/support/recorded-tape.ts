/** Shared recordings as a tape, for tests that run only where the recordings are. */

import { join } from 'node:path';
import { importBetfair } from '../../src/recording/betfair/import.ts';
import { recordingFile } from './shared.ts';
import { temporaryDirectory } from './temporary-directory.ts';

/** The path of the tape. Of a recording that is damaged it has what is whole. */
export async function recordedTape(...names: readonly string[]): Promise<string> {
  const tape = join(temporaryDirectory('recorded'), 'recorded.tape');
  await importBetfair({ files: names.map(recordingFile), tape, onError: 'skip' });
  return tape;
}
