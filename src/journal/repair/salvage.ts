/** What can still be had of a damaged journal: records that prove themselves, the run's name, the highest client. */

import { existsSync, readFileSync } from 'node:fs';
import type { JournalFiles } from '../file/journal-files.ts';
import { CHECKSUM_LENGTH, chained, genesis, type JournalRow } from '../file/journal-schema.ts';
import { pagesOf, rawRows } from '../file/raw-rows.ts';
import { type WalFrame, walFrames } from '../file/wal-frames.ts';

export interface Salvage {
  /** Each is as it was written and where it was written; some between them may be lost. In order. */
  readonly rows: readonly JournalRow[];
  /** The highest sequence that there was, as far as it can be seen. */
  readonly lastSequence: number;
  /** The highest number of an order in any text that can still be seen. */
  readonly lastClient: number;
  /** Names of the run in records that can still be read, the best proven first. */
  readonly runs: readonly string[];
}

/** Reads the bytes of the file and its log, and asks SQLite nothing. */
export function salvage({ file, wal }: JournalFiles, runsTold: readonly string[]): Salvage {
  const [main, log] = [file, wal].map((path) => (existsSync(path) ? readFileSync(path) : Buffer.alloc(0)));
  if (main === undefined || log === undefined) return { rows: [], lastSequence: 0, lastClient: 0, runs: [] };
  const { committed, rest } = walFrames(log);
  const candidates = rowsBySequence(main, committed, rest);
  const runs = [...runsTold, ...runsIn([...candidates.values()].flat())];
  const rows = provenRows(candidates, runs);
  return {
    rows,
    lastSequence: lastSequence(candidates, rows),
    lastClient: Math.max(lastClientIn(main), lastClientIn(log)),
    runs,
  };
}

/** A damaged number may be any number: it counts only where it goes on from those that are proven. */
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
  // Behind a damaged frame SQLite drops all; what was committed there is still good, and proves itself.
  take(rest, (page) => torn.get(page) ?? newest.get(page));
  return found;
}

function isSame(one: JournalRow, other: JournalRow): boolean {
  return one.checksum === other.checksum && one.at === other.at && one.kind === other.kind && one.body === other.body;
}

/** A record is tied to the checksum of the one before it, so that of two neighbours the second is proven by the first. */
function provenRows(candidates: Candidates, runs: readonly string[]): readonly JournalRow[] {
  const proven: JournalRow[] = [];
  for (const sequence of [...candidates.keys()].sort((one, other) => one - other)) {
    const before =
      sequence === 1 ? runs.map(genesis) : (candidates.get(sequence - 1) ?? []).map(({ checksum }) => checksum);
    const row = candidates.get(sequence)?.find((each) => before.some((tie) => chained(tie, each) === each.checksum));
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

/** `client` of a record, `lastClient` of a checkpoint, and the lists of requests: by their text, whatever is around it. */
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
