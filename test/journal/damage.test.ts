/** Whatever happens to its files, a journal is either unchanged or refused; it never passes for a different one. */

import { copyFileSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import { beforeAll, describe, expect, test } from 'vitest';
import { damageTrial, type TrialEnd } from '../support/journal/damage-trial.ts';
import { copyJournal, journalFolder, open, PARTS, written } from '../support/journal/journal-folder.ts';
import { MadeRecords } from '../support/journal/made-records.ts';
import { Random } from '../support/random.ts';

const newJournal = journalFolder();
/** Number of bytes flipped in each part of the files; `all` flips each byte once, which takes minutes. */
const FLIPS = process.env['ODDSMITH_JOURNAL_FLIPS'] ?? '60';
const SEED = Number(process.env['ODDSMITH_JOURNAL_SEED'] ?? '1');
const RECORDS = MadeRecords.of(SEED, 40);

/** One journal after closing, and another after a kill: half of it in the file, half in the log. */
const closed = newJournal();
const killed = newJournal();
/** A record so long that it lies on pages of its own. */
const LONG = { kind: 'phase', from: 'arming', to: 'trading', cause: 'x'.repeat(9_000) } as const;
const ALL = [...RECORDS.slice(0, 16), { at: 7, record: LONG }, ...RECORDS.slice(16)];

beforeAll(() => {
  const live = newJournal();
  written(live, ALL.slice(0, 20)).close();
  const journal = open(live);
  for (const { at, record } of ALL.slice(20)) {
    journal.append(at, record);
    journal.commit();
  }
  copyJournal(live, killed);
  journal.close();
  copyJournal(live, closed);
});

function trial(original: string, damage: (file: string) => void): TrialEnd {
  const folder = mkdtempSync(join(dirname(original), 'trial-'));
  try {
    return damageTrial({ original, records: ALL, file: join(folder, 'journal.db'), damage });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

describe.each([
  ['closed', closed],
  ['killed', killed],
])('a journal that was %s', (state, original) => {
  const parts = PARTS.filter((part) => part !== '-wal' || state === 'killed');

  test('is whole as it is', () => {
    expect(trial(original, () => undefined)).toBe('harmless');
  });

  test.each(parts)(
    `with one byte of its files flipped is the same or refused: %j (${FLIPS} bytes)`,
    { timeout: 7_200_000 },
    (part) => {
      const bytes = readFileSync(`${original}${part}`);
      const random = new Random(SEED);
      const ends = { harmless: 0, found: 0 };
      const count = FLIPS === 'all' ? bytes.length : Number(FLIPS);
      for (let index = 0; index < count; index++) {
        const at = FLIPS === 'all' ? index : random.between(0, bytes.length - 1);
        const mask = random.between(1, 255);
        const end = trial(original, (file) => flip(`${file}${part}`, at, mask));
        if (end !== 'harmless' && end !== 'found') expect.fail(`seed ${SEED}, byte ${at} xor ${mask}: ${end}`);
        ends[end] += 1;
      }
      expect(ends.found + ends.harmless).toBe(count);
      // One of the two copies in the head is always intact; the other files are full of records.
      if (part !== '.head') expect(ends.found).toBeGreaterThan(count / 10);
    },
  );

  test.each(parts)('that was cut off somewhere is the same or refused: %j', (part) => {
    const { length } = readFileSync(`${original}${part}`);
    const random = new Random(SEED);
    for (const left of [
      0,
      1,
      31,
      32,
      4095,
      4096,
      length - 1,
      ...Array.from({ length: 20 }, () => random.between(0, length - 1)),
    ]) {
      const end = trial(original, (file) => truncateSync(`${file}${part}`, left));
      if (end !== 'harmless' && end !== 'found') expect.fail(`cut to ${left} bytes: ${end}`);
      // Records missing in the file may be in the log.
      if (part === '-wal' || (part === '' && state === 'closed')) expect(end, `cut to ${left} bytes`).toBe('found');
    }
  });

  test.each(parts)('is refused without one of its files: %j', (part) => {
    expect(trial(original, (file) => rmSync(`${file}${part}`))).toBe('found');
  });

  test.each(parts)('is refused with noise in place of one of its files: %j', (part) => {
    const random = new Random(SEED);
    const noise = Buffer.from(Array.from({ length: 9_000 }, () => random.between(0, 255)));
    expect(trial(original, (file) => writeFileSync(`${file}${part}`, noise))).toBe('found');
  });
});

function flip(path: string, at: number, mask: number): void {
  const bytes = readFileSync(path);
  bytes.writeUInt8(bytes.readUInt8(at) ^ mask, at);
  writeFileSync(path, bytes);
}

describe('a record', () => {
  const surgery = (sql: string) => (file: string) => {
    const database = new Database(file);
    database.exec(`DROP TRIGGER record_stays; DROP TRIGGER record_keeps; ${sql}`);
    database.close();
  };
  const last = ALL.length;

  test.each([
    ['is changed', `UPDATE record SET body = replace(body, '"client"', '"Client"') WHERE sequence <= ${last}`],
    ['is changed at the end', `UPDATE record SET at = at + 1 WHERE sequence = ${last}`],
    ['is no JSON any more', 'UPDATE record SET body = substr(body, 1, 20) WHERE sequence = 12'],
    ['is missing', 'DELETE FROM record WHERE sequence = 12'],
    ['is missing at the beginning', 'DELETE FROM record WHERE sequence = 1'],
    ['is missing at the end', `DELETE FROM record WHERE sequence = ${last}`],
    ['and all after it are missing', 'DELETE FROM record WHERE sequence >= 12'],
    [
      'changed places with another',
      'UPDATE record SET sequence = -1 WHERE sequence = 5; UPDATE record SET sequence = 5 WHERE sequence = 6; UPDATE record SET sequence = 6 WHERE sequence = -1',
    ],
    ['was added before the first', "INSERT INTO record VALUES (0, 1, 'ended', '{}', '')"],
  ])('that %s is found', (_, sql) => {
    expect(trial(closed, surgery(sql))).toBe('found');
  });

  test('that came from elsewhere behind the last is found', () => {
    const end = trial(closed, surgery(`INSERT INTO record VALUES (${last + 1}, 1, 'ended', '{}', '')`));
    expect(end).toMatch(/^found|said to be lost/);
  });
});

test('the whole journal of another time or run is refused', () => {
  const older = newJournal();
  written(older, ALL.slice(0, 20)).close();
  expect(trial(closed, (file) => copyFileSync(older, file))).toBe('found');
  const other = newJournal();
  const journal = open(other, { run: 'r2' });
  for (const { at, record } of ALL) journal.append(at, record);
  journal.commit();
  journal.close();
  const file = join(mkdtempSync(join(dirname(closed), 'other-')), 'journal.db');
  copyJournal(closed, file);
  copyFileSync(other, file);
  expect(() => open(file)).toThrow('is of the run r1, the journal of r2');
});
