/** What explains a run stands in files of its own, is kept by size and age, and costs nothing else where it is lost. */

import { appendFileSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import type { ExplainingRecord, TimedRecord } from '../../src/core/run/journal.ts';
import { openRunJournal, type RunJournalOptions } from '../../src/journal/open-run-journal.ts';
import { type LostSpan, readJournal } from '../../src/journal/read-journal.ts';
import { journalFolder } from '../support/journal/journal-folder.ts';
import { sentOrder } from '../support/journal/made-records.ts';

const newJournal = journalFolder();
const DAY_MS = 86_400_000;
const NOW = 1_700_000_000_000;

function refused(value: number): ExplainingRecord {
  return { kind: 'refused', strategy: 'a', market: 'm1', code: 'LIMIT_MARKET', limit: 1, value };
}

function decided(why: string): ExplainingRecord {
  return { kind: 'decided', strategy: 'a', market: 'm1', why, intents: [] };
}

function opened(file: string, over: Partial<RunJournalOptions> = {}) {
  return openRunJournal({ file, run: 'r1', acceptCorrupt: false, ...over });
}

function read(file: string): { readonly records: readonly TimedRecord[]; readonly lost: readonly LostSpan[] } {
  const reader = readJournal(file);
  try {
    return { records: [...reader.records()].map(({ at, record }) => ({ at, record })), lost: reader.lost };
  } finally {
    reader.close();
  }
}

function folderOf(file: string): string {
  return `${file}.explain`;
}

function filesOf(file: string): readonly string[] {
  return readdirSync(folderOf(file)).sort();
}

/** Orders with decisions and refusals between them, over several openings. */
function life(file: string, openings = 3): readonly TimedRecord[] {
  const told: TimedRecord[] = [];
  for (let opening = 0; opening < openings; opening += 1) {
    const journal = opened(file);
    for (let step = 0; step < 5; step += 1) {
      const [at, client] = [NOW + told.length, opening * 10 + step + 1];
      const records = [
        decided('prices'),
        refused(client),
        { kind: 'sent', ...sentOrder(client) } as const,
        refused(-client),
      ];
      for (const record of records.slice(step % 2)) {
        journal.append(at, record);
        told.push({ at, record });
      }
      journal.commit();
    }
    journal.close();
  }
  return told;
}

describe('what explains a run', () => {
  it('is read in its place between the records that it follows on, over restarts too', () => {
    const file = newJournal();
    const told = life(file);
    expect(read(file)).toEqual({ records: told, lost: [] });
    const database = new Database(file, { readonly: true });
    const kinds = database.prepare('SELECT DISTINCT kind FROM record').pluck().all();
    database.close();
    expect(kinds).toEqual(['sent']);
    expect(filesOf(file)).toEqual(['000001.2023-11-14.jsonl']);
  });

  it('is its owner’s alone', () => {
    const file = newJournal();
    life(file);
    expect(statSync(folderOf(file)).mode & 0o777).toBe(0o700);
    for (const name of filesOf(file)) expect(statSync(join(folderOf(file), name)).mode & 0o777).toBe(0o600);
  });

  it('whose whole folder was removed is missed, and a reader says of which span', () => {
    const file = newJournal();
    const told = life(file);
    rmSync(folderOf(file), { recursive: true });
    const gone = { of: 'explanations', from: Number.NEGATIVE_INFINITY, why: 'files of explanations were removed' };
    const lost = [{ ...gone, to: Number.POSITIVE_INFINITY }];
    expect(read(file)).toEqual({ records: told.filter(({ record }) => record.kind === 'sent'), lost });

    const at = NOW + 1_000;
    const journal = opened(file);
    journal.append(at, decided('start'));
    journal.commit();
    journal.close();
    expect(filesOf(file)).toEqual(['000002.2023-11-14.jsonl']);
    expect(read(file).lost).toEqual([{ ...gone, to: at }]);
  });

  it('is missed where the newest files were removed, and nothing goes on in an older one', () => {
    const file = newJournal();
    const journal = opened(file, { explain: { keepBytes: 1_000_000, keepDays: 30 } });
    for (let day = 0; day < 3; day += 1) {
      journal.append(NOW + day * DAY_MS, decided('prices'));
      journal.append(NOW + day * DAY_MS, { kind: 'sent', ...sentOrder(day + 1) });
      journal.commit();
    }
    // The journal notes a file with the commit that follows on it.
    journal.append(NOW + 2 * DAY_MS, { kind: 'marketDone', market: 'm1' });
    journal.commit();
    journal.close();
    const [first = '', second = '', third = ''] = filesOf(file);
    for (const name of [second, third]) rmSync(join(folderOf(file), name));
    const gone = { of: 'explanations', from: NOW, why: 'files of explanations were removed' };
    expect(read(file).lost).toEqual([{ ...gone, to: Number.POSITIVE_INFINITY }]);

    const next = opened(file);
    next.append(NOW + 1, decided('start'));
    next.commit();
    next.close();
    expect(filesOf(file)).toEqual([first, '000004.2023-11-14.jsonl']);
    expect(read(file).lost).toEqual([{ ...gone, to: NOW + 1 }]);
  });

  it('is kept up to its size: the oldest files go, and a reader says since when it can explain', () => {
    const file = newJournal();
    const explain = { keepBytes: 100_000, keepDays: 30 };
    const journal = opened(file, { explain });
    for (let step = 0; step < 5_000; step += 1) {
      journal.append(NOW + step, refused(step));
      if (step % 7 === 0) journal.commit();
      if (step % 1_000 === 0) journal.append(NOW + step, { kind: 'marketDone', market: `m${step}` });
      const bytes = filesOfSafe(file).reduce((sum, name) => sum + statSync(join(folderOf(file), name)).size, 0);
      expect(bytes).toBeLessThanOrEqual(explain.keepBytes);
    }
    journal.close();
    const { records, lost } = read(file);
    const explained = records.filter(({ record }) => record.kind === 'refused');
    expect(explained.length).toBeGreaterThan(500);
    expect(explained.at(-1)).toEqual({ at: NOW + 4_999, record: refused(4_999) });
    expect(records.filter(({ record }) => record.kind === 'marketDone')).toHaveLength(5);
    const to = explained[0]?.at;
    expect(lost).toEqual([
      { of: 'explanations', from: Number.NEGATIVE_INFINITY, to, why: 'files of explanations were removed' },
    ]);
  });

  it('is kept for its days', () => {
    const file = newJournal();
    const explain = { keepBytes: 1_000_000, keepDays: 3 };
    for (let day = 0; day < 9; day += 1) {
      const journal = opened(file, { explain });
      journal.append(NOW + day * DAY_MS, refused(day));
      journal.close();
    }
    expect(filesOf(file)).toHaveLength(4);
    expect(read(file).records.map(({ record }) => record)).toEqual([5, 6, 7, 8].map(refused));
  });
});

describe('a fault of what explains', () => {
  it('costs the damaged lines alone, and is said', () => {
    const file = newJournal();
    const told = life(file, 1);
    const path = join(folderOf(file), filesOf(file)[0] ?? '');
    const lines = readFileSync(path, 'utf8').split('\n');
    const damaged = [lines[0], lines[1]?.replace('LIMIT', 'LIMIX'), 'no line at all', ...lines.slice(2)].join('\n');
    writeFileSync(path, damaged);
    const { records, lost } = read(file);
    const second = told.filter(({ record }) => record.kind !== 'sent')[1];
    expect(records).toEqual(told.filter((each) => each !== second));
    expect(lost).toEqual([
      expect.objectContaining({ of: 'explanations', from: NOW, why: expect.stringContaining('damaged') }),
    ]);
    opened(file).close();
  });

  it('costs none of what follows where a line was cut off', () => {
    const file = newJournal();
    life(file, 1);
    appendFileSync(join(folderOf(file), filesOf(file)[0] ?? ''), '0123 half of a li');
    expect(read(file).lost, 'it may still be written').toEqual([]);
    const journal = opened(file);
    journal.append(NOW + 50, refused(50));
    journal.close();
    const { records, lost } = read(file);
    expect(records.at(-1)).toEqual({ at: NOW + 50, record: refused(50) });
    expect(lost).toHaveLength(1);
  });

  it.each([
    ['a file is in the way of its folder', (file: string) => writeFileSync(folderOf(file), '')],
    [
      'its file is a folder',
      (file: string) => mkdirSync(join(folderOf(file), '000001.2023-11-14.jsonl'), { recursive: true }),
    ],
  ])('lets the run go on: %s', (_, inTheWay) => {
    const file = newJournal();
    const faults: (string | undefined)[] = [];
    inTheWay(file);
    const journal = opened(file, { onFault: ({ of, why }) => faults.push(why === undefined ? why : `${of}: ${why}`) });
    for (const step of [1, 2, 3]) {
      journal.append(NOW + step, refused(step));
      journal.append(NOW + step, { kind: 'sent', ...sentOrder(step) });
      journal.commit();
    }
    expect(faults, 'said once').toEqual([expect.stringMatching(/^explain: E/)]);
    rmSync(folderOf(file), { recursive: true });
    journal.append(NOW + 4, refused(4));
    journal.commit();
    expect(faults.at(-1), 'and when it works again').toBeUndefined();
    journal.close();
    const { records, lost } = read(file);
    expect(records.map(({ record }) => record.kind)).toEqual(['sent', 'sent', 'sent', 'refused']);
    expect(lost).toEqual([expect.objectContaining({ of: 'explanations', to: NOW + 4 })]);
  });

  it('is no fault of a start: its folder may be missing', () => {
    const file = newJournal();
    const told = life(file, 1);
    rmSync(folderOf(file), { recursive: true });
    const journal = opened(file);
    expect(journal.restored?.orders).toHaveLength(5);
    journal.close();
    expect(read(file).records).toEqual(told.filter(({ record }) => record.kind === 'sent'));
  });
});

function filesOfSafe(file: string): readonly string[] {
  try {
    return filesOf(file);
  } catch {
    return [];
  }
}
