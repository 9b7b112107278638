/** A journal is read in order and checked while it is read, by anyone who may read the file. */

import { chmodSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { readJournal } from '../../src/journal/read-journal.ts';
import { journalFolder, recordsOf, written } from '../support/journal/journal-folder.ts';
import { MadeRecords } from '../support/journal/made-records.ts';

const newJournal = journalFolder();
/** More records than are read at a time. */
const RECORDS = MadeRecords.of(5, 2_500);

test('every record comes once, in order, with its number', () => {
  const file = newJournal();
  written(file, RECORDS, 100).close();
  const reader = readJournal(file);
  expect(reader.run).toBe('r1');
  expect([...reader.records()]).toEqual(RECORDS.map((each, index) => ({ sequence: index + 1, ...each })));
  reader.close();
});

test('what is committed while it is read comes too', () => {
  const file = newJournal();
  const journal = written(file, RECORDS.slice(0, 1_500), 500);
  const reader = readJournal(file);
  let count = 0;
  for (const { sequence } of reader.records()) {
    count += 1;
    if (sequence !== 10) continue;
    for (const { at, record } of RECORDS.slice(1_500)) journal.append(at, record);
    journal.commit();
  }
  expect(count).toBe(2_500);
  reader.close();
  journal.close();
});

test('a damaged record ends the reading with a failure that names it, after all good ones', () => {
  const file = newJournal();
  written(file, RECORDS, 100).close();
  const database = new Database(file);
  database.exec('DROP TRIGGER record_keeps; UPDATE record SET at = at + 1 WHERE sequence = 1777');
  database.close();
  const reader = readJournal(file);
  let count = 0;
  expect(() => {
    for (const _ of reader.records()) count += 1;
  }).toThrow(expect.objectContaining({ code: 'JOURNAL_CORRUPT', sequence: 1_777 }));
  expect(count).toBe(1_776);
  reader.close();
});

test('a journal whose end was lost is not read as a shorter one', () => {
  const file = newJournal();
  const journal = written(file, RECORDS.slice(0, 50), 10);
  const copy = newJournal();
  const database = new Database(file);
  database.exec(`VACUUM INTO '${copy}'`);
  database.close();
  journal.close();
  const shortened = new Database(copy);
  shortened.exec('DROP TRIGGER record_stays; DELETE FROM record WHERE sequence > 40');
  shortened.close();
  // A copy without the head is read to its end: nothing says how far it should go.
  expect(recordsOf(copy)).toHaveLength(40);
  const whole = new Database(file);
  whole.exec('DROP TRIGGER record_stays; DELETE FROM record WHERE sequence > 40');
  whole.close();
  expect(() => recordsOf(file)).toThrow('10 records at its end are lost');
});

test('a folder that may not be written is no hindrance once the journal is closed', () => {
  const file = newJournal();
  written(file, RECORDS.slice(0, 50)).close();
  rmSync(`${file}-shm`, { force: true });
  chmodSync(dirname(dirname(file)), 0o755);
  chmodSync(dirname(file), 0o555);
  chmodSync(file, 0o444);
  chmodSync(`${file}.head`, 0o444);
  expect(withoutRights(() => recordsOf(file))).toEqual(RECORDS.slice(0, 50));
  chmodSync(dirname(file), 0o755);
});

test('what is no journal is said to be none', () => {
  const file = newJournal();
  expect(() => readJournal(file)).toThrow(expect.objectContaining({ code: 'JOURNAL_NOT_FOUND' }));
  const database = new Database(file);
  database.exec('CREATE TABLE mine (x)');
  database.close();
  expect(() => readJournal(file)).toThrow(expect.objectContaining({ code: 'NOT_A_JOURNAL' }));
});

/** Root may write everywhere, so the work is done under another user. */
function withoutRights<T>(work: () => T): T {
  if (process.geteuid?.() !== 0) return work();
  process.seteuid?.(65_534);
  try {
    return work();
  } finally {
    process.seteuid?.(0);
  }
}
