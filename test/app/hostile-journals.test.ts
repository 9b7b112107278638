/** A run whose journal is damaged: each command that reads it says so with one code and what to do, and changes nothing. */

import { execFileSync, spawnSync } from 'node:child_process';
import { hash } from 'node:crypto';
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import { writeRunFile } from '../../src/app/run/run-file.ts';
import { runSourceOf } from '../../src/app/web/view/run/run-source.ts';
import { assert } from '../../src/core/checks/assert.ts';
import { chainedChecksum, type JournalRow } from '../../src/journal/file/journal-schema.ts';
import { rebuild } from '../../src/journal/history/rebuild.ts';
import { openRunJournal } from '../../src/journal/open-run-journal.ts';
import type { RunJournal } from '../../src/journal/run-journal.ts';
import { MadeRecords } from '../support/journal/made-records.ts';
import { obeyingModes } from '../support/obeying-modes.ts';
import { SAMPLE_TAPE } from '../support/places.ts';
import { builtCommand } from '../support/running-command.ts';
import { SAVED_RUN } from '../support/saved-run.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';
import { runUntil } from './fake-terminal.ts';

const folder = temporaryDirectory('hostile-journals');
const RECORDS = MadeRecords.of(7, 400);
const GARBAGE = Buffer.from(Array.from({ length: 4_000 }, (_, index) => (index * 7_919) % 256));

/** What is wrong with the journal at this path, the code of the error, and what it says as the cause. */
const DAMAGES: Readonly<Record<string, readonly [code: string, why: RegExp, damage: (journal: string) => void]>> = {
  'not there': ['JOURNAL_NOT_FOUND', /no file has/i, (journal) => rmSync(journal)],
  empty: ['JOURNAL_CORRUPT', /empty/, (journal) => truncateSync(journal)],
  'a text': ['JOURNAL_CORRUPT', /NOTADB/, (journal) => writeFileSync(journal, 'dear diary')],
  garbage: ['JOURNAL_CORRUPT', /NOTADB/, (journal) => writeFileSync(journal, GARBAGE)],
  'a tape': ['NOT_A_JOURNAL', /another program/i, (journal) => copyFileSync(SAMPLE_TAPE, journal)],
  'cut in its first page': ['JOURNAL_CORRUPT', /SQLite/, (journal) => truncateSync(journal, 700)],
  'cut in the middle': ['JOURNAL_CORRUPT', /SQLite/, (journal) => truncateSync(journal, sizeOf(journal) / 2)],
  'without its last page': ['JOURNAL_CORRUPT', /SQLite/, (journal) => truncateSync(journal, sizeOf(journal) - 4_096)],
  'without the table of records': [
    'JOURNAL_CORRUPT',
    /no such table/,
    (journal) => change(journal, 'DROP TABLE record'),
  ],
  'without the table of the run': [
    'JOURNAL_CORRUPT',
    /no such table/,
    (journal) => change(journal, 'DROP TABLE journal'),
  ],
  'without the name of its run': [
    'JOURNAL_CORRUPT',
    /name of its run/,
    (journal) => change(journal, "DELETE FROM journal WHERE name = 'run'"),
  ],
  'with a record that was changed': ['JOURNAL_CORRUPT', /checksum/, (journal) => changeLast(journal, '{', false)],
  'with a record that is no JSON': [
    'JOURNAL_CORRUPT',
    /cannot be read.*JSON/,
    (journal) => changeLast(journal, '{', true),
  ],
  'with a record that is no map': [
    'JOURNAL_CORRUPT',
    /does not say what/,
    (journal) => changeLast(journal, 'null', true),
  ],
  'without its last records': [
    'JOURNAL_CORRUPT',
    /lost/,
    (journal) => change(journal, 'DELETE FROM record WHERE sequence > 390'),
  ],
  'of a later format': ['JOURNAL_NEWER', /format 99/, (journal) => change(journal, 'PRAGMA user_version = 99')],
  'a folder': ['NOT_A_JOURNAL', /is no file/, (journal) => replaced(journal, mkdirSync)],
  'a pipe': ['NOT_A_JOURNAL', /is no file/, (journal) => replaced(journal, (path) => execFileSync('mkfifo', [path]))],
  'a link to itself': [
    'JOURNAL_NOT_READABLE',
    /ELOOP/,
    (journal) => replaced(journal, (path) => symlinkSync(path, path)),
  ],
  'empty beside its log': [
    'JOURNAL_CORRUPT',
    /empty/,
    (journal) => {
      truncateSync(journal);
      writeFileSync(`${journal}-wal`, 'records that may be read again');
    },
  ],
};

const READERS: readonly (readonly string[])[] = [
  ['parity'],
  ['parity', '--fit-cancellations'],
  ['report'],
  ['view', '--port', '0'],
];

describe.each(READERS.map((command) => ({ command })))('$command of a run whose journal is', ({ command }) => {
  test.each(Object.entries(DAMAGES))('%s', async (_, [code, why, damage]) => {
    const { directory, journal } = liveRun();
    damage(journal);
    const before = filesIn(directory);
    const printed = await ended(...command, directory);
    const { error } = JSON.parse(printed.out);
    expect(error, printed.note).toMatchObject({
      code,
      where: expect.stringContaining(journal),
      why: expect.stringMatching(why),
    });
    expect(error.next).toBeTruthy();
    expect(printed).toMatchObject({ code: 5 });
    expect(filesIn(directory)).toEqual(before);
  });
});

