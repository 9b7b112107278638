/** Opens the journal of a run: takes the lock, checks that the journal is complete, and only then allows writing. */

import { existsSync, rmSync } from 'node:fs';
import { EXPLAIN_DEFAULTS, type ExplainLimits } from './explain/explain-files.ts';
import { ExplainWriter } from './explain/explain-writer.ts';
import { createJournalFile, failureOf, metaOf, openForWriting } from './file/journal-database.ts';
import { JournalFailure } from './file/journal-failure.ts';
import { type JournalFiles, journalFiles, requireWritable } from './file/journal-files.ts';
import { JournalHead, readJournalHead } from './file/journal-head.ts';
import { type JournalLock, lockJournal } from './file/journal-lock.ts';
import { baseText, genesis, JOURNAL_FORMAT } from './file/journal-schema.ts';
import { Packing } from './past/packing.ts';
import { acceptCorrupt } from './repair/accept-corrupt.ts';
import { type CompleteJournal, type DamagedJournal, inspectJournal } from './repair/journal-inspection.ts';
import { migrate } from './repair/migrate.ts';
import { finishReplacement, type Replaced } from './repair/replacement.ts';
import { CHECKPOINT_AT, type JournalOpening, RunJournal } from './run-journal.ts';

export interface RunJournalOptions {
  readonly file: string;
  /** The name of the new run where there is no journal yet; an existing journal keeps its own. */
  readonly run?: string;
  /** Whether to continue with the readable part of a damaged journal; the damaged files are moved aside. */
  readonly acceptCorrupt: boolean;
  /** How much of what explains the run is kept. */
  readonly explain?: ExplainLimits;
  /** Records behind a checkpoint at which the next one is made. */
  readonly checkpointAt?: number;
  /** Called where what explains the run, or what was packed of it, cannot be written: the run itself goes on. */
  readonly onFault?: (fault: JournalFault) => void;
}

/** `why` is undefined where it can be written again. */
export interface JournalFault {
  readonly of: 'explain' | 'past';
  readonly why: string | undefined;
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
  let replaced = finishReplacement(files);
  const isNew = replaced === undefined && isUnused(files);
  if (isNew) create(files, options.run);
  let journal = inspectJournal(files);
  if (journal.kind === 'damaged') {
    if (!options.acceptCorrupt) throw refusal(files, journal);
    acceptCorrupt(files, journal);
    replaced = finishReplacement(files);
    journal = whole(files);
  }
  const { torn } = journal;
  if (journal.format !== JOURNAL_FORMAT) {
    migrate(files, journal);
    replaced = finishReplacement(files);
    journal = whole(files);
  }
  return start({ files, lock, options, journal, opening: openingOf({ ...journal, torn }, isNew, replaced) });
}

function whole(files: JournalFiles): CompleteJournal {
  const journal = inspectJournal(files);
  if (journal.kind === 'damaged') throw refusal(files, journal);
  return journal;
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
  const base = genesis(run);
  JournalHead.create(head, { run, ...base, lastClient: 0, base });
  createJournalFile(files, file, { run, base: baseText(base) }, []);
}

function openingOf({ records, torn }: CompleteJournal, isNew: boolean, replaced: Replaced | undefined): JournalOpening {
  if (replaced?.kind === 'accepted') {
    const { lost, movedTo } = replaced;
    return { state: 'acceptedCorrupt', droppedRecords: lost, quarantine: movedTo, records };
  }
  if (isNew) return { state: 'new', droppedRecords: 0, records };
  const state = torn === undefined ? 'whole' : 'tornTail';
  const migrated = replaced === undefined ? {} : { migratedFrom: replaced.movedTo };
  return { state, droppedRecords: torn ?? 0, records, ...migrated };
}

interface StartParts {
  readonly files: JournalFiles;
  readonly lock: JournalLock;
  readonly options: RunJournalOptions;
  readonly journal: CompleteJournal;
  readonly opening: JournalOpening;
}

function start({ files, lock, options, journal, opening }: StartParts): RunJournal {
  const { run, records, head: checksum, restored, base, checkpoints } = journal;
  const { onFault = () => undefined, explain: limits = EXPLAIN_DEFAULTS, checkpointAt = CHECKPOINT_AT } = options;
  // The records found count as committed from now on; the next commit overwrites a torn tail for good.
  const database = openForWriting(files.file);
  try {
    const lastClient = restored?.lastClient ?? 0;
    JournalHead.create(files.head, { run, sequence: records, checksum, lastClient, base });
    const head = JournalHead.open(files.head, run);
    const packing = new Packing({
      database,
      file: files.past,
      base,
      checkpoints,
      beforeMove: () => head.flush(),
      onFault: (why) => onFault({ of: 'past', why }),
    });
    const startsAnew = opening.state === 'acceptedCorrupt';
    const explain = new ExplainWriter({
      ...{ folder: files.explain, limits, startsAnew, newest: Number(metaOf(database, 'explained') ?? 0) },
      onFault: (why) => onFault({ of: 'explain', why }),
    });
    return new RunJournal({
      ...{ database, run, opening, head: checksum, restored, explain, packing, checkpointAt },
      acknowledged: (last) => head.write({ ...last, base: packing.base }),
      failureOf: (error) => failureOf(files, error),
      close: () => {
        explain.close();
        packing.close();
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
