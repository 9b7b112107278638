/** Writes a journal in the layout of format 1, which kept what explains among its records: as older builds left it. */

import { hash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import Database from 'better-sqlite3';
import type { TimedRecord } from '../../../src/core/run/journal.ts';

const SCHEMA = `
  CREATE TABLE journal (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
  CREATE TABLE record (
    sequence INTEGER PRIMARY KEY, at INTEGER NOT NULL, kind TEXT NOT NULL, body TEXT NOT NULL, checksum TEXT NOT NULL
  ) STRICT;
  CREATE TRIGGER record_stays BEFORE DELETE ON record BEGIN SELECT RAISE(ABORT, 'a journal only grows'); END;
  CREATE TRIGGER record_keeps BEFORE UPDATE ON record BEGIN SELECT RAISE(ABORT, 'a journal only grows'); END;
`;
const SLOT = 4_096;

export interface OlderJournal {
  readonly run: string;
  readonly records: readonly TimedRecord[];
  readonly lastClient: number;
}

export function writeFormat1(file: string, { run, records, lastClient }: OlderJournal): void {
  const database = new Database(file);
  database.pragma('page_size = 4096');
  database.pragma('application_id = 1868850250');
  database.pragma('user_version = 1');
  database.exec(SCHEMA);
  database.prepare("INSERT INTO journal VALUES ('run', ?)").run(run);
  database.pragma('journal_mode = WAL');
  const insert = database.prepare('INSERT INTO record VALUES (?, ?, ?, ?, ?)');
  let before = sum(`oddsmith journal 1\n${run}`);
  database.transaction(() => {
    for (const [index, { at, record }] of records.entries()) {
      const [sequence, body] = [index + 1, JSON.stringify(record)];
      before = sum(`${before}\n${sequence}\n${at}\n${record.kind}\n${body}`);
      insert.run(sequence, at, record.kind, body, before);
    }
  })();
  database.close();
  const words = `1 ${records.length} ${before} ${lastClient} ${JSON.stringify(run)}`;
  const slot = `${crc32(words).toString(16).padStart(8, '0')} ${words}\n`.padEnd(SLOT, ' ');
  writeFileSync(`${file}.head`, `${slot}${slot}`);
}

function sum(text: string): string {
  return hash('sha256', text, 'hex').slice(0, 32);
}
