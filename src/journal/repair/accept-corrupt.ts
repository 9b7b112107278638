/**
 * Replaces a damaged journal, as its operator asked: moves it aside and writes what can be read of it into a new one.
 */

import { existsSync } from 'node:fs';
import Database from 'better-sqlite3';
import type { JournalRecord } from '../../core/run/journal.ts';
import { createJournalFile } from '../file/journal-database.ts';
import { JournalFailure } from '../file/journal-failure.ts';
import type { JournalFiles } from '../file/journal-files.ts';
import { goodRows, recordIn } from '../file/journal-rows.ts';
import { type Base, baseText, chainedRow, genesis, type JournalRow } from '../file/journal-schema.ts';
import { foldRecord } from '../history/rebuild.ts';
import { newDraft, stateOf } from '../history/run-draft.ts';
import type { DamagedJournal } from './journal-inspection.ts';
import { type Salvage, salvage } from './salvage.ts';

/** Added to the highest order number seen: more than the lost part can have used, so that no number is used twice. */
const CLIENT_JUMP = 1_000_000;

/**
 * Writes the complete new journal; `finishReplacement` puts it into place.
 * @throws JournalFailure JOURNAL_CORRUPT where not even the run's name can be read
 */
export function acceptCorrupt(files: JournalFiles, damaged: DamagedJournal): void {
  const { acknowledged } = damaged;
  const runs = [acknowledged?.run, damaged.run].filter((run) => run !== undefined);
  const saved = salvage(files, { runs, base: damaged.base });
  const [run] = saved.runs;
  if (run === undefined) throw runIsLost(files, damaged);
  const base = damaged.base ?? genesis(run);
  const good = Math.max(base.sequence, damaged.goodRecords);
  const behind = saved.rows.filter(({ sequence }) => sequence > good);
  const last = Math.max(saved.lastSequence, acknowledged?.sequence ?? 0, good);
  const lost = last - good - behind.length;
  const lastClient = Math.max(saved.lastClient, acknowledged?.lastClient ?? 0);
  const kept = keptRows(files, { base, good, behind });
  const meta = { run, base: baseText(base), quarantine: freeName(files.file), lost: String(lost) };
  createJournalFile(files, files.fresh, meta, freshRows({ run, base, kept, lastClient }));
}

/** The first name `….corrupt-N` that no file of an earlier damaged journal has. */
function freeName(file: string): string {
  for (let number = 1; ; number++) {
    const name = `${file}.corrupt-${number}`;
    if (![name, `${name}-wal`, `${name}.head`].some((each) => existsSync(each))) return name;
  }
}

interface KeptParts {
  readonly base: Base;
  /** Sequence of the last record that is as it was written. */
  readonly good: number;
  readonly behind: Salvage['rows'];
}

function* keptRows({ file }: JournalFiles, { base, good, behind }: KeptParts): Iterable<JournalRow> {
  if (good > base.sequence) {
    const database = new Database(file, { readonly: true, fileMustExist: true });
    try {
      yield* goodRows(database, { base, to: good });
    } finally {
      database.close();
    }
  }
  yield* behind;
}

interface FreshJournalParts {
  readonly run: string;
  readonly base: Base;
  readonly kept: Iterable<JournalRow>;
  /** The highest order number found anywhere in the damaged files. */
  readonly lastClient: number;
}

/** The rows with new sequence numbers and checksums, followed by a checkpoint of the state that they lead to. */
function* freshRows({ run, base, kept, lastClient }: FreshJournalParts): Iterable<JournalRow> {
  const draft = newDraft(run);
  let before = base;
  let last = 0;
  const next = (at: number, kind: string, body: string): JournalRow => {
    const row = chainedRow(before, { at, kind, body });
    before = row;
    return row;
  };
  for (const { at, kind, body } of kept) {
    foldRecord(draft, at, recordIn(body));
    last = at;
    yield next(at, kind, body);
  }
  draft.lastClient = Math.max(draft.lastClient, lastClient) + CLIENT_JUMP;
  const record: JournalRecord = { kind: 'checkpoint', state: stateOf(draft) };
  yield next(last, record.kind, JSON.stringify(record));
}

function runIsLost({ file }: JournalFiles, { damage }: DamagedJournal): JournalFailure {
  return new JournalFailure({
    code: 'JOURNAL_CORRUPT',
    where: file,
    why: `${damage.why}; not even the name of its run can be read, so that its orders cannot be told from others`,
    next: 'move the files away and start a run of a new name; orders of the old one count as foreign orders',
  });
}
