/** `importRecordings()`: raw recordings into a tape. */

import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { OddsmithError } from '../../core/checks/oddsmith-error.ts';
import { ImportFailure } from '../../recording/betfair/decompress/import-failure.ts';
import { type ImportReport, importBetfair } from '../../recording/betfair/import.ts';
import { followed } from '../../recording/tape/path-kind.ts';
import type { TapeMode } from '../../recording/tape/tape-target.ts';
import { AbortedError } from './aborted-error.ts';
import { asOddsmithError, type ErrorCode } from './error-codes.ts';
import { FaultyFilesError } from './faulty-files-error.ts';

/** What `importRecordings` reads, and where it writes. */
export interface ImportInput {
  /** Betfair stream recordings, or directories of them (plain, gz, bz2, zip, zst, tar of them). */
  readonly files: readonly string[];
  /** The tape to write, in a directory that is there. */
  readonly out: string;
  /** What is done where a tape is at `out` already: fail (`new`, default), add to it, or replace it. */
  readonly mode?: TapeMode | undefined;
  /** A damaged file: leave it out, and fail in the end (default), or keep what is whole of it. */
  readonly onError?: 'fail' | 'skip' | undefined;
  /** Files imported at once, each in a thread of its own; 1 by default, without threads. The tape is the same. */
  readonly jobs?: number | undefined;
  /** Called as files are read, and with `part` 1 at the end. */
  readonly onProgress?: ((progress: ImportPart) => void) | undefined;
  /** Ends the import soon after it is aborted, with an `AbortedError`: files that are done stay in the tape. */
  readonly signal?: AbortSignal | undefined;
}

/** How far an import is. */
export interface ImportPart {
  /** How much is read, from 0 to 1. It never goes back. */
  readonly part: number;
  /** Of all files, as they lie on disk. */
  readonly bytesRead: number;
  /** Size of all files as they lie on disk. */
  readonly bytes: number;
  /** The file that was read from last. */
  readonly file: string;
  /** Files that are in the tape. */
  readonly filesDone: number;
  /** Files that are imported in all. */
  readonly files: number;
}

/**
 * Imports Betfair stream recordings into a tape, as `oddsmith import betfair` does. The tape appears at `out` when it is complete.
 *
 * @throws OddsmithError with one of `ERROR_CODES`; nothing is left on disk then. FaultyFilesError, with the report, where some files
 * were left out and the others are on the tape. AbortedError, with the report of the files that are done, where `signal` is aborted
 *
 * @example
 * const { markets, files } = await importRecordings({ files: ['recordings'], out: 'data/august.tape', onError: 'skip' });
 * console.log(`${markets} markets`, files.flatMap(({ problems }) => problems.map(({ what }) => what)));
 */
export async function importRecordings(input: ImportInput): Promise<ImportReport> {
  const { jobs = 1, signal = new AbortController().signal } = input;
  checkJobs(jobs);
  const files = recordingFiles(input.files);
  if (signal.aborted) throw new AbortedError<ImportReport>('importRecordings', signal);
  try {
    const report = await importFiles({ ...input, files });
    if (report.interrupted) throw new AbortedError('importRecordings', signal, report);
    if (report.faulty > 0 && input.onError !== 'skip') throw new FaultyFilesError(report);
    return report;
  } catch (error) {
    const isEmpty = error instanceof ImportFailure && error.code === 'NOTHING_IMPORTED';
    if (signal.aborted && isEmpty) throw new AbortedError<ImportReport>('importRecordings', signal);
    throw asOddsmithError(error);
  }
}

/**
 * Imports files, not directories. If it is aborted, it returns its report as any other import does.
 * @throws ImportFailure, TapeFailure
 */
