/** A run whose journal an older build wrote goes on: its journal is migrated once and whole, and stays readable. */

import { copyFileSync, existsSync, renameSync, writeFileSync } from 'node:fs';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import type { TimedRecord } from '../../src/core/run/journal.ts';
import { rebuild } from '../../src/journal/history/rebuild.ts';
import { readJournal } from '../../src/journal/read-journal.ts';
import { writeFormat1 } from '../support/journal/format-1.ts';
import { filesBeside, journalFolder, open, recordsOf, refusalOf } from '../support/journal/journal-folder.ts';
import { MadeRecords } from '../support/journal/made-records.ts';

const newJournal = journalFolder();
const MADE = MadeRecords.of(5, 1_500);
const EXPLAINED: TimedRecord = {
  at: 1_700_000_000_000,
  record: { kind: 'refused', strategy: 'a', market: 'm1', code: 'LIMIT_MARKET', limit: 1, value: 2 },
};
const OLDER = [...MADE.slice(0, 700), EXPLAINED, ...MADE.slice(700, 1_200), EXPLAINED, ...MADE.slice(1_200)];
const STATE = rebuild('r1', OLDER);

function older(): string {
  const file = newJournal();
  writeFormat1(file, { run: 'r1', records: OLDER, lastClient: STATE.lastClient });
  return file;
}

function markedAs(file: string): unknown {
  const database = new Database(file, { readonly: true });
  try {
    return database.pragma('user_version', { simple: true });
  } finally {
    database.close();
  }
}

describe('a journal of format 1', () => {
  it('is read as it is', () => {
    const file = older();
    expect(recordsOf(file)).toEqual(OLDER);
    expect(markedAs(file)).toBe(1);
  });

  it('is migrated at the first start, with its state, and all of its records can be read', () => {
    const file = older();
    const journal = open(file);
    expect(journal.opening).toEqual({
      ...{ state: 'whole', droppedRecords: 0, records: OLDER.length + 1 },
      migratedFrom: `${file}.format-1`,
    });
    expect(journal.restored).toEqual(STATE);
    journal.append(EXPLAINED.at, EXPLAINED.record);
    journal.append(1, { kind: 'marketDone', market: 'after' });
    journal.commit();
    journal.close();
    expect([markedAs(file), markedAs(`${file}.format-1`)]).toEqual([2, 1]);
    const checkpoint = { at: OLDER.at(-1)?.at, record: { kind: 'checkpoint', state: STATE } };
    const after = { at: 1, record: { kind: 'marketDone', market: 'after' } };
    const reader = readJournal(file);
    expect([...reader.records()].map(({ at, record }) => ({ at, record }))).toEqual([
      ...OLDER,
      checkpoint,
      EXPLAINED,
      after,
    ]);
    expect(reader.lost).toEqual([]);
    reader.close();
    const again = open(file);
    expect(again.opening).toEqual({ state: 'whole', droppedRecords: 0, records: OLDER.length + 2 });
    again.close();
  });

  it('is migrated as well after a death at each step of it', () => {
    const migrated = older();
    open(migrated).close();
    // The complete new journal is made before anything is moved; then each file takes its new name.
    for (const moved of [0, 1, 2, 3]) {
      const file = older();
      copyFileSync(migrated, `${file}.fresh`);
      const database = new Database(`${file}.fresh`);
      database.exec(`UPDATE journal SET value = '${file}.format-1' WHERE name = 'quarantine'`);
      database.close();
      if (moved > 0) renameSync(file, `${file}.format-1`);
      if (moved > 1) renameSync(`${file}.head`, `${file}.format-1.head`);
      if (moved > 2) copyFileSync(`${migrated}.head`, `${file}.head`);
      const journal = open(file);
      expect(journal.restored, `${moved} moved`).toEqual(STATE);
      journal.close();
      expect(recordsOf(file).slice(0, OLDER.length)).toEqual(OLDER);
      expect(filesBeside(file)).toEqual(expect.arrayContaining(['', '.format-1', '.format-1.head', '.head', '.lock']));
      expect(filesBeside(file)).not.toContain('.fresh');
    }
    const half = older();
    writeFileSync(`${half}.making`, 'half a journal');
    open(half).close();
    expect(existsSync(`${half}.format-1`)).toBe(true);
  });

  it('is refused where it is put back in place of the one that the run went on in', () => {
    const file = older();
    const journal = open(file);
    journal.append(1, { kind: 'marketDone', market: 'after' });
    journal.commit();
    journal.close();
    copyFileSync(`${file}.format-1`, file);
    expect(refusalOf(() => open(file))?.code).toBe('JOURNAL_CORRUPT');
    copyFileSync(`${file}.format-1.head`, `${file}.head`);
    expect(refusalOf(() => open(file))).toMatchObject({
      code: 'JOURNAL_CORRUPT',
      why: expect.stringContaining('went on'),
    });
  });

  it('that is damaged is accepted as any other, and is of today’s format then', () => {
    const file = older();
    const database = new Database(file);
    database.exec("DROP TRIGGER record_keeps; UPDATE record SET body = '{}' WHERE sequence = 900");
    database.close();
    expect(refusalOf(() => open(file))).toMatchObject({ code: 'JOURNAL_CORRUPT', sequence: 900 });
    const journal = open(file, { acceptCorrupt: true });
    expect(journal.opening).toMatchObject({ state: 'acceptedCorrupt', droppedRecords: 1 });
    journal.close();
    expect(markedAs(file)).toBe(2);
    open(file).close();
  });
});
