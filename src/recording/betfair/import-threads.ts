/** Imports files in threads, one file at a time each, into one tape that does not depend on the number of threads. */

import { Worker } from 'node:worker_threads';
import { defined } from '../../core/checks/assert.ts';
import { threadModule } from '../../core/checks/thread-module.ts';
import type { MarketKey } from '../tape/market-packer.ts';
import { TapeFailure } from '../tape/tape-failure.ts';
import type { TapeWriter } from '../tape/tape-writer.ts';
import type { ImportedFile } from './file-import.ts';
import type { WorkerMessage, WorkerOrder } from './import-worker.ts';
import type { OnError } from './market/recording-import.ts';

const WORKER = threadModule(import.meta.url, './import-worker.ts');

export interface ThreadedImport {
  /** Each is one file, or several that are read as one. */
  readonly files: readonly (readonly string[])[];
  readonly writer: TapeWriter;
  readonly jobs: number;
  readonly onError: OnError;
  /**
   * Called as chunks are read; returning false stops the import, and files that are done by then, in their order, stay.
   */
  readonly onChunk: (file: string, filesDone: number, bytesRead: number) => boolean;
}

/**
 * Imports the files; resolves with the reports of the files that are done, in order (all of them unless it was
 * stopped).
 */
export function importInThreads(options: ThreadedImport): Promise<readonly ImportedFile[]> {
  return new Promise((resolve, reject) => {
    new Threads(options, resolve, reject).start();
  });
}

type Finish = Extract<WorkerMessage, { readonly kind: 'finish' }>;

/** One thread and the file that it is importing. */
interface Thread {
  readonly worker: Worker;
  file: number;
  /** The tape's market keys by the thread's own. */
  keys: Map<MarketKey, MarketKey>;
  /** A `finish` message that waits until the files before this one are done. */
  finish: Finish | undefined;
}

/**
 * Segments are written as they come. Markets get their places in the order of files, because a thread waits with
 * `finish` for its file's turn. The file whose turn it is never waits, so all files get done.
 */
class Threads {
  readonly #options: ThreadedImport;
  readonly #resolve: (reports: readonly ImportedFile[]) => void;
  readonly #reject: (error: unknown) => void;
  readonly #threads: Thread[] = [];
  /** Reports by file; undefined where the file is not done. */
  readonly #reports: (ImportedFile | undefined)[] = [];
  #next = 0;
  /** The index of the first file that is not done. */
  #turn = 0;
  #ended = false;

  constructor(
    options: ThreadedImport,
    resolve: (reports: readonly ImportedFile[]) => void,
    reject: (e: unknown) => void,
  ) {
    this.#options = options;
    this.#resolve = resolve;
    this.#reject = reject;
  }

  start(): void {
    const count = Math.min(this.#options.jobs, this.#options.files.length);
    for (let i = 0; i < count; i += 1) {
      const worker = new Worker(WORKER);
      const thread: Thread = { worker, file: 0, keys: new Map(), finish: undefined };
      this.#threads.push(thread);
      worker.on('message', (message: WorkerMessage) => this.#guarded(() => this.#onMessage(thread, message)));
      worker.once('error', (error) => this.#end(() => this.#reject(error)));
      this.#assign(thread);
    }
  }

  #assign(thread: Thread): void {
    const paths = this.#options.files[this.#next];
    if (paths === undefined) return;
    thread.file = this.#next;
    thread.keys = new Map();
    this.#next += 1;
    order(thread, { kind: 'import', paths, onError: this.#options.onError });
  }

  #onMessage(thread: Thread, message: WorkerMessage): void {
    const { writer } = this.#options;
    switch (message.kind) {
      case 'start':
        thread.keys.set(message.key, writer.startPacked());
        return;
      case 'definition':
        writer.definition(keyOf(thread, message.key), message.number, message.text);
        return;
      case 'segment':
        writer.segment(keyOf(thread, message.key), message.number, message.segment);
        return;
      case 'picture':
        writer.picture(keyOf(thread, message.key), message.number, message.picture);
        return;
      case 'discard':
        writer.discardMarket(keyOf(thread, message.key));
        thread.keys.delete(message.key);
        return;
      case 'chunk':
        this.#chunk(thread, message.bytesRead);
        return;
      case 'finish':
        thread.finish = message;
        break;
      case 'done':
        this.#reports[thread.file] = message.imported;
        this.#assign(thread);
    }
    this.#turns();
  }

  #chunk(thread: Thread, bytesRead: number): void {
    const { files, onChunk } = this.#options;
    const [path] = defined(files[thread.file], 'a thread is at a file of the list');
    if (!onChunk(path ?? '', this.#turn, bytesRead)) this.#stop();
  }

  /** Lets files continue whose turn has come. */
  #turns(): void {
    while (this.#reports[this.#turn] !== undefined) this.#turn += 1;
    if (this.#turn === this.#options.files.length) {
      this.#stop();
      return;
    }
    for (const thread of this.#threads) {
      if (thread.file === this.#turn && thread.finish !== undefined) this.#finish(thread, thread.finish);
    }
  }

  #finish(thread: Thread, { key, summary, description }: Finish): void {
    thread.finish = undefined;
    try {
      this.#options.writer.finishPacked(keyOf(thread, key), summary, description);
      thread.keys.delete(key);
      order(thread, { kind: 'finished' });
    } catch (error) {
      if (!(error instanceof TapeFailure)) throw error;
      order(thread, { kind: 'finished', refused: error.path });
    }
  }

  /** Ends with the files that are done; what threads have begun is discarded. */
  #stop(): void {
    const { writer } = this.#options;
    const begun = this.#threads.flatMap((thread) => [...thread.keys.values()]);
    this.#end(() => {
      for (const key of begun) writer.discardMarket(key);
      this.#resolve(this.#reports.slice(0, this.#turn).filter((report) => report !== undefined));
    });
  }

  /** Ends the threads, then calls `then`. */
  #end(then: () => void): void {
    if (this.#ended) return;
    this.#ended = true;
    void Promise.all(this.#threads.map(({ worker }) => worker.terminate()))
      .then(then)
      .catch(this.#reject);
  }

  /** Runs `work`; an error ends the import. */
  #guarded(work: () => void): void {
    if (this.#ended) return;
    try {
      work();
    } catch (error) {
      this.#end(() => this.#reject(error));
    }
  }
}

function keyOf(thread: Thread, key: MarketKey): MarketKey {
  return defined(thread.keys.get(key), `file ${thread.file} has no open market ${key}`);
}

function order(thread: Thread, what: WorkerOrder): void {
  thread.worker.postMessage(what);
}
