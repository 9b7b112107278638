/** A journal that is used for months stays short: what a checkpoint stands for is packed beside it, and nothing is lost. */

import { copyFileSync, existsSync, mkdirSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import type { TimedRecord } from '../../src/core/run/journal.ts';
import { rebuild } from '../../src/journal/history/rebuild.ts';
import { type JournalFault, openRunJournal } from '../../src/journal/open-run-journal.ts';
import { readJournal } from '../../src/journal/read-journal.ts';
import type { RunJournal } from '../../src/journal/run-journal.ts';
import { journalFolder, open, recordsOf, refusalOf, rowsIn } from '../support/journal/journal-folder.ts';
import { MadeRecords } from '../support/journal/made-records.ts';

const newJournal = journalFolder();
const COUNT = 2_400;
const RECORDS = MadeRecords.of(3, COUNT);

/** With a step of compaction after each commit of some. */
function lived(journal: RunJournal, records: readonly TimedRecord[]): void {
  records.forEach(({ at, record }, index) => {
    journal.append(at, record);
    if (index % 50 !== 49) return;
    journal.commit();
    journal.compact();
  });
  journal.commit();
}

function withoutCheckpoints(records: readonly TimedRecord[]): readonly TimedRecord[] {
  return records.filter(({ record }) => record.kind !== 'checkpoint');
}

describe('a journal that is compacted', () => {
  it('leads to the same state, keeps its number of records, and gives all of them back', () => {
    const file = newJournal();
    const journal = open(file, { run: 'r1', checkpointAt: 1_000 });
    lived(journal, RECORDS);
    journal.close();
    expect(rowsIn(file)).toBeLessThan(COUNT / 1.5);
    expect(withoutCheckpoints(recordsOf(file))).toEqual(RECORDS);
    const again = open(file);
    expect(again.records).toBe(recordsOf(file).length);
    expect(again.restored).toEqual(rebuild('r1', RECORDS));
    again.close();
  });

  it('gives all back to a reader that began before its records were packed', () => {
    const file = newJournal();
    const journal = open(file, { run: 'r1', checkpointAt: 1_000 });
    const slow = RECORDS.slice(0, COUNT - 50);
    for (const { at, record } of slow) journal.append(at, record);
    journal.commit();
    journal.compact();
    for (const { at, record } of RECORDS.slice(COUNT - 50)) journal.append(at, record);
    journal.append(9, { kind: 'checkpoint', state: rebuild('r1', RECORDS) });
    journal.commit();
    const reader = readJournal(file);
    const seen: TimedRecord[] = [];
    const records = reader.records();
    for (let step = 0; step < 300; step += 1) seen.push(records.next().value);
    for (let step = 0; step < 60; step += 1) journal.compact();
    expect(rowsIn(file)).toBeLessThan(100);
    for (const each of records) seen.push(each);
    expect(reader.lost).toEqual([]);
    reader.close();
    journal.close();
    expect(withoutCheckpoints(seen.map(({ at, record }) => ({ at, record })))).toEqual(RECORDS);
  });

  it('opens and goes on without what was packed, and a reader says what it cannot read', () => {
    const file = newJournal();
    const journal = open(file, { run: 'r1', checkpointAt: 1_000 });
    lived(journal, RECORDS);
    journal.close();
    const all = recordsOf(file);
    for (const damage of [() => rmSync(`${file}.past`), () => writeFileSync(`${file}.past`, 'x'.repeat(9_000))]) {
      damage();
      open(file).close();
      const reader = readJournal(file);
      const rest = [...reader.records()].map(({ at, record }) => ({ at, record }));
      expect(rest).toEqual(all.slice(-rest.length));
      expect(rest.length).toBe(rowsIn(file));
      expect(reader.lost).toEqual([
        expect.objectContaining({ of: 'records', from: Number.NEGATIVE_INFINITY, to: rest[0]?.at }),
      ]);
      reader.close();
    }
    const faults: string[] = [];
    const next = openRunJournal({
      file,
      acceptCorrupt: false,
      checkpointAt: 1_000,
      onFault: ({ why }) => faults.push(why ?? ''),
    });
    lived(next, RECORDS);
    next.close();
    expect(faults[0], 'the damaged file is kept, and another begun').toContain('.past.corrupt-1');
    expect(existsSync(`${file}.past.corrupt-1`)).toBe(true);
    expect(recordsOf(file).length).toBeGreaterThan(COUNT);
  });

  it('keeps its records where they cannot be packed, says so once, and packs them when they can', () => {
    const file = newJournal();
    const faults: (string | undefined)[] = [];
    const onFault = ({ why }: JournalFault): void => void faults.push(why);
    const journal = open(file, { run: 'r1', checkpointAt: 1_000, onFault });
    mkdirSync(`${file}.past`);
    lived(journal, RECORDS);
    for (let step = 0; step < 1_000; step += 1) journal.compact();
    expect(faults).toEqual([expect.stringContaining('EISDIR')]);
    expect(rowsIn(file)).toBe(journal.records);
    rmdirSync(`${file}.past`);
    for (let step = 0; step < 1_000; step += 1) journal.compact();
    expect(faults).toEqual([expect.stringContaining('EISDIR'), undefined]);
    expect(rowsIn(file)).toBeLessThan(journal.records);
    journal.close();
    expect(withoutCheckpoints(recordsOf(file))).toEqual(RECORDS);
  });

  it('is refused where a record of its beginning is gone, or its beginning is not said', () => {
    const file = newJournal();
    const journal = open(file, { run: 'r1', checkpointAt: 1_000 });
    lived(journal, RECORDS);
    journal.close();
    for (const sql of [
      "UPDATE journal SET value = (SELECT min(sequence) || ' 00000000000000000000000000000000' FROM record) WHERE name = 'base'; DELETE FROM record WHERE sequence = (SELECT min(sequence) FROM record)",
      "DELETE FROM journal WHERE name = 'base'",
    ]) {
      const damaged = newJournal();
      for (const part of ['', '.head', '.past']) copyFileSync(`${file}${part}`, `${damaged}${part}`);
      const database = new Database(damaged);
      database.exec(sql);
      database.close();
      expect(refusalOf(() => open(damaged))?.code).toBe('JOURNAL_CORRUPT');
      const accepted = open(damaged, { acceptCorrupt: true });
      expect(accepted.opening.state).toBe('acceptedCorrupt');
      expect(accepted.restored?.lastClient).toBeGreaterThanOrEqual(1_000_000);
      accepted.close();
      open(damaged).close();
    }
  });
});
