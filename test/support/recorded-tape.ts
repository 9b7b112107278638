/** Shared recordings as a tape, for tests that run only where the recordings are. */

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { importBetfair } from '../../src/recording/betfair/import.ts';
import { recordingFile } from './shared.ts';
import { temporaryDirectory } from './temporary-directory.ts';

const made = new Map<string, string>();

/** The path of the tape, which is made once for all who only read it. Of a recording that is damaged it has what is whole. */
export async function recordedTape(...names: readonly string[]): Promise<string> {
  const known = made.get(names.join());
  if (known !== undefined && existsSync(known)) return known;
  const tape = join(temporaryDirectory('recorded'), 'recorded.tape');
  await importBetfair({ files: names.map(recordingFile), tape, onError: 'skip' });
  made.set(names.join(), tape);
  return tape;
}
