/** Accepting a damaged journal: what is kept, what is moved aside, and that no order number is used twice. */

import { copyFileSync, existsSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import { beforeAll, expect, test } from 'vitest';
import type { TimedRecord } from '../../src/core/run/journal.ts';
import {
  copyJournal,
  filesBeside,
  journalFolder,
  open,
  recordsOf,
  refusalOf,
  written,
} from '../support/journal/journal-folder.ts';
import { sentOrder } from '../support/journal/made-records.ts';

const newJournal = journalFolder();
const RECORDS: readonly TimedRecord[] = Array.from({ length: 30 }, (_, index) => ({
  at: 1_000 + index,
  record: { kind: 'sent', ...sentOrder(index + 1) },
}));
const original = newJournal();

beforeAll(() => written(original, RECORDS).close());

/** A copy in which the body of one record was changed. */
function damagedAt(sequence: number): string {
  const file = join(mkdtempSync(join(dirname(original), 'damaged-')), 'journal.db');
  copyJournal(original, file);
  damage(file, sequence);
  return file;
}

function damage(file: string, sequence: number): void {
  const database = new Database(file);
  database.exec('DROP TRIGGER record_keeps');
  database.prepare("UPDATE record SET body = 'rubbish' WHERE sequence = ?").run(sequence);
  database.close();
}

test('a damaged record is lost, and those before and behind it are kept', () => {
  const file = damagedAt(12);
  const refusal = refusalOf(() => open(file));
  expect(refusal).toMatchObject({ code: 'JOURNAL_CORRUPT', sequence: 12, where: `${file}, record 12` });
  expect(filesBeside(file)).toEqual(['', '.head', '.lock']);

  const journal = open(file, { acceptCorrupt: true });
  const quarantine = `${file}.corrupt-1`;
  expect(journal.opening).toEqual({ state: 'acceptedCorrupt', droppedRecords: 1, quarantine, records: 30 });
  expect(journal.run).toBe('r1');
  const clients = journal.restored?.orders.map(({ terms }) => terms.client);
  expect(clients).toEqual(RECORDS.map((_, index) => index + 1).filter((client) => client !== 12));
  expect(journal.restored?.lastClient).toBe(1_000_030);
  journal.close();
  expect(recordsOf(file).slice(0, 29)).toEqual(RECORDS.filter((_, index) => index !== 11));
});

test('the jump of the numbers survives the next start, and is made once', () => {
  const file = damagedAt(30);
  open(file, { acceptCorrupt: true }).close();
  const journal = open(file, { acceptCorrupt: true });
  expect(journal.opening.state).toBe('whole');
  expect(journal.restored?.lastClient).toBe(1_000_030);
  journal.close();
});

test('damaged files are put aside as they were, each time under a new name', () => {
  const file = damagedAt(12);
  const bytes = readFileSync(file);
  open(file, { acceptCorrupt: true }).close();
  expect(readFileSync(`${file}.corrupt-1`)).toEqual(bytes);
  damage(file, 5);
  const journal = open(file, { acceptCorrupt: true });
  expect(journal.opening.quarantine).toBe(`${file}.corrupt-2`);
  journal.close();
  expect(readFileSync(`${file}.corrupt-1`)).toEqual(bytes);
  expect(filesBeside(file).filter((name) => name.includes('corrupt'))).toEqual([
    '.corrupt-1',
    '.corrupt-1.head',
    '.corrupt-2',
    '.corrupt-2.head',
  ]);
});

test('accepting changes nothing where nothing is damaged', () => {
  const file = join(mkdtempSync(join(dirname(original), 'whole-')), 'journal.db');
  copyJournal(original, file);
  const journal = open(file, { acceptCorrupt: true });
  expect(journal.opening).toEqual({ state: 'whole', droppedRecords: 0, records: 30 });
  expect(journal.restored?.lastClient).toBe(30);
  journal.close();
});

test('without any record left, the head still tells the run and the highest number', () => {
  const file = damagedAt(12);
  rmSync(file);
  const journal = open(file, { acceptCorrupt: true, run: 'another' });
  expect(journal.run).toBe('r1');
  expect(journal.opening).toMatchObject({ state: 'acceptedCorrupt', droppedRecords: 30 });
  expect(journal.restored).toMatchObject({ lastClient: 1_000_030, orders: [] });
  journal.close();
});

test('a file that SQLite cannot read at all gives back every record all the same', () => {
  const file = damagedAt(12);
  copyFileSync(original, file);
  const bytes = readFileSync(file);
  bytes.fill(0, 0, 100);
  writeFileSync(file, bytes);
  expect(refusalOf(() => open(file))?.why).toContain('SQLITE_NOTADB');
  const journal = open(file, { acceptCorrupt: true });
  expect(journal.opening).toMatchObject({ droppedRecords: 0, records: 31 });
  expect(journal.restored?.orders).toHaveLength(30);
  journal.close();
});

test('a number that stands in a damaged record only is not given again', () => {
  const file = join(mkdtempSync(join(dirname(original), 'high-')), 'journal.db');
  const journal = open(file, { run: 'r1' });
  for (const client of [1, 2, 500_000, 3]) journal.append(1, { kind: 'sent', ...sentOrder(client) });
  journal.commit();
  journal.close();
  rmSync(`${file}.head`);
  const database = new Database(file);
  database.exec("DROP TRIGGER record_keeps; UPDATE record SET checksum = 'x' WHERE sequence = 3");
  database.close();
  const accepted = open(file, { acceptCorrupt: true });
  expect(accepted.restored?.lastClient).toBe(1_500_000);
  accepted.close();
});

test('where not even the name of the run is left, it is refused, and nothing is moved', () => {
  const file = newJournal();
  writeFileSync(file, Buffer.alloc(20_000, 7));
  for (const acceptCorrupt of [false, true]) {
    const refusal = refusalOf(() => open(file, { acceptCorrupt, run: 'r9' }));
    expect(refusal?.code).toBe('JOURNAL_CORRUPT');
    if (acceptCorrupt) expect(refusal?.why).toContain('not even the name of its run');
  }
  expect(filesBeside(file)).toEqual(['', '.lock']);
});

test('an acceptance that was cut off at any step is finished by the next start', () => {
  const model = damagedAt(12);
  open(model, { acceptCorrupt: true }).close();
  const steps: readonly ((file: string) => void)[] = [
    () => undefined,
    (file) => renameSync(file, `${file}.corrupt-1`),
    (file) => renameSync(`${file}.head`, `${file}.corrupt-1.head`),
    (file) => copyFileSync(`${model}.head`, `${file}.head`),
  ];
  for (let done = 1; done <= steps.length; done++) {
    const file = damagedAt(12);
    const damaged = readFileSync(file);
    freshOf(model, file);
    for (const step of steps.slice(0, done)) step(file);
    const journal = open(file, { run: 'another' });
    expect(journal.run).toBe('r1');
    expect(journal.opening, `after ${done} steps`).toMatchObject({
      state: 'acceptedCorrupt',
      records: 30,
      droppedRecords: 1,
    });
    expect(journal.restored?.lastClient).toBe(1_000_030);
    journal.close();
    expect(readFileSync(`${file}.corrupt-1`)).toEqual(damaged);
    expect(existsSync(`${file}.fresh`)).toBe(false);
  }
});

/** Makes the new journal as the acceptance does, with the name under which the damaged one is to be moved aside. */
function freshOf(model: string, file: string): void {
  copyFileSync(model, `${file}.fresh`);
  const database = new Database(`${file}.fresh`);
  database.prepare("UPDATE journal SET value = ? WHERE name = 'quarantine'").run(`${file}.corrupt-1`);
  database.close();
}