export async function importFiles(input: ImportInput): Promise<ImportReport> {
  const { files, out: tape, mode = 'new', onError = 'fail', jobs = 1, signal } = input;
  const progress = new ReadingProgress(files, input.onProgress);
  const onProgress = progress.read.bind(progress);
  const how = { mode, onError, jobs, onProgress, ...(signal === undefined ? {} : { signal }) };
  const report = await importBetfair({ files, tape, ...how });
  if (!report.interrupted) progress.end(report.files.length);
  return report;
}

/** Adds up what is read of the files, which take turns where several are read at once. */
class ReadingProgress {
  readonly #readOf = new Map<string, number>();
  readonly #sizeOf: ReadonlyMap<string, number>;
  readonly #bytes: number;
  readonly #onProgress: ImportInput['onProgress'];
  #bytesRead = 0;
  #last = '';

  constructor(files: readonly string[], onProgress: ImportInput['onProgress']) {
    this.#sizeOf = new Map(files.map((file) => [file, statSync(file).size]));
    this.#bytes = files.reduce((sum, file) => sum + (this.#sizeOf.get(file) ?? 0), 0);
    this.#onProgress = onProgress;
  }

  read({
    file,
    bytesRead,
    filesDone,
    files,
  }: {
    file: string;
    bytesRead: number;
    filesDone: number;
    files: number;
  }): void {
    const known = this.#readOf.get(file) ?? 0;
    this.#bytesRead += Math.max(0, bytesRead - known);
    this.#readOf.set(file, Math.max(known, bytesRead));
    this.#last = file;
    this.#say(filesDone, files);
  }

  end(files: number): void {
    this.#bytesRead = this.#bytes;
    this.#say(files, files);
  }

  #say(filesDone: number, files: number): void {
    const [bytesRead, bytes] = [Math.min(this.#bytesRead, this.#bytes), this.#bytes];
    const part = bytes === 0 ? Number(filesDone === files) : bytesRead / bytes;
    this.#onProgress?.({ part, bytesRead, bytes, file: this.#last, filesDone, files });
  }
}

function checkJobs(jobs: number): void {
  if (Number.isInteger(jobs) && jobs >= 1 && jobs <= JOBS_MAX) return;
  throw new OddsmithError<ErrorCode>({
    code: 'CONFIG_INVALID',
    what: `The value of jobs must be a whole number from 1 to ${JOBS_MAX}.`,
    where: 'jobs',
    why: `It is ${jobs}.`,
    next: 'Change the value, or leave the option out to get its default.',
  });
}

const JOBS_MAX = 256;

/** Files themselves, and all files under directories in the order of names. @throws OddsmithError FILE_NOT_FOUND, FILE_UNREADABLE */
export function recordingFiles(paths: readonly string[]): readonly string[] {
  const files = paths.flatMap(filesAt);
  if (files.length > 0) return files;
  throw new OddsmithError<ErrorCode>({
    code: 'FILE_NOT_FOUND',
    what: 'There is no recording in this directory.',
    where: paths.join(', '),
    why: 'It holds no file, or only files whose names begin with a dot.',
    next: 'Name the recordings, or a directory that holds them.',
  });
}

/** What begins with a dot is left out. */
function filesAt(path: string): readonly string[] {
  const { kind, words } = followed(path);
  if (kind === 'nothing') {
    throw new OddsmithError<ErrorCode>({
      code: 'FILE_NOT_FOUND',
      what: 'There is no recording at this path.',
      where: path,
      next: 'Check the path; it is relative to the directory in which oddsmith was started.',
    });
  }
  if (kind === 'file') return [path];
  if (kind !== 'directory') {
    throw new OddsmithError<ErrorCode>({
      code: 'FILE_UNREADABLE',
      what: 'What is at this path is no recording.',
      where: path,
      why: kind === 'unreachable' ? words : `It is ${words}.`,
      next: 'Name files, or directories of files.',
    });
  }
  return readdirSync(path)
    .filter((name) => !name.startsWith('.'))
    .sort()
    .flatMap((name) => filesAt(join(path, name)));
}
