/** Imports one file, however its recordings are wrapped, or the files of one market that native recorders wrote. */

import type { MarketWriter } from '../tape/market-packer.ts';
import type { CatalogueMarket } from './catalogue.ts';
import { FileBytes, observed } from './decompress/file-bytes.ts';
import { ImportFailure, type ImportProblem } from './decompress/import-failure.ts';
import { type OnError, RecordingImport, type RecordingReport, type SecondReading } from './market/recording-import.ts';
import { joinedMarket } from './native/join.ts';
import { recorderOf } from './native/native-files.ts';
import { type FoundSource, sourcesIn } from './sources.ts';

/** What became of a file. Plain data, so that it may cross threads. */
export interface FileReport {
  /** Its path as it was given; of files of one market that are imported together, that of the first. */
  readonly file: string;
  /** Its size on disk, or that of all. */
  readonly bytes: number;
  /** What was found in it: one for a plain file, one for each entry of an archive. */
  readonly recordings: readonly RecordingReport[];
  /** Damage of the file outside its recordings. */
  readonly problems: readonly ImportProblem[];
  /** Of how many markets it speaks, where it is a catalogue of them (an answer of listMarketCatalogue). */
  readonly catalogueMarkets?: number;
}

/** A report, with what a catalogue says. */
export interface ImportedFile {
  readonly report: FileReport;
  readonly catalogue: readonly CatalogueMarket[];
}

export interface FileImportOptions {
  /** Several only where native recorders wrote them of one market. */
  readonly paths: readonly string[];
  readonly writer: MarketWriter;
  readonly onError: OnError;
  /** Called before each chunk with the number of bytes read so far; returning false stops the import. */
  readonly onChunk: (bytesRead: number) => boolean;
}

/** Thrown where `onChunk` stops the import; never seen outside this file. */
class Interrupted extends Error {
  override readonly name = 'Interrupted';
}

/** One file's import in progress. */
export class FileImport {
  readonly #options: FileImportOptions;
  readonly #recordings: RecordingReport[] = [];
  #catalogue: readonly CatalogueMarket[] = [];
  /** Recordings that must be read a second time, up to a line; by name. */
  readonly #again = new Map<string, SecondReading>();
  #bytes = 0;

  constructor(options: FileImportOptions) {
    this.#options = options;
  }

  /** Imports the file; returns the report, or undefined where it was stopped. */
  async run(): Promise<ImportedFile | undefined> {
    const [path = ''] = this.#options.paths;
    const problems: ImportProblem[] = [];
    try {
      await this.#pass('first');
      if (this.#again.size > 0) await this.#pass('second');
    } catch (error) {
      if (error instanceof Interrupted) return undefined;
      if (!(error instanceof ImportFailure)) throw error;
      problems.push(error.problem);
    }
    const catalogue = this.#catalogue;
    const spoken = catalogue.length === 0 ? {} : { catalogueMarkets: catalogue.length };
    const report = { file: path, bytes: this.#bytes, recordings: this.#recordings, problems, ...spoken };
    return { report, catalogue };
  }

  async #pass(pass: 'first' | 'second'): Promise<void> {
    const { writer, onError } = this.#options;
    const opened = await this.#open();
    try {
      for await (const source of opened.sources) {
        if (source.kind === 'catalogue') {
          if (pass === 'first') this.#catalogue = [...this.#catalogue, ...source.markets];
          continue;
        }
        const second = this.#again.get(source.name);
        if (pass === 'second' && second === undefined) continue;
        const chunks = observed(source.chunks, () => this.#observe(opened.bytesRead));
        const importer = new RecordingImport({
          writer,
          source: { ...source, chunks },
          onError,
          ...(second === undefined ? {} : { second }),
        });
        const result = await importer.run(async () => ({ file: source.name, sha256: await opened.sha256() }));
        if (result.kind === 'done') this.#recordings.push(result.report);
        else this.#again.set(source.name, result.second);
      }
    } finally {
      this.#bytes = opened.bytesRead;
      await opened.close();
    }
  }

  async #open(): Promise<OpenedFile> {
    const [path = ''] = this.#options.paths;
    if (recorderOf(path) !== undefined) return openedNative(this.#options.paths);
    const bytes = await FileBytes.open(path);
    return {
      sources: sourcesIn(bytes),
      get bytesRead() {
        return bytes.bytesRead;
      },
      sha256: () => bytes.sha256(),
      close: () => bytes.close(),
    };
  }

  #observe(bytesRead: number): void {
    if (!this.#options.onChunk(bytesRead)) throw new Interrupted();
  }
}

/** A file that is read, or several that are read as one. */
interface OpenedFile {
  readonly sources: AsyncIterable<FoundSource>;
  readonly bytesRead: number;
  sha256(): Promise<string>;
  close(): Promise<void>;
}

function openedNative(paths: readonly string[]): OpenedFile {
  const { id, lines, gaps, bytes, sha256 } = joinedMarket(paths);
  async function* sources(): AsyncGenerator<FoundSource> {
    yield { kind: 'recording', name: id, chunks: chunksOf(lines), isChecked: false, gaps };
  }
  return { sources: sources(), bytesRead: bytes, sha256: async () => sha256, close: async () => undefined };
}

const CHUNK_LINES = 1_000;

async function* chunksOf(lines: Iterable<string>): AsyncGenerator<Uint8Array> {
  let waiting: string[] = [];
  const chunk = () => Buffer.from(waiting.map((line) => `${line}\n`).join(''));
  for (const line of lines) {
    waiting.push(line);
    if (waiting.length < CHUNK_LINES) continue;
    yield chunk();
    waiting = [];
  }
  yield chunk();
}
