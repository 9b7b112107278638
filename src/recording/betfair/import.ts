/** Imports Betfair recordings into a tape: files in, a report for each out, and a tape only if it is complete. */

import type { TapeMode } from '../tape/tape-target.ts';
import { TapeWriter } from '../tape/tape-writer.ts';
import { completed } from './catalogue.ts';
import { ImportFailure, type ImportProblem, importFailure } from './decompress/import-failure.ts';
import { FileImport, type FileReport, type ImportedFile } from './file-import.ts';
import { importInThreads } from './import-threads.ts';
import type { OnError } from './market/recording-import.ts';
import { importUnits } from './native/native-files.ts';

/** What to import, and how. */
export interface BetfairImport {
  /**
   * Files in any format that sources.ts knows, which is recognised by their bytes and not by their names. Those of one market that
   * native recorders wrote are read as one.
   */
  readonly files: readonly string[];
  /** Path of the tape to write. */
  readonly tape: string;
  readonly mode?: TapeMode;
  /** Default 'fail': recordings with a fault are left out. */
  readonly onError?: OnError;
  /** How many threads import, one file at a time each; the tape is the same. Default 1: without threads. */
  readonly jobs?: number;
  readonly onProgress?: (progress: ImportProgress) => void;
  /** Stops the import at the next chunk: files that are done stay in the tape. */
  readonly signal?: AbortSignal;
}

/** How far an import is; passed to `onProgress`. */
export interface ImportProgress {
  readonly file: string;
  readonly filesDone: number;
  readonly files: number;
  /** Compressed bytes of the file read so far. With threads, reports of several files alternate. */
  readonly bytesRead: number;
}

/** What an import brought, file by file and in sum. */
export interface ImportReport {
  /** One for each file, in the order in which they were given; one for all files of a market that native recorders wrote. */
  readonly files: readonly FileReport[];
  /** How many files have a fault (`problems`); with `onError: 'fail'` the recordings that have it are not on the tape. */
  readonly faulty: number;
  /** How many markets the import wrote. */
  readonly markets: number;
  /** How many markets of the tape were found in catalogues, which say names, venue and more of them. */
  readonly named: number;
  /** Updates of all markets that were found in the files. */
  readonly updatesRead: number;
  /** Updates of the markets that were written; the others were left out or refused. */
  readonly updatesImported: number;
  /** Hash of the tape's content; absent where nothing was imported. */
  readonly sha256: string;
  /** Whether it was aborted: what is in the tape then are the files that were done. */
  readonly interrupted: boolean;
}

/** Imports the files. @throws ImportFailure, TapeFailure; then nothing is left on disk */
export async function importBetfair(options: BetfairImport): Promise<ImportReport> {
  const writer = TapeWriter.create(options.tape, options.mode ?? 'new');
  try {
    const units = importUnits(options.files);
    const imported = await importFiles(units, options, writer);
    const files = imported.map(({ report }) => report);
    const recordings = files.flatMap((file) => file.recordings);
    const markets = recordings.flatMap((recording) =>
      recording.markets.filter((market) => market.outcome === 'imported'),
    );
    const named = complete(writer, imported);
    if (markets.length === 0 && named === 0) throw nothingImported(files);
    return {
      files,
      faulty: files.filter((file) => problemsOf(file).length > 0).length,
      markets: markets.length,
      named,
      updatesRead: recordings.reduce((sum, recording) => sum + recording.updates, 0),
      updatesImported: markets.reduce((sum, market) => sum + market.updates, 0),
      sha256: writer.finish(),
      interrupted: files.length < units.length,
    };
  } catch (error) {
    writer.discard();
    throw error;
  }
}

/** Gives the markets of the tape what catalogues say of them, the first of a market in the order of files; returns how many there were. */
function complete(writer: TapeWriter, files: readonly ImportedFile[]): number {
  const known = new Set<string>();
  for (const market of files.flatMap(({ catalogue }) => catalogue)) {
    if (known.has(market.id)) continue;
    if (writer.amend(market.id, (description) => completed(description, market))) known.add(market.id);
  }
  return known.size;
}

/**
 * Imports the files; returns the reports of those that are done, in order (all of them unless the signal stopped it).
 */
async function importFiles(
  files: readonly (readonly string[])[],
  { signal, onProgress, onError = 'fail', jobs = 1 }: BetfairImport,
  writer: TapeWriter,
): Promise<readonly ImportedFile[]> {
  const onChunk = (file: string, filesDone: number, bytesRead: number) => {
    if (signal?.aborted === true) return false;
    onProgress?.({ file, filesDone, files: files.length, bytesRead });
    return true;
  };
  if (Math.min(jobs, files.length) > 1) return importInThreads({ files, writer, jobs, onError, onChunk });
  const done: ImportedFile[] = [];
  for (const paths of files) {
    const onOwnChunk = onChunk.bind(undefined, paths[0] ?? '', done.length);
    const importing = { paths, writer, onError, onChunk: onOwnChunk };
    const imported = await new FileImport(importing).run();
    if (imported === undefined) break;
    done.push(imported);
    // Small files are read without waiting for anything.
    await nextTurn();
  }
  return done;
}

/** Lets the event loop turn, so that a signal may stop an import of many small files. */
function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve); // edge: an import must not keep the process from everything else
  });
}

/** All that is wrong with a file and the recordings in it. */
export function problemsOf({ recordings, problems }: FileReport): readonly ImportProblem[] {
  return [...recordings.flatMap((recording) => recording.problems), ...problems];
}

/** The failure of an import that found nothing: its reason is the first problem of all, if there is one. */
function nothingImported(files: readonly FileReport[]): ImportFailure {
  const [first] = files.flatMap(problemsOf);
  if (first !== undefined) return new ImportFailure(first);
  return importFailure('NOTHING_IMPORTED', { file: files.map((file) => file.file).join(', ') });
}
