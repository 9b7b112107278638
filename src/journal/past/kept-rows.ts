/** All records of a run in order: those of an older format, those that were packed, and those of the journal itself. */

import { existsSync } from 'node:fs';
import Database from 'better-sqlite3';
import { baseOf } from '../file/journal-database.ts';
import type { JournalFiles } from '../file/journal-files.ts';
import { damageIn } from '../file/journal-rows.ts';
import { type Base, chainedChecksum, genesis, type JournalRow } from '../file/journal-schema.ts';
import { type Packet, PastReader } from './past-file.ts';

/** Records that are not there any more, or cannot be read: all behind `after` and before `next`. */
export interface MissingRows {
  readonly after: number;
  readonly next: number;
  readonly why: string;
}

export interface KeptRowsParts {
  readonly files: JournalFiles;
  readonly database: Database.Database;
  readonly run: string;
  readonly onMissing: (missing: MissingRows) => void;
}

/** What breaks the order or the checksums of the journal itself. */
export interface RowFault {
  readonly sequence: number;
  readonly why: string;
}

/**
 * Records read at a time. Between two reads no statement is open, so that a slow reader does not keep the writer's log
 * from being copied into its file.
 */
const BATCH = 1024;
const SELECT = `SELECT sequence, at, kind, body, checksum FROM record WHERE sequence > ? ORDER BY sequence LIMIT ${BATCH}`;

/**
 * Each record is checked against the chain of checksums. The writer may pack records meanwhile: they are then read where
 * they are now. What was packed and cannot be read is left out and named; a fault of the journal itself ends the walk.
 */
export function* keptRows(parts: KeptRowsParts): Generator<JournalRow, RowFault | undefined> {
  const { database, run } = parts;
  const select = database.prepare<[number], JournalRow>(SELECT);
  let place = genesis(run);
  for (;;) {
    const rows = select.all(place.sequence);
    const [first] = rows;
    if (first === undefined) return undefined;
    if (first.sequence === place.sequence + 1) {
      for (const row of rows) {
        const why = faultOf(place, row);
        if (why !== undefined) return { sequence: place.sequence + 1, why };
        yield row;
        place = row;
      }
      continue;
    }
    const base = baseOf(database, run);
    // A damaged index inside the file may lead SQLite back to rows that were read before.
    const isPacked = base !== undefined && base.sequence > place.sequence && base.sequence >= first.sequence - 1;
    if (!isPacked) return { sequence: place.sequence + 1, why: `record ${place.sequence + 1} is missing` };
    place = yield* packedRows(parts, { from: place, base });
  }
}

interface PackedSpan {
  /** The last record that was read. */
  readonly from: Base;
  /** The last record that left the journal. */
  readonly base: Base;
}

/** The rows between the two, as far as they can be read; the last of them. */
function* packedRows(parts: KeptRowsParts, { from, base }: PackedSpan): Generator<JournalRow, Base> {
  const { files, onMissing } = parts;
  let place = from;
  let why = 'the files with what was packed are not there';
  for (const source of [olderPackets(files), pastPackets(files)]) {
    try {
      for (let after = place.sequence; ; ) {
        const packet = source.next(after);
        if (packet === undefined || packet.before.sequence >= base.sequence) break;
        if (packet.before.sequence > place.sequence) {
          onMissing({ after: place.sequence, next: packet.before.sequence + 1, why });
          place = packet.before;
        }
        for (const row of packet.rows) {
          if (row.sequence <= place.sequence) continue;
          const fault =
            row.sequence > base.sequence ? 'it goes on behind the journal’s beginning' : faultOf(place, row);
          if (fault !== undefined) throw new PackedFault(fault);
          yield row;
          place = row;
        }
        after = Math.max(after + 1, packet.before.sequence + packet.rows.length);
      }
    } catch (error) {
      why = packedWhy(error);
    } finally {
      source.close();
    }
  }
  if (place.sequence < base.sequence) onMissing({ after: place.sequence, next: base.sequence + 1, why });
  return base;
}

class PackedFault extends Error {}

function packedWhy(error: unknown): string {
  const why = error instanceof PackedFault ? error.message : damageIn(error);
  if (why === undefined && !(error instanceof Error && 'code' in error)) throw error;
  return why ?? String(error);
}

interface PacketSource {
  next(after: number): Packet | undefined;
  close(): void;
}

const NOTHING: PacketSource = { next: () => undefined, close: () => undefined };

function pastPackets({ past }: JournalFiles): PacketSource {
  if (!existsSync(past)) return NOTHING;
  let reader: PastReader | undefined;
  return {
    next(after) {
      reader ??= new PastReader(past);
      return reader.after(after);
    },
    close: () => reader?.close(),
  };
}

/** The journal of the oldest format that the run went on from, a batch of its records for a packet. */
function olderPackets({ older }: JournalFiles): PacketSource {
  if (!existsSync(older)) return NOTHING;
  let database: Database.Database | undefined;
  let before: Base | undefined;
  return {
    next(after) {
      database ??= new Database(older, { readonly: true, fileMustExist: true });
      const rows = database.prepare<[number], JournalRow>(SELECT).all(after);
      const [first] = rows;
      if (first === undefined) return undefined;
      const checksum = database.prepare<[number], string>('SELECT checksum FROM record WHERE sequence = ?').pluck();
      const known = before?.sequence === after ? before.checksum : checksum.get(first.sequence - 1);
      before = rows.at(-1);
      return { before: { sequence: first.sequence - 1, checksum: known ?? '' }, rows };
    },
    close: () => database?.close(),
  };
}

function faultOf(before: Base, row: JournalRow): string | undefined {
  if (row.sequence !== before.sequence + 1) return `record ${before.sequence + 1} is missing`;
  if (chainedChecksum(before.checksum, row) !== row.checksum)
    return `record ${row.sequence} does not match its checksum`;
  return undefined;
}
