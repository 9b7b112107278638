/**
 * Replaces a damaged journal, as its operator asked: moves it aside and writes what can be read of it into a new one.
 */

import { existsSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import Database from 'better-sqlite3';
import { defined } from '../../core/checks/assert.ts';
import type { JournalRecord } from '../../core/run/journal.ts';
import { createJournalFile, metaOf } from '../file/journal-database.ts';
import { JournalFailure } from '../file/journal-failure.ts';
import { flushToDisk, type JournalFiles } from '../file/journal-files.ts';
import { JournalHead } from '../file/journal-head.ts';
import { goodRows, walkChain } from '../file/journal-rows.ts';
import { chainedChecksum, genesisChecksum, type JournalRow } from '../file/journal-schema.ts';
import { foldRecord } from '../state/rebuild.ts';
import { newDraft, stateOf } from '../state/run-draft.ts';
import type { DamagedJournal } from './journal-inspection.ts';
import { type Salvage, salvage } from './salvage.ts';

/** Added to the highest order number seen: more than the lost part can have used, so that no number is used twice. */
const CLIENT_JUMP = 1_000_000;

export interface Accepted {
  readonly quarantine: string;
  /** Number of records that existed and are lost, as far as it can be known. */
  readonly lost: number;
}

/**
 * Writes the complete new journal before anything is moved; from then on `finishAcceptance` does the rest, in this
 * process or, if it dies, in the next.
 * @throws JournalFailure JOURNAL_CORRUPT where not even the run's name can be read
 */
export function acceptCorrupt(files: JournalFiles, damaged: DamagedJournal): Accepted {
  const { acknowledged, goodRecords } = damaged;
  const saved = salvage(
    files,
    [acknowledged?.run, damaged.run].filter((run) => run !== undefined),
  );
  const [run] = saved.runs;
  if (run === undefined) throw runIsLost(files, damaged);
  const behind = saved.rows.filter(({ sequence }) => sequence > goodRecords);
  const last = Math.max(saved.lastSequence, acknowledged?.sequence ?? 0, goodRecords);
  const lost = last - goodRecords - behind.length;
  const lastClient = Math.max(saved.lastClient, acknowledged?.lastClient ?? 0);
  const kept = keptRows(files, goodRecords, behind);
  createJournalFile(
    files,
    files.fresh,
    { run, quarantine: freeName(files.file), lost: String(lost) },
    freshRows({ run, kept, lastClient }),
  );
  return defined(finishAcceptance(files), 'the fresh journal was made just now');
}

/**
 * Moves the damaged files aside and the new journal into their place; undefined where there is no new journal. Each
 * step may be repeated after a crash.
 */
export function finishAcceptance(files: JournalFiles): Accepted | undefined {
  const { file, wal, shm, head, fresh } = files;
  if (!existsSync(fresh)) return undefined;
  const { run, quarantine, lost, acknowledged } = readFresh(fresh);
  moveOnce(file, quarantine);
  // The log stays beside its file under the new name, so that SQLite still reads both together. A process that only
  // looked at the file leaves an empty log, which is removed.
  if (statSync(wal, { throwIfNoEntry: false })?.size === 0) rmSync(wal);
  moveOnce(wal, `${quarantine}-wal`);
  moveOnce(head, `${quarantine}.head`);
  rmSync(shm, { force: true });
  JournalHead.create(head, { run, ...acknowledged });
  renameSync(fresh, file);
  flushToDisk(dirname(file));
  return { quarantine, lost };
}

function readFresh(fresh: string) {
  const database = new Database(fresh, { fileMustExist: true });
  try {
    const run = defined(metaOf(database, 'run'), 'a fresh journal is made with its run');
    const quarantine = defined(metaOf(database, 'quarantine'), 'a fresh journal says where the damaged one goes');
    const { records, head, lastBody } = walkChain(database, run);
    const record = JSON.parse(lastBody) as JournalRecord;
    const lastClient = record.kind === 'checkpoint' ? record.state.lastClient : 0;
    const acknowledged = { sequence: records, checksum: head, lastClient };
    return { run, quarantine, lost: Number(metaOf(database, 'lost')), acknowledged };
  } finally {
    database.close();
  }
}

/** Renames a file unless the new name exists: then it was moved before the process died. */
function moveOnce(from: string, to: string): void {
  if (existsSync(from) && !existsSync(to)) renameSync(from, to);
}

/** The first name `….corrupt-N` that no file of an earlier damaged journal has. */
function freeName(file: string): string {
  for (let number = 1; ; number++) {
    const name = `${file}.corrupt-${number}`;
    if (![name, `${name}-wal`, `${name}.head`].some((each) => existsSync(each))) return name;
  }
}

function* keptRows({ file }: JournalFiles, good: number, behind: Salvage['rows']): Iterable<JournalRow> {
  if (good > 0) {
    const database = new Database(file, { readonly: true, fileMustExist: true });
    try {
      yield* goodRows(database, good);
    } finally {
      database.close();
    }
  }
  yield* behind;
}

interface FreshJournalParts {
  readonly run: string;
  readonly kept: Iterable<JournalRow>;
  /** The highest order number found anywhere in the damaged files. */
  readonly lastClient: number;
}

/** The rows with new sequence numbers and checksums, followed by a checkpoint of the state that they lead to. */
function* freshRows({ run, kept, lastClient }: FreshJournalParts): Iterable<JournalRow> {
  const draft = newDraft(run);
  let before = genesisChecksum(run);
  let sequence = 0;
  let last = 0;
  const chainedRow = (at: number, kind: string, body: string): JournalRow => {
    sequence += 1;
    before = chainedChecksum(before, { sequence, at, kind, body });
    return { sequence, at, kind, body, checksum: before };
  };
  for (const { at, kind, body } of kept) {
    foldRecord(draft, at, JSON.parse(body) as JournalRecord);
    last = at;
    yield chainedRow(at, kind, body);
  }
  draft.lastClient = Math.max(draft.lastClient, lastClient) + CLIENT_JUMP;
  const record: JournalRecord = { kind: 'checkpoint', state: stateOf(draft) };
  yield chainedRow(last, record.kind, JSON.stringify(record));
}

function runIsLost({ file }: JournalFiles, { damage }: DamagedJournal): JournalFailure {
  return new JournalFailure({
    code: 'JOURNAL_CORRUPT',
    where: file,
    why: `${damage.why}; not even the name of its run can be read, so that its orders cannot be told from others`,
    next: 'move the files away and start a run of a new name; orders of the old one count as foreign orders',
  });
}
