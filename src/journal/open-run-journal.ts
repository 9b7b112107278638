/** Opens the journal of a run: takes the lock, checks that the journal is complete, and only then allows writing. */

import { existsSync, rmSync } from 'node:fs';
import { createJournalFile, failureOf, openForWriting } from './file/journal-database.ts';
import { JournalFailure } from './file/journal-failure.ts';
import { type JournalFiles, journalFiles, requireWritable } from './file/journal-files.ts';
import { JournalHead, readJournalHead } from './file/journal-head.ts';
import { type JournalLock, lockJournal } from './file/journal-lock.ts';
import { genesisChecksum } from './file/journal-schema.ts';
import { type Accepted, acceptCorrupt, finishAcceptance } from './repair/accept-corrupt.ts';
import { type CompleteJournal, type DamagedJournal, inspectJournal } from './repair/journal-inspection.ts';
import { type JournalOpening, RunJournal } from './run-journal.ts';

export interface RunJournalOptions {
  readonly file: string;
  /** The name of the new run where there is no journal yet; an existing journal keeps its own. */
  readonly run?: string;
  /** Whether to continue with the readable part of a damaged journal; the damaged files are moved aside. */
  readonly acceptCorrupt: boolean;
}

/**
 * Opens or creates a journal. Only one process at a time may have it open for writing; others may read it. A damaged
 * journal is refused and left as it is, unless `acceptCorrupt` is set.
 * @throws JournalFailure
 */
export function openRunJournal(options: RunJournalOptions): RunJournal {
  const files = journalFiles(options.file);
  requireWritable(files);
  const lock = lockJournal(files.file);
  try {
    return openLocked(files, lock, options);
  } catch (error) {
    lock.release();
    throw failureOf(files, error);
  }
}

function openLocked(files: JournalFiles, lock: JournalLock, options: RunJournalOptions): RunJournal {
  let accepted = finishAcceptance(files);
  const isNew = accepted === undefined && isUnused(files);
  if (isNew) create(files, options.run);
  let journal = inspectJournal(files);
  if (journal.kind === 'damaged') {
    if (!options.acceptCorrupt) throw refusal(files, journal);
    accepted = acceptCorrupt(files, journal);
    journal = inspectJournal(files);
    if (journal.kind === 'damaged') throw refusal(files, journal);
  }
  return start(files, lock, journal, openingOf(journal, isNew, accepted));
}

/** Whether no record was ever committed. A process that died while creating the journal leaves at most its head. */
function isUnused({ file, wal, head }: JournalFiles): boolean {
  if (existsSync(file) || existsSync(wal)) return false;
  return !existsSync(head) || readJournalHead(head)?.sequence === 0;
}

/** The head is created first: a journal that holds records but has no head has lost it. */
function create(files: JournalFiles, run: string | undefined): void {
  const { file, head, shm } = files;
  if (run === undefined)
    throw new JournalFailure({
      code: 'JOURNAL_NOT_FOUND',
      where: file,
      why: 'and no name for a new run was given',
      next: 'look at the path, or start a new run',
    });
  rmSync(shm, { force: true });
  JournalHead.create(head, { run, sequence: 0, checksum: genesisChecksum(run), lastClient: 0 });
  createJournalFile(files, file, { run }, []);
}

function openingOf({ records, torn }: CompleteJournal, isNew: boolean, accepted: Accepted | undefined): JournalOpening {
  if (accepted !== undefined) {
    const { lost, quarantine } = accepted;
    return { state: 'acceptedCorrupt', droppedRecords: lost, quarantine, records };
  }
  if (isNew) return { state: 'new', droppedRecords: 0, records };
  return { state: torn === undefined ? 'whole' : 'tornTail', droppedRecords: torn ?? 0, records };
}

function start(
  files: JournalFiles,
  lock: JournalLock,
  { run, records, head: checksum, restored }: CompleteJournal,
  opening: JournalOpening,
): RunJournal {
  // The records found count as committed from now on; the next commit overwrites a torn tail for good.
  const database = openForWriting(files.file);
  try {
    JournalHead.create(files.head, { run, sequence: records, checksum, lastClient: restored?.lastClient ?? 0 });
    const head = JournalHead.open(files.head, run);
    return new RunJournal({
      database,
      run,
      opening,
      head: checksum,
      restored,
      acknowledged: (last) => head.write(last),
      failureOf: (error) => failureOf(files, error),
      close: () => {
        database.close();
        head.close();
        lock.release();
      },
    });
  } catch (error) {
    database.close();
    throw error;
  }
}

function refusal({ file }: JournalFiles, { damage }: DamagedJournal): JournalFailure {
  const { why, sequence } = damage;
  return new JournalFailure({
    code: 'JOURNAL_CORRUPT',
    where: sequence === undefined ? file : `${file}, record ${sequence}`,
    why,
    next:
      'take back the last whole copy of all its files if it is newer than every order; or go on with --accept-corrupt: ' +
      'the damaged files are kept beside it, what can be read is kept, and the exchange is asked for the rest',
    ...(sequence === undefined ? {} : { sequence }),
  });
}
