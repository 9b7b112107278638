/**
 * Collects what is readable in a damaged journal: records proven by their checksums, the run's name, the highest order
 * number.
 */

import { existsSync, readFileSync } from 'node:fs';
import type { JournalFiles } from '../file/journal-files.ts';
import {
  type Base,
  CHECKSUM_LENGTH,
  chainedChecksum,
  genesisChecksum,
  type JournalRow,
} from '../file/journal-schema.ts';
import { pagesOf, rawRows } from '../file/raw-rows.ts';
import { type WalFrame, walFrames } from '../file/wal-frames.ts';

export interface Salvage {
  /** Records proven to be as they were written, in order; records between them may be lost. */
  readonly rows: readonly JournalRow[];
  /** The highest sequence number that existed, as far as it can be seen. */
  readonly lastSequence: number;
  /** The highest order number in any readable text. */
  readonly lastClient: number;
  /** Names of the run found in readable records, the best proven first. */
  readonly runs: readonly string[];
}

/** What is known from elsewhere. */
export interface Known {
  readonly runs: readonly string[];
  readonly base: Base | undefined;
}

/** Decodes the bytes of the file and of its log itself, without SQLite. */
export function salvage({ file, wal }: JournalFiles, known: Known): Salvage {
  const [main, log] = [file, wal].map((path) => (existsSync(path) ? readFileSync(path) : Buffer.alloc(0)));
  if (main === undefined || log === undefined) return { rows: [], lastSequence: 0, lastClient: 0, runs: [] };
  const { committed, rest } = walFrames(log);
  const candidates = rowsBySequence(main, committed, rest);
  const runs = [...known.runs, ...runsIn([...candidates.values()].flat())];
  const rows = provenRows(candidates, { runs, base: known.base });
  return {
    rows,
    lastSequence: lastSequence(candidates, rows),
    lastClient: Math.max(lastClientIn(main), lastClientIn(log)),
    runs,
  };
}

/** A damaged sequence number may be any number, so it counts only where it continues the proven ones. */
function lastSequence(candidates: Candidates, proven: readonly JournalRow[]): number {
  let last = proven.at(-1)?.sequence ?? 0;
  while (candidates.has(last + 1)) last += 1;
  return last;
}

type Candidates = ReadonlyMap<number, readonly JournalRow[]>;

function rowsBySequence(main: Buffer, committed: readonly WalFrame[], rest: readonly WalFrame[]): Candidates {
  const newest = new Map([...pagesOf(main), ...committed].map(({ page, bytes }) => [page, bytes]));
  const torn = new Map(rest.map(({ page, bytes }) => [page, bytes]));
  const found = new Map<number, JournalRow[]>();
  const take = (frames: Iterable<WalFrame>, overflow: (page: number) => Buffer | undefined) => {
    for (const row of rawRows(frames, overflow)) {
      const rows = found.get(row.sequence);
      if (rows === undefined) found.set(row.sequence, [row]);
      else if (!rows.some((known) => isSame(known, row))) rows.push(row);
    }
  };
  take(pagesOf(main), (page) => newest.get(page));
  take(committed, (page) => newest.get(page));
  // SQLite ignores everything behind a damaged frame of the log, but records committed there are proven by their
  // checksums.
  take(rest, (page) => torn.get(page) ?? newest.get(page));
  return found;
}

function isSame(one: JournalRow, other: JournalRow): boolean {
  return one.checksum === other.checksum && one.at === other.at && one.kind === other.kind && one.body === other.body;
}

/**
 * The rows whose checksum follows from the one before them: of two neighbours the first proves the second. Rows that were
 * packed may still stand on a page that is free.
 */
function provenRows(candidates: Candidates, { runs, base }: Known): readonly JournalRow[] {
  const proven: JournalRow[] = [];
  const first = base?.sequence ?? 0;
  const roots = base === undefined ? runs.map(genesisChecksum) : [base.checksum];
  for (const sequence of [...candidates.keys()].sort((one, other) => one - other)) {
    if (sequence <= first) continue;
    const before =
      sequence === first + 1 ? roots : (candidates.get(sequence - 1) ?? []).map(({ checksum }) => checksum);
    const row = candidates
      .get(sequence)
      ?.find((each) => before.some((tie) => chainedChecksum(tie, each) === each.checksum));
    if (row !== undefined) proven.push(row);
  }
  return proven;
}

function runsIn(rows: readonly JournalRow[]): readonly string[] {
  return rows.flatMap(({ kind, body, checksum }) => {
    if (kind !== 'started' || checksum.length !== CHECKSUM_LENGTH) return [];
    const run = /"run":("(?:[^"\\]|\\.)*")/.exec(body)?.[1];
    return run === undefined ? [] : [JSON.parse(run) as string];
  });
}

/**
 * The highest order number in the bytes: `client` of a record, `lastClient` of a checkpoint, and the lists of requests.
 * It is found by its text, whatever surrounds it.
 */
function lastClientIn(bytes: Buffer): number {
  let last = 0;
  for (const [, one, list] of bytes.toString('latin1').matchAll(CLIENTS))
    for (const text of (one ?? list ?? '').split(',')) {
      const client = Number(text);
      if (Number.isSafeInteger(client) && client > last) last = client;
    }
  return last;
}

const CLIENTS = /"(?:c|lastC)lient":(\d{1,15})|"clients":\[([\d,]{1,2000})/g;
