/** Opens the journal of a run under the run's name, and commits what is left when the process ends. */

import { rmSync } from 'node:fs';
import type { JournalRecord } from '../../../core/run/journal.ts';
import type { RunState } from '../../../core/run/run-state.ts';
import { JournalFailure } from '../../../journal/file/journal-failure.ts';
import { lockJournal } from '../../../journal/file/journal-lock.ts';
import { type JournalFault, openRunJournal } from '../../../journal/open-run-journal.ts';
import type { RunJournal } from '../../../journal/run-journal.ts';
import { packageVersion } from '../../../package/running-package.ts';
import { shellWord } from '../../../recording/tape/recording-hint.ts';
import { flatLimits } from '../../../risk/limits/limits-text.ts';
import { CliError } from '../../cli/cli-error.ts';
import type { RunOptions } from '../../run/run-options.ts';
import type { DaemonLog } from '../log/daemon-log.ts';
import { type RunDirectory, type RunFiles, runFiles } from '../process/run-directory.ts';

export interface OpenedJournal {
  readonly journal: RunJournal;
  readonly files: RunFiles;
  close(): void;
  /** Closes it, and takes away what a paper run left that never began: each start has a directory of its own. A live run's journal stays. */
  discard(): void;
}

export interface JournalChoice {
  readonly directory: RunDirectory;
  readonly options: RunOptions;
  readonly acceptCorrupt: boolean;
  /** What cannot be written although the run goes on is an alert of it. */
  readonly log: DaemonLog;
  /** The name of a new run, which no other run of the app may ever have had. */
  readonly newRun: string;
}

/** @throws JournalFailure; CliError JOURNAL_BUSY where another daemon is at work there */
export function openJournal({ directory, options, acceptCorrupt, log, newRun }: JournalChoice): OpenedJournal {
  // Each paper run has a journal of its own in the shared state directory.
  const isPaper = options.mode === 'paper';
  const lock = isPaper ? notTwice(directory, () => lockJournal(`${directory.dir}/paper`)) : undefined;
  const files = runFiles(directory, options.mode, newRun);
  const forget = (): void => {
    if (isPaper) rmSync(files.own, { recursive: true, force: true });
  };
  try {
    const { explain } = options;
    const onFault = (fault: JournalFault): void => logFault(fault, log);
    const journal = notTwice(directory, () =>
      openRunJournal({ file: files.journal, run: newRun, acceptCorrupt, explain, onFault }),
    );
    const close = (): void => {
      process.off('exit', close);
      journal.close();
      lock?.release();
    };
    // A second signal exits at once; nothing but this is done then.
    process.once('exit', close);
    const discard = (): void => {
      close();
      forget();
    };
    return { journal, files, close, discard };
  } catch (error) {
    lock?.release();
    forget();
    throw error;
  }
}

/** What `open` opens, unless another daemon has it. @throws CliError JOURNAL_BUSY */
function notTwice<T>({ dir }: RunDirectory, open: () => T): T {
  try {
    return open();
  } catch (error) {
    if (!(error instanceof JournalFailure) || error.code !== 'JOURNAL_BUSY') throw error;
    const place = shellWord(dir);
    throw new CliError({
      code: 'JOURNAL_BUSY',
      what: 'Another daemon is at work in this state directory.',
      where: dir,
      why: `Its journal takes one writer: ${error.why}.`,
      next: `oddsmith status --dir ${place} shows what it does, oddsmith stop --dir ${place} ends it. A second run needs another directory under dir.`,
    });
  }
}

function logFault({ of, why }: JournalFault, log: DaemonLog): void {
  const [code, what] =
    of === 'explain'
      ? (['EXPLAIN_FAILED', 'decisions and refusals'] as const)
      : (['PACKING_FAILED', 'older records'] as const);
  if (why === undefined) log.info('journal', `${what} are written again`);
  else log.alert(code, why);
}

export function logOpening({ opening, run }: RunJournal, log: DaemonLog): void {
  const { state, droppedRecords, quarantine, records, migratedFrom } = opening;
  if (migratedFrom !== undefined)
    log.info('journal', `the journal was of format 1, which is ${migratedFrom} now; the run goes on in format 2`, {
      run,
    });
  if (state === 'tornTail')
    log.alert('JOURNAL_TORN', `${droppedRecords} records of a commit that never ended were dropped`, { run });
  else if (state === 'acceptedCorrupt')
    log.alert('JOURNAL_ACCEPTED_CORRUPT', `${droppedRecords} records are lost; damaged files: ${quarantine}`, { run });
  else log.info('journal', state === 'new' ? `new run ${run}` : `run ${run} goes on after ${records} records`, { run });
}

/**
 * The state that the journal restores. If records were lost, which may have held a halt or orders, trading is stopped until an
 * operator resumes.
 */
export function stateOf({ opening, restored }: RunJournal): RunState | undefined {
  const hasLost = opening.state === 'acceptedCorrupt' && opening.droppedRecords > 0;
  if (restored === undefined || !hasLost || restored.trading !== 'running') return restored;
  return {
    ...restored,
    trading: 'reduceOnly',
    tradingCause: `${opening.droppedRecords} records of the journal are lost`,
  };
}

/** The first records of every start: a checkpoint, so that the next start need not read further back, and who runs. */
export function openingRecords(
  options: RunOptions,
  journal: RunJournal,
  strategies: readonly { readonly name: string; readonly sha256: string }[],
): readonly JournalRecord[] {
  const { run } = journal;
  const state = stateOf(journal);
  const known: JournalRecord[] = state === undefined ? [] : [{ kind: 'checkpoint', state }];
  const { mode, sha256: config, limits } = options;
  return [
    ...known,
    { kind: 'started', run, version: packageVersion(), mode, config, strategies, limitsOn: 'loss' },
    { kind: 'limits', limits: flatLimits(limits) },
  ];
}