/** They ask the daemon, which is not there, and read no journal. */
const ASKING = ['status', 'halt', 'cancel', 'resume', 'stop', 'dashboard link'];

test.each(Object.entries(DAMAGES))(
  'all that ask a daemon say that none runs beside a journal that is %s',
  async (_, [, , damage]) => {
    const { directory, journal } = liveRun();
    damage(journal);
    for (const command of ASKING) {
      const printed = await ended(...command.split(' '), '--dir', directory);
      const { error } = JSON.parse(printed.out);
      expect(error, command).toMatchObject({ code: 'DAEMON_NOT_RUNNING', next: expect.any(String) });
      expect(printed.code).toBe(2);
    }
  },
);

test('status of the directory above lists a run whose journal is damaged', async () => {
  const { directory, journal } = liveRun();
  writeFileSync(journal, GARBAGE);
  const { code, out } = await ended('status', '--dir', folder);
  expect(code).toBe(0);
  expect(JSON.parse(out).bots).toContainEqual({ name: basename(directory), dir: directory, whyNot: 'no daemon runs' });
});

/** A command of its own: where we are root, the modes of files stop nobody else. */
test.each(READERS.map((command) => ({ command })))(
  '$command of a run whose journal is another user’s',
  ({ command }) => {
    const { directory, journal } = liveRun();
    chmodSync(journal, 0);
    const before = readdirSync(directory).sort();
    const [program = '', ...args] = obeyingModes(builtCommand([...command, directory, '--json']));
    const { status, stdout } = spawnSync(program, args, { encoding: 'utf8' });
    const { error } = JSON.parse(stdout);
    expect(error).toMatchObject({
      code: 'JOURNAL_NOT_READABLE',
      where: journal,
      why: expect.stringMatching(/permission/),
    });
    expect(error.next).toBeTruthy();
    expect(status).toBe(5);
    expect(readdirSync(directory).sort()).toEqual(before);
  },
);

describe('a run whose packed records are not there', () => {
  const packed = () => {
    const made = liveRun((writer) => {
      for (let checkpoint = 0; checkpoint < 2; checkpoint += 1)
        writer.append(RECORDS.at(-1)?.at ?? 0, { kind: 'checkpoint', state: rebuild('r1', RECORDS) });
      writer.commit();
      writer.compact();
    });
    rmSync(`${made.journal}.past`);
    return made;
  };
  const NOTE =
    /Orders, fills and money of the run are not all here, from its beginning to .* UTC: records 1 to \d+: the files/;

  test('is drawn as far as it is there, and its report says what is not', async () => {
    const { directory } = packed();
    const { code, out, note } = await ended('report', directory);
    expect(code, `${out}${note}`).toBe(0);
    expect(readFileSync(join(directory, 'report.html'), 'utf8')).toMatch(NOTE);
  });

  test('is shown as far as it is there, and its view says what is not', () => {
    const source = runSourceOf(packed().directory, []);
    expect(source.run().notes).toEqual([expect.stringMatching(NOTE)]);
    source.close();
  });
});

interface LiveRun {
  readonly directory: string;
  readonly journal: string;
}

/** As a daemon leaves it that recorded. */
function liveRun(more: (writer: RunJournal) => void = () => undefined): LiveRun {
  const directory = mkdtempSync(join(folder, 'run-'));
  const journal = join(directory, 'journal.sqlite');
  writeRunFile(directory, SAVED_RUN);
  mkdirSync(join(directory, 'tapes'));
  copyFileSync(SAMPLE_TAPE, join(directory, 'tapes', '2026-11-20.tape'));
  const writer = openRunJournal({ file: journal, run: 'r1', acceptCorrupt: false });
  for (const { at, record } of RECORDS) writer.append(at, record);
  writer.commit();
  more(writer);
  writer.close();
  return { directory, journal };
}

/** A command that would go on ends at once. */
function ended(...args: readonly string[]) {
  return runUntil(AbortSignal.abort(), [...args, '--json']);
}

function change(journal: string, statements: string): void {
  const database = new Database(journal);
  database.exec(`DROP TRIGGER IF EXISTS record_keeps; DROP TRIGGER IF EXISTS record_stays; ${statements}`);
  database.close();
}

/** Its last record is another one; `isChained`: with the checksum that this one would have. */
function changeLast(journal: string, body: string, isChained: boolean): void {
  const database = new Database(journal);
  const [last, before] = database.prepare<[], JournalRow>('SELECT * FROM record ORDER BY sequence DESC LIMIT 2').all();
  database.close();
  assert(last !== undefined && before !== undefined, 'it has records');
  const checksum = isChained ? chainedChecksum(before.checksum, { ...last, body }) : last.checksum;
  change(journal, `UPDATE record SET body = '${body}', checksum = '${checksum}' WHERE sequence = ${last.sequence}`);
}

function replaced(journal: string, make: (path: string) => void): void {
  rmSync(journal);
  make(journal);
}

function sizeOf(journal: string): number {
  return statSync(journal).size;
}

/** Each file below it with its content's hash, but for the empty log and its index that SQLite makes to read. */
function filesIn(directory: string): readonly string[] {
  const entries = readdirSync(directory, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = entries.map(({ parentPath, name }) => join(parentPath, name)).sort();
  const isMade = (path: string) => path.endsWith('-shm') || (path.endsWith('-wal') && sizeOf(path) === 0);
  return paths.filter((path) => !isMade(path)).map((path) => `${path} ${hash('sha256', readFileSync(path))}`);
}
