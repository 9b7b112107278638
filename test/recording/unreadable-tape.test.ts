/** What `tape verify` says of a tape whose texts are damaged. */

import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { TapeFailure } from '../../src/recording/tape/tape-failure.ts';
import { verifyTape } from '../../src/recording/verify.ts';
import { SAMPLE_TAPE } from '../support/places.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const work = temporaryDirectory('unreadable');

function damaged(statement: string): readonly string[] {
  const path = join(work, 'damaged.tape');
  copyFileSync(SAMPLE_TAPE, path);
  const database = new Database(path);
  database.exec(statement);
  database.close();
  return verifyTape(path).map(({ what }) => what);
}

describe('verifying an unreadable text', () => {
  it('lists the definition and the hash that no longer fits', () => {
    const what = damaged(
      "UPDATE definition SET definition = '{\"sta' WHERE number = 0 AND key = (SELECT min(key) FROM definition)",
    );
    expect(what).toEqual(['definition 0 is not readable', 'its hash is not that of its content']);
  });

  it('says of a tape whose index cannot be read that it is no tape', () => {
    expect(() => damaged("UPDATE market SET description = '' WHERE position = 0")).toThrow(TapeFailure);
  });
});
