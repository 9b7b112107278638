/** Without room, or without the right to write, the journal says so, and a commit is complete or absent. */

import { chmodSync } from 'node:fs';
import { dirname } from 'node:path';
import { expect, test } from 'vitest';
import { failureOf } from '../../src/journal/file/journal-database.ts';
import { journalFiles } from '../../src/journal/file/journal-files.ts';
import { AppendProcess } from '../support/journal/append-process.ts';
import { filesBeside, journalFolder, open, recordsOf, written } from '../support/journal/journal-folder.ts';
import { MadeRecords } from '../support/journal/made-records.ts';
import { memoryRunJournal } from '../support/journal/memory-run-journal.ts';

const newJournal = journalFolder();

test.each([300, 1_000, 3_000])(
  'a process that may write no more than %d KiB into a file says JOURNAL_FULL',
  async (kib) => {
    const file = newJournal();
    const full = await new AppendProcess({ file, limits: `ulimit -f ${kib}` }).end();
    expect(full.failed?.code, full.failed?.message).toBe('JOURNAL_FULL');
    expect(full.committed).toBeGreaterThan(0);
    const journal = open(file);
    expect(['whole', 'tornTail']).toContain(journal.opening.state);
    expect(journal.restored?.lastClient).toBe(full.committed);
    journal.close();
    expect(recordsOf(file)).toHaveLength(full.committed);
    expect(filesBeside(file)).toEqual(['', '.head', '.lock']);
    const more = await new AppendProcess({ file, commits: 5 }).end();
    expect(more).toMatchObject({ failed: undefined, opening: { state: 'whole' } });
  },
);

test('a process that finds no room for a journal at all says JOURNAL_FULL, and the next one begins it', async () => {
  for (const kib of [1, 8, 16, 24, 36, 64]) {
    const file = newJournal();
    const full = await new AppendProcess({ file, limits: `ulimit -f ${kib}`, commits: 50 }).end();
    expect(full.failed?.code, `${kib} KiB: ${full.failed?.message}`).toBe('JOURNAL_FULL');
    const next = await new AppendProcess({ file, commits: 5 }).end();
    expect(next.failed, `${kib} KiB`).toBeUndefined();
  }
});

test('what did not fit still waits, and is committed once there is room', () => {
  const files = journalFiles(newJournal());
  const memory = memoryRunJournal({ run: 'r1', failureOf: (error) => failureOf(files, error) });
  const { database } = memory;
  const journal = memory.open();
  database.pragma(`max_page_count = ${Number(database.pragma('page_count', { simple: true })) + 2}`);
  const records = MadeRecords.of(1, 100);
  for (const { at, record } of records) journal.append(at, record);
  for (let times = 0; times < 3; times++) expect(() => journal.commit()).toThrow('no room left');
  expect(journal.records).toBe(0);
  expect(database.prepare('SELECT count(*) FROM record').pluck().get()).toBe(0);
  database.pragma('max_page_count = 10000');
  journal.commit();
  expect(journal.records).toBe(100);
  const inFile = written(newJournal(), records);
  expect(journal.head).toBe(inFile.head);
  inFile.close();
  memory.close();
});

test('a folder or a file that may not be written is refused before anything is done', async () => {
  for (const isThere of [false, true]) {
    const file = newJournal();
    const folder = dirname(file);
    if (isThere) written(file, MadeRecords.of(1, 10)).close();
    const before = filesBeside(file);
    chmodSync(folder, 0o555);
    const refused = await new AppendProcess({ file, commits: 1, obeysModes: true }).end();
    expect(refused.failed).toMatchObject({ code: 'JOURNAL_NOT_WRITABLE', message: expect.stringContaining('EACCES') });
    expect(filesBeside(file)).toEqual(before);
    chmodSync(folder, 0o755);
    if (!isThere) continue;
    chmodSync(file, 0o444);
    const readOnly = await new AppendProcess({ file, commits: 1, obeysModes: true }).end();
    expect(readOnly.failed).toMatchObject({ code: 'JOURNAL_NOT_WRITABLE', message: expect.stringContaining(file) });
    expect(filesBeside(file)).toEqual(before);
  }
});
