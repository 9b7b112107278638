/** A journal keeps committed records in order and chained, and says what it found when it was opened. */

import { existsSync, mkdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import { rebuild } from '../../src/journal/history/rebuild.ts';
import { filesBeside, journalFolder, open, recordsOf, refusalOf, written } from '../support/journal/journal-folder.ts';
import { MadeRecords } from '../support/journal/made-records.ts';

const newJournal = journalFolder();
const RECORDS = MadeRecords.of(1, 60);

describe('a journal', () => {
  test('is its owner’s alone, with all files beside it that hold records', () => {
    const file = newJournal();
    const journal = written(file, RECORDS);
    for (const beside of filesBeside(file).filter((name) => !name.endsWith('.lock')))
      expect([beside, statSync(`${file}${beside}`).mode & 0o077]).toEqual([beside, 0]);
    journal.close();
  });

  test('gives back what was committed, and what it amounts to', () => {
    const file = newJournal();
    const first = written(file, RECORDS);
    expect(first.opening).toEqual({ state: 'new', droppedRecords: 0, records: 0 });
    expect(first.restored).toBeUndefined();
    first.close();
    const second = open(file);
    expect(second.opening).toEqual({ state: 'whole', droppedRecords: 0, records: 60 });
    expect(second.run).toBe('r1');
    expect(second.head).toBe(first.head);
    expect(second.restored).toEqual(rebuild('r1', RECORDS));
    second.close();
    expect(recordsOf(file)).toEqual(RECORDS);
  });

  test('goes on where it ended, from the newest checkpoint', () => {
    const file = newJournal();
    for (const from of [0, 20, 40]) {
      const journal = open(file, { run: 'r1' });
      for (const { at, record } of RECORDS.slice(from, from + 20)) journal.append(at, record);
      const state = rebuild('r1', RECORDS.slice(0, from + 20));
      if (from < 40) journal.append(RECORDS[from]?.at ?? 0, { kind: 'checkpoint', state });
      journal.commit();
      journal.close();
    }
    const journal = open(file);
    expect(journal.records).toBe(62);
    expect(journal.restored).toEqual(rebuild('r1', RECORDS));
    journal.close();
  });

  test('loses what was appended and not committed', () => {
    const file = newJournal();
    const journal = written(file, RECORDS.slice(0, 30));
    journal.append(1, { kind: 'phase', from: 'a', to: 'b', cause: 'never committed' });
    expect(journal.records).toBe(30);
    journal.close();
    expect(recordsOf(file)).toEqual(RECORDS.slice(0, 30));
    expect(() => journal.append(1, { kind: 'marketDone', market: 'm' })).toThrow('closed');
    expect(() => journal.commit()).toThrow('closed');
  });

  test('takes any number of records between two commits: they are not left to wait', () => {
    const journal = open(newJournal(), { run: 'r1' });
    for (let i = 0; i < 120_000; i += 1) journal.append(1, { kind: 'marketDone', market: 'm' });
    expect(journal.records).toBeGreaterThan(100_000);
    journal.commit();
    expect(journal.records).toBe(120_000);
    journal.close();
  });

  test('has the same head for the same records however they were committed, and another for others', () => {
    const heads = [1, 7, 60].map((each) => {
      const journal = written(newJournal(), RECORDS, each);
      journal.close();
      return journal.head;
    });
    expect(new Set(heads).size).toBe(1);
    const [first, second, ...rest] = RECORDS;
    const swapped = written(
      newJournal(),
      [second, first, ...rest].filter((each) => each !== undefined),
    );
    swapped.close();
    expect(swapped.head).not.toBe(heads[0]);
    const other = open(newJournal(), { run: 'r2' });
    for (const { at, record } of RECORDS) other.append(at, record);
    other.commit();
    other.close();
    expect(other.head).not.toBe(heads[0]);
  });

  test('only grows, whoever writes', () => {
    const file = newJournal();
    written(file, RECORDS).close();
    const database = new Database(file);
    expect(() => database.exec('DELETE FROM record WHERE sequence = 60')).toThrow('only grows');
    expect(() => database.exec("UPDATE record SET body = '{}' WHERE sequence = 60")).toThrow('only grows');
    database.close();
  });

  test('is one file, its head and its lock once it is closed; a commit of nothing writes nothing', () => {
    const file = newJournal();
    const journal = written(file, RECORDS);
    const log = statSync(`${file}-wal`).size;
    expect(log).toBeGreaterThan(0);
    journal.commit();
    expect(statSync(`${file}-wal`).size).toBe(log);
    journal.close();
    expect(filesBeside(file)).toEqual(['', '.head', '.lock']);
  });
});

describe('an opening is refused', () => {
  test('where there is no journal and no name for a new one', () => {
    const file = newJournal();
    expect(refusalOf(() => open(file))?.code).toBe('JOURNAL_NOT_FOUND');
    expect(existsSync(file)).toBe(false);
  });

  test('where the folder is missing, is a file, or the journal is a folder', () => {
    const file = newJournal();
    writeFileSync(file, '');
    mkdirSync(`${file}.d`);
    for (const path of [join(dirname(file), 'none', 'j.db'), join(file, 'j.db'), `${file}.d`]) {
      const refusal = refusalOf(() => open(path, { run: 'r1' }));
      expect(refusal, path).toMatchObject({ code: 'JOURNAL_NOT_WRITABLE', where: path });
    }
  });

  test('where the file is of another program, which is left alone whatever is accepted', () => {
    const file = newJournal();
    const database = new Database(file);
    database.exec('CREATE TABLE mine (x)');
    database.close();
    for (const acceptCorrupt of [false, true])
      expect(refusalOf(() => open(file, { run: 'r1', acceptCorrupt }))?.code).toBe('NOT_A_JOURNAL');
    expect(filesBeside(file).filter((name) => name.includes('corrupt'))).toEqual([]);
  });

  test('where a later version wrote it', () => {
    const file = newJournal();
    written(file, RECORDS).close();
    const database = new Database(file);
    database.pragma('user_version = 3');
    database.close();
    // A later version may write its head in another format too.
    writeFileSync(`${file}.head`, 'something else');
    for (const acceptCorrupt of [false, true])
      expect(refusalOf(() => open(file, { acceptCorrupt }))?.code).toBe('JOURNAL_NEWER');
  });

  test('where the journal is in use, by whatever name it is reached', () => {
    const file = newJournal();
    const journal = written(file, RECORDS);
    const link = join(dirname(file), 'link.db');
    symlinkSync(file, link);
    for (const path of [file, link]) {
      const refusal = refusalOf(() => open(path));
      expect(refusal).toMatchObject({ code: 'JOURNAL_BUSY', where: file });
    }
    journal.append(1, { kind: 'marketDone', market: 'm' });
    journal.commit();
    journal.close();
    expect(refusalOf(() => open(link))).toBeUndefined();
  });
});

test('a failure says what, where, why and what next', () => {
  const refusal = refusalOf(() => open(newJournal()));
  expect(refusal).toBeDefined();
  for (const field of ['what', 'where', 'why', 'next'] as const) expect(refusal?.[field]).not.toBe('');
});
