/** Imports Betfair recordings into a tape: files in, a report for each out, and a tape only if it is whole. */

import { type TapeMode, TapeWriter } from '../tape-writer.ts';
import { FileBytes, observed } from './file-bytes.ts';
import { ImportFailure, type ImportProblem, importFailure } from './import-failure.ts';
import { type OnError, RecordingImport, type RecordingReport, type SecondReading } from './recording-import.ts';
import { recordingsIn } from './sources.ts';

export interface BetfairImport {
  /** Files in any format that sources.ts knows; found by their bytes, not their names. */
  readonly files: readonly string[];
  /** The tape to write. */
  readonly tape: string;
  readonly mode?: TapeMode;
  /** Default 'fail': the first fault throws, and no tape is written. */
  readonly onError?: OnError;
  readonly onProgress?: (progress: ImportProgress) => void;
  /** Stops the import at the next chunk: files that are done stay in the tape. */
  readonly signal?: AbortSignal;
}

export interface ImportProgress {
  readonly file: string;
  readonly filesDone: number;
  readonly files: number;
  /** Bytes of the file read so far, as it lies on disk. */
  readonly bytesRead: number;
}

/** Plain data, so that it may cross threads. */
export interface FileReport {
  readonly file: string;
  readonly bytes: number;
  readonly recordings: readonly RecordingReport[];
  /** Damage of the file outside its recordings. */
  readonly problems: readonly ImportProblem[];
}

export interface ImportReport {
  readonly files: readonly FileReport[];
  readonly markets: number;
  readonly updatesRead: number;
  readonly updatesImported: number;
  /** Of the tape's content; absent where nothing was imported. */
  readonly sha256: string;
  readonly interrupted: boolean;
}

/** @throws ImportFailure, TapeFailure; nothing is left on disk then */
export async function importBetfair(options: BetfairImport): Promise<ImportReport> {
  const writer = TapeWriter.create(options.tape, options.mode ?? 'new');
  try {
    const files: FileReport[] = [];
    let interrupted = false;
    for (const path of options.files) {
      const report = await new FileImport(path, writer, options).run(files.length);
      if (report === undefined) {
        interrupted = true;
        break;
      }
      files.push(report);
    }
    if (writer.markets === 0) throw nothingImported(files);
    const recordings = files.flatMap((file) => file.recordings);
    const markets = recordings.flatMap((recording) =>
      recording.markets.filter((market) => market.outcome === 'imported'),
    );
    return {
      files,
      markets: markets.length,
      updatesRead: recordings.reduce((sum, recording) => sum + recording.updates, 0),
      updatesImported: markets.reduce((sum, market) => sum + market.updates, 0),
      sha256: writer.finish(),
      interrupted,
    };
  } catch (error) {
    writer.discard();
    throw error;
  }
}

/** The first problem of all is the reason; without any file there is none. */
function nothingImported(files: readonly FileReport[]): ImportFailure {
  const problems = files.flatMap((file) => [
    ...file.recordings.flatMap((recording) => recording.problems),
    ...file.problems,
  ]);
  const [first] = problems;
  if (first !== undefined) return new ImportFailure(first);
  return importFailure('NOTHING_IMPORTED', { file: files.map((file) => file.file).join(', ') });
}

/** Thrown inside an import when its signal was raised; never seen outside. */
class Interrupted extends Error {
  override readonly name = 'Interrupted';
}

/** One file's import in progress. */
class FileImport {
  readonly #path: string;
  readonly #writer: TapeWriter;
  readonly #options: BetfairImport;
  readonly #recordings: RecordingReport[] = [];
  /** By name: recordings to be read a second time, up to a line. */
  readonly #again = new Map<string, SecondReading>();
  #bytes = 0;

  constructor(path: string, writer: TapeWriter, options: BetfairImport) {
    this.#path = path;
    this.#writer = writer;
    this.#options = options;
  }

  /** The report; undefined where the signal stopped it. @throws ImportFailure */
  async run(filesDone: number): Promise<FileReport | undefined> {
    const problems: ImportProblem[] = [];
    try {
      const sha256 = await FileBytes.sha256(this.#path);
      await this.#pass({ sha256, filesDone, isSecond: false });
      if (this.#again.size > 0) await this.#pass({ sha256, filesDone, isSecond: true });
    } catch (error) {
      if (error instanceof Interrupted) return undefined;
      if (!(error instanceof ImportFailure) || this.#options.onError !== 'skip') throw error;
      problems.push(error.problem);
    }
    return { file: this.#path, bytes: this.#bytes, recordings: this.#recordings, problems };
  }

  async #pass(pass: {
    readonly sha256: string;
    readonly filesDone: number;
    readonly isSecond: boolean;
  }): Promise<void> {
    const bytes = await FileBytes.open(this.#path);
    try {
      for await (const source of recordingsIn(bytes)) {
        const second = this.#again.get(source.name);
        if (pass.isSecond && second === undefined) continue;
        const chunks = observed(source.chunks, () => this.#observe(bytes.bytesRead, pass.filesDone));
        const importer = new RecordingImport({
          writer: this.#writer,
          source: { ...source, chunks },
          onError: this.#options.onError ?? 'fail',
          ...(second === undefined ? {} : { second }),
        });
        const result = await importer.run({ file: source.name, sha256: pass.sha256 });
        if (result.kind === 'done') this.#recordings.push(result.report);
        else this.#again.set(source.name, result.second);
      }
    } finally {
      this.#bytes = bytes.bytesRead;
      await bytes.close();
    }
  }

  #observe(bytesRead: number, filesDone: number): void {
    const { signal, onProgress, files } = this.#options;
    if (signal?.aborted === true) throw new Interrupted();
    onProgress?.({ file: this.#path, filesDone, files: files.length, bytesRead });
  }
}
