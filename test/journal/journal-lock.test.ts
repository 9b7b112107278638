/** Only one process can have a journal open for writing, however it ends; others may read it meanwhile. */

import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { AppendProcess } from '../support/journal/append-process.ts';
import { journalFolder, open, recordsOf, refusalOf, written } from '../support/journal/journal-folder.ts';
import { MadeRecords } from '../support/journal/made-records.ts';

const newJournal = journalFolder();

test('a second process is refused while the first lives, and not after it was killed', async () => {
  const file = newJournal();
  const first = new AppendProcess({ file });
  await first.said(20);
  const second = await new AppendProcess({ file, commits: 1 }).end();
  expect(second.failed).toMatchObject({ code: 'JOURNAL_BUSY', message: expect.stringContaining(file) });
  expect(refusalOf(() => open(file))?.code).toBe('JOURNAL_BUSY');
  first.kill();
  const { committed } = await first.end();
  const journal = open(file);
  expect(journal.restored?.lastClient).toBeGreaterThanOrEqual(committed);
  journal.close();
});

test('of two processes that start at the same time one gets the journal', async () => {
  for (let round = 0; round < 3; round++) {
    const file = newJournal();
    const both = [1, 2, 3].map((seed) => new AppendProcess({ file, seed, commits: 300 }));
    const ends = await Promise.all(both.map((each) => each.end()));
    const failed = ends.flatMap((end) => (end.failed === undefined ? [] : [end.failed.code]));
    const committed = ends.map((end) => end.committed);
    expect(new Set(failed).size, String(failed)).toBeLessThanOrEqual(1);
    if (failed.length > 0) expect(failed[0]).toBe('JOURNAL_BUSY');
    expect(recordsOf(file)).toHaveLength(Math.max(...committed));
  }
});

test('a reader sees every commit at once, and holds nobody up', async () => {
  const file = newJournal();
  const child = new AppendProcess({ file });
  await child.said(10);
  let seen = 0;
  for (let round = 0; round < 20; round++) {
    const now = recordsOf(file).length;
    expect(now).toBeGreaterThanOrEqual(seen);
    seen = now;
  }
  const shell = new Database(file, { readonly: true });
  expect(shell.prepare('SELECT count(*) FROM record').pluck().get()).toBeGreaterThanOrEqual(seen);
  shell.close();
  child.kill();
  const { committed, failed } = await child.end();
  expect(failed).toBeUndefined();
  expect(committed).toBeGreaterThan(0);
  expect(recordsOf(file).length).toBeGreaterThanOrEqual(committed);
});

test('somebody who writes past the lock is noticed at the next commit, and nothing follows it', () => {
  const file = newJournal();
  const journal = written(file, MadeRecords.of(1, 10));
  const other = new Database(file);
  other.exec("INSERT INTO record VALUES (11, 1, 'ended', '{}', 'x')");
  other.close();
  journal.append(1, { kind: 'marketDone', market: 'm' });
  expect(() => journal.commit()).toThrow('another process keeps this journal');
  expect(() => journal.append(1, { kind: 'marketDone', market: 'm' })).toThrow('another process keeps this journal');
  journal.close();
  expect(refusalOf(() => open(file))).toMatchObject({ code: 'JOURNAL_CORRUPT', sequence: 11 });
});

test('a write that somebody else holds up for a moment is waited for, and tried again after that', () => {
  const file = newJournal();
  const journal = written(file, MadeRecords.of(1, 10));
  const other = new Database(file);
  other.exec('BEGIN IMMEDIATE');
  journal.append(1, { kind: 'marketDone', market: 'm' });
  expect(() => journal.commit()).toThrow('another process keeps this journal');
  other.exec('ROLLBACK');
  other.close();
  journal.commit();
  journal.close();
  expect(recordsOf(file)).toHaveLength(11);
});
