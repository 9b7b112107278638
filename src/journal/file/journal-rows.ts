/** Reads the rows of a journal in order and checks each against the chain of checksums. */

import Database from 'better-sqlite3';
import { assert } from '../../core/checks/assert.ts';
import type { JournalRecord, TimedRecord } from '../../core/run/journal.ts';
import { type Base, chainedChecksum, type JournalRow } from './journal-schema.ts';

/** The first record that does not fit the chain, and why. */
export interface ChainBreak {
  readonly sequence: number;
  readonly why: string;
}

/** The result of reading up to the end, or up to the first break. */
export interface ChainWalk {
  /** Sequence number of the last record. */
  readonly records: number;
  readonly head: string;
  /** Sequence numbers of the newest checkpoints, at most two, rising. */
  readonly checkpoints: readonly number[];
  readonly broken: ChainBreak | undefined;
  /** The checksum of the record with the sequence `headWanted`; undefined where it was not reached. */
  readonly headAt: string | undefined;
  readonly lastBody: string;
}

/**
 * Rows read at a time: faster than one by one, and no statement stays open in between, which would hold up the writer.
 */
const BATCH = 1024;
const SELECT = `SELECT sequence, at, kind, body, checksum FROM record WHERE sequence > ? ORDER BY sequence LIMIT ${BATCH}`;
type RawRow = [sequence: number, at: number, kind: string, body: string, checksum: string];

/**
 * Reads and checks every record behind the base. An error of SQLite about the file's content ends the walk like a
 * broken chain.
 */
export function walkChain(database: Database.Database, base: Base, headWanted = 0): ChainWalk {
  let head = base.checksum;
  let headAt = headWanted === base.sequence ? head : undefined;
  let records = base.sequence;
  let checkpoints: readonly number[] = [];
  let lastBody = '';
  const broken = breakIn(() => {
    for (const [sequence, at, kind, body, checksum] of rowsAfter(database, Number.MIN_SAFE_INTEGER)) {
      if (sequence !== records + 1) return `record ${records + 1} is missing`;
      const expected = chainedChecksum(head, { sequence, at, kind, body });
      if (expected !== checksum) return `record ${sequence} does not match its checksum`;
      head = expected;
      records = sequence;
      lastBody = body;
      if (sequence === headWanted) headAt = head;
      if (kind === 'checkpoint') checkpoints = [...checkpoints.slice(-1), sequence];
    }
    return undefined;
  });
  return {
    records,
    head,
    checkpoints,
    headAt,
    lastBody,
    broken: broken === undefined ? undefined : { sequence: records + 1, why: broken },
  };
}

function breakIn(walk: () => string | undefined): string | undefined {
  try {
    return walk();
  } catch (error) {
    const why = damageIn(error);
    if (why === undefined) throw error;
    return why;
  }
}

/** What an error says about damage of the file; undefined where it has another cause. */
export function damageIn(error: unknown): string | undefined {
  if (error instanceof SyntaxError) return `a record cannot be read: ${error.message}`;
  if (!(error instanceof Database.SqliteError) || !DAMAGE.test(error.code)) return undefined;
  return `SQLite cannot read it: ${error.message} (${error.code})`;
}

const DAMAGE =
  /^SQLITE_(CORRUPT|NOTADB|ERROR$|IOERR_READ|IOERR_SHORT_READ|IOERR_CORRUPTFS|FORMAT|SCHEMA|TOOBIG|MISMATCH)/;

/** @throws SyntaxError for what is no record, which damage can hardly make of one: its checksum fits */
export function recordIn(body: string): JournalRecord {
  const record = JSON.parse(body);
  if (typeof Object(record).kind !== 'string') throw new SyntaxError('it does not say what it records');
  return record;
}

/**
 * The records from `from` to `to` of a chain that was checked before. A damaged index inside the file may lead SQLite
 * to other rows although the walk from the first record went well: then this throws a SyntaxError, as for a record that
 * is not JSON.
 */
export function* recordsFrom(database: Database.Database, from: number, to: number): IterableIterator<TimedRecord> {
  let next = from;
  for (const [sequence, at, , body] of rowsAfter(database, from - 1)) {
    if (sequence > to) break;
    if (sequence !== next) throw new SyntaxError(`record ${next} is not found where it should be`);
    next += 1;
    yield { at, record: recordIn(body) };
  }
  if (next !== to + 1) throw new SyntaxError(`record ${next} is not found where it should be`);
}

/**
 * The rows up to the sequence `to`, whose chain was checked before. Reading starts at the same point as that check: in
 * a damaged file another start may lead to other rows.
 */
export function* goodRows(
  database: Database.Database,
  { base, to }: { readonly base: Base; readonly to: number },
): IterableIterator<JournalRow> {
  let next = base.sequence + 1;
  for (const [sequence, at, kind, body, checksum] of rowsAfter(database, Number.MIN_SAFE_INTEGER)) {
    assert(sequence === next, `record ${next} was read a moment ago`);
    next += 1;
    yield { sequence, at, kind, body, checksum };
    if (sequence === to) return;
  }
}

function* rowsAfter(database: Database.Database, sequence: number): IterableIterator<RawRow> {
  const select = database.prepare(SELECT).raw();
  for (let last = sequence; ; ) {
    const rows = select.all(last) as RawRow[];
    yield* rows;
    const newest = rows.at(-1);
    if (newest === undefined || rows.length < BATCH) return;
    last = newest[0];
  }
}
