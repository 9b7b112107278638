/** A process that died during a commit leaves a tail, which is dropped and reported. */

import { copyFileSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { copyJournal, journalFolder, open, recordsOf, written } from '../support/journal/journal-folder.ts';
import { MadeRecords } from '../support/journal/made-records.ts';
import { Random } from '../support/random.ts';

const newJournal = journalFolder();
const RECORDS = MadeRecords.of(1, 60);
/** The journal before a commit, and with the log of that commit. */
const before = newJournal();
const after = newJournal();
let logBefore = 0;
let logAfter: Buffer;

beforeAll(() => {
  const live = newJournal();
  const journal = written(live, RECORDS.slice(0, 20));
  copyJournal(live, before);
  for (const { at, record } of RECORDS.slice(20)) journal.append(at, record);
  journal.commit();
  copyJournal(live, after);
  journal.close();
  logBefore = readFileSync(`${before}-wal`).length;
  logAfter = readFileSync(`${after}-wal`);
});

/** The journal with the first `length` bytes of the log, and the head from before or after the commit. */
function cutAt(length: number, head: string): string {
  const file = join(mkdtempSync(join(dirname(before), 'cut-')), 'journal.db');
  copyJournal(before, file);
  writeFileSync(`${file}-wal`, logAfter.subarray(0, length));
  copyFileSync(`${head}.head`, `${file}.head`);
  return file;
}

test('the log of the next commit is longer by several pages', () => {
  expect(logAfter.length - logBefore).toBeGreaterThan(3 * 4120);
});

test('a commit that was cut off anywhere is dropped, and everything before it kept', () => {
  const random = new Random(1);
  const lengths = Array.from({ length: 25 }, () => random.between(logBefore + 25, logAfter.length - 1));
  for (const length of [logBefore + 25, logBefore + 4120, logAfter.length - 1, ...lengths]) {
    const file = cutAt(length, before);
    const journal = open(file);
    expect(journal.opening, `log cut to ${length}`).toMatchObject({ state: 'tornTail', records: 20 });
    journal.append(9, { kind: 'marketDone', market: 'after' });
    journal.commit();
    journal.close();
    expect(recordsOf(file).slice(0, -1)).toEqual(RECORDS.slice(0, 20));
    const again = open(file);
    expect(again.opening).toEqual({ state: 'whole', droppedRecords: 0, records: 21 });
    again.close();
  }
});

test('it is said how many records were dropped, as far as they can be seen', () => {
  const journal = open(cutAt(logAfter.length - 1, before));
  expect(journal.opening.droppedRecords).toBeGreaterThan(5);
  expect(journal.opening.droppedRecords).toBeLessThanOrEqual(40);
  journal.close();
});

test('the same cut is no torn tail, but a loss, where the commit had returned', () => {
  for (const length of [logBefore, logBefore + 4120, logAfter.length - 1])
    expect(() => open(cutAt(length, after))).toThrow('40 after it were committed');
});

test('a commit that was whole on disk counts, although the process died before it could say so', () => {
  const journal = open(cutAt(logAfter.length, before));
  expect(journal.opening).toEqual({ state: 'whole', droppedRecords: 0, records: 60 });
  journal.close();
});
