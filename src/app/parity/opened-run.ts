/** Opens what a run left in its directory for a replay: its description, its journal and its tapes. */

import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { chooseMarkets, type SourceMarket } from '../../backtest/simulation/backtest-source.ts';
import type { TimedRecord } from '../../core/run/journal.ts';
import { withoutRepeated } from '../../engine/log/repeated-refusals.ts';
import { type LostSpan, readJournal } from '../../journal/read-journal.ts';
import { UNFINISHED } from '../../recording/live/recording-writer.ts';
import { followed } from '../../recording/tape/path-kind.ts';
import { Tape } from '../../recording/tape/tape.ts';
import { CliError } from '../cli/cli-error.ts';
import { RUN_FILE, type RunFile, readRunFile } from '../run/run-file.ts';

export interface OpenedRun {
  readonly run: RunFile;
  readonly records: readonly TimedRecord[];
  /** What of it cannot be read any more. */
  readonly lost: readonly LostSpan[];
  /** One market or more. */
  readonly markets: readonly SourceMarket[];
}

/** Its tapes are closed when the work is done. @throws CliError, TapeFailure, JournalFailure */
export async function withRun<T>(directory: string, work: (opened: OpenedRun) => Promise<T>): Promise<T> {
  const place = placeOf(directory);
  const run = readRunFile(place.directory);
  const { records: kept, lost } = recordsOf(place.journal);
  const records = withoutRepeated(kept);
  const tapes = openTapes(place.tapes);
  try {
    const { markets } = chooseMarkets(tapes, { types: [], ids: [], events: [] });
    if (markets.length === 0) throw nothingRecorded(place.tapes);
    return await work({ run, records, lost, markets });
  } finally {
    for (const tape of tapes) tape.close();
  }
}

/** Whether a run left its description in the directory, or in one below it. */
export function hasRun(directory: string): boolean {
  return existsSync(join(placeOf(directory).directory, RUN_FILE));
}

export interface OpenedPlace {
  /** The directory of this start of the run. */
  readonly directory: string;
  readonly tapes: readonly Tape[];
}

/** Description and journal, and the tapes if it recorded. They are closed when the work is done. @throws CliError, TapeFailure, JournalFailure */
export async function withRunOf<T>(
  directory: string,
  work: (opened: Omit<OpenedRun, 'markets'> & OpenedPlace) => Promise<T>,
): Promise<T> {
  const place = placeOf(directory);
  const run = readRunFile(place.directory);
  const { records, lost } = recordsOf(place.journal);
  const tapes = followed(place.tapes).kind === 'directory' ? openTapes(place.tapes) : [];
  try {
    return await work({ directory: place.directory, run, records, lost, tapes });
  } finally {
    for (const tape of tapes) tape.close();
  }
}

/** Where one run keeps its records. */
export interface RunPlace {
  /** Path of the run file. */
  readonly directory: string;
  readonly journal: string;
  readonly tapes: string;
}

/** A paper run keeps each of its starts in a directory of its own; of several, the newest is opened. */
export function placeOf(directory: string): RunPlace {
  const { kind, words } = followed(directory);
  if (kind !== 'directory') throw noRun(directory, words);
  const own = existsSync(join(directory, RUN_FILE)) ? directory : (newestStart(directory) ?? directory);
  return { directory: own, journal: join(own, 'journal.sqlite'), tapes: join(own, 'tapes') };
}

function noRun(directory: string, words: string): CliError {
  return new CliError({
    code: 'RUN_NOT_FOUND',
    what: 'There is no directory of a run at this path.',
    where: directory,
    why: `What is there: ${words}.`,
    next: 'Name the directory of a run that recorded: dir of its configuration, with record: true.',
  });
}

function newestStart(directory: string): string | undefined {
  const starts = readdirSync(directory)
    .map((name) => join(directory, name))
    .filter((path) => existsSync(join(path, RUN_FILE)))
    .map((path) => ({ path, at: statSync(join(path, RUN_FILE)).mtimeMs }));
  return starts.sort((a, b) => b.at - a.at)[0]?.path;
}

function recordsOf(path: string): Pick<OpenedRun, 'records' | 'lost'> {
  const reader = readJournal(path);
  try {
    return { records: [...reader.records()], lost: reader.lost };
  } finally {
    reader.close();
  }
}

function openTapes(directory: string): readonly Tape[] {
  if (followed(directory).kind !== 'directory') throw nothingRecorded(directory);
  const tapes: Tape[] = [];
  try {
    for (const path of tapePaths(directory)) tapes.push(Tape.open(path));
  } catch (error) {
    for (const tape of tapes) tape.close();
    throw error;
  }
  return tapes;
}

/** Paths of the tapes in the order in which they were written, with the one that is being written. */
export function tapePaths(directory: string): readonly string[] {
  const names = readdirSync(directory).filter((name) => name.endsWith('.tape') || name.endsWith(`.tape${UNFINISHED}`));
  return names.sort(byDayAndPart).map((name) => join(directory, name));
}

function byDayAndPart(a: string, b: string): number {
  return a.slice(0, 10).localeCompare(b.slice(0, 10)) || partOf(a) - partOf(b);
}

/** `2026-11-20.tape` is the day's first part, `2026-11-20.2.tape` its second. */
function partOf(name: string): number {
  return Number(/^.{10}\.(\d+)\.tape/.exec(name)?.[1] ?? 1);
}

function nothingRecorded(tapes: string): CliError {
  return new CliError({
    code: 'RUN_NOT_FOUND',
    what: 'The run has no recording to replay.',
    where: tapes,
    next: 'Run with record: true; a paper run always records.',
  });
}
