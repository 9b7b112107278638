/** What `tape verify` says of a tape whose texts are damaged. */

import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TapeFailure } from '../../src/recording/tape/tape-failure.ts';
import { verifyTape } from '../../src/recording/verify.ts';

const sample = fileURLToPath(new URL('../../backtest/sample.tape', import.meta.url));
let work = '';

beforeAll(() => {
  work = mkdtempSync(join(tmpdir(), 'oddsmith-unreadable-'));
});
afterAll(() => rmSync(work, { recursive: true, force: true }));

function damaged(statement: string): readonly string[] {
  const path = join(work, 'damaged.tape');
  copyFileSync(sample, path);
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
