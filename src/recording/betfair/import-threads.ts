/** Imports files in threads, one file each at a time, into one tape that does not depend on how many there are. */

import { Worker } from 'node:worker_threads';
import { defined } from '../../core/checks/assert.ts';
import type { MarketKey } from '../tape/market-packer.ts';
import { TapeFailure } from '../tape/tape-failure.ts';
import type { TapeWriter } from '../tape/tape-writer.ts';
import { ImportFailure, type ImportProblem } from './decompress/import-failure.ts';
import type { FileReport } from './file-import.ts';
import type { WorkerNews, WorkerOrder } from './import-worker.ts';
import type { OnError } from './market/recording-import.ts';

const SOURCE = new URL('./import-worker.ts', import.meta.url);
const WORKER = import.meta.url.endsWith('.ts') ? SOURCE : new URL(SOURCE.href.replace(/\.ts$/, '.js'));

export interface ThreadedImport {
  readonly files: readonly string[];
  readonly writer: TapeWriter;
  readonly jobs: number;
  readonly onError: OnError;
  /** Called as chunks are read; false stops the import: files that are done, in their order, stay. */
  readonly onChunk: (file: string, filesDone: number, bytesRead: number) => boolean;
}

/** The reports of the files that are done, in order: all of them unless it was stopped. @throws ImportFailure */
export function importInThreads(options: ThreadedImport): Promise<readonly FileReport[]> {
  return new Promise((resolve, reject) => {
    new Threads(options, resolve, reject).start();
  });
}

type Finish = Extract<WorkerNews, { readonly kind: 'finish' }>;

/** One thread and the file that it is at. */
interface Thread {
  readonly worker: Worker;
  file: number;
  /** The tape's keys by the thread's. */
  keys: Map<MarketKey, MarketKey>;
  /** What waits until the files before this one are done. */
  finish: Finish | undefined;
  problem: ImportProblem | undefined;
}

/**
 * Segments are written as they come; markets get their places in the order of files, because a thread waits with
 * `finish` for its file's turn. The file whose turn it is never waits, so that all files come to their end.
 */
class Threads {
  readonly #options: ThreadedImport;
  readonly #resolve: (reports: readonly FileReport[]) => void;
  readonly #reject: (error: unknown) => void;
  readonly #threads: Thread[] = [];
  /** By file. */
  readonly #reports: (FileReport | undefined)[] = [];
  #next = 0;
  /** The first file that is not done. */
  #turn = 0;
  #ended = false;

  constructor(
    options: ThreadedImport,
    resolve: (reports: readonly FileReport[]) => void,
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
      const thread: Thread = { worker, file: 0, keys: new Map(), finish: undefined, problem: undefined };
      this.#threads.push(thread);
      worker.on('message', (news: WorkerNews) => this.#guarded(() => this.#hear(thread, news)));
      worker.once('error', (error) => this.#end(() => this.#reject(error)));
      this.#assign(thread);
    }
  }

  #assign(thread: Thread): void {
    const path = this.#options.files[this.#next];
    if (path === undefined) return;
    thread.file = this.#next;
    thread.keys = new Map();
    this.#next += 1;
    order(thread, { kind: 'import', path, onError: this.#options.onError });
  }

  #hear(thread: Thread, news: WorkerNews): void {
    const { writer } = this.#options;
    switch (news.kind) {
      case 'start':
        thread.keys.set(news.key, writer.startPacked());
        return;
      case 'definition':
        writer.definition(keyOf(thread, news.key), news.number, news.text);
        return;
      case 'segment':
        writer.segment(keyOf(thread, news.key), news.number, news.segment);
        return;
      case 'discard':
        writer.discardMarket(keyOf(thread, news.key));
        thread.keys.delete(news.key);
        return;
      case 'chunk':
        this.#chunk(thread, news.bytesRead);
        return;
      case 'finish':
        thread.finish = news;
        break;
      case 'failed':
        thread.problem = news.problem;
        break;
      case 'done':
        this.#reports[thread.file] = news.report;
        this.#assign(thread);
    }
    this.#turns();
  }

  #chunk(thread: Thread, bytesRead: number): void {
    const { files, onChunk } = this.#options;
    const path = defined(files[thread.file], 'a thread is at a file of the list');
    if (!onChunk(path, this.#turn, bytesRead)) this.#stop();
  }

  /** Lets the files go on whose turn it is. */
  #turns(): void {
    while (this.#reports[this.#turn] !== undefined) this.#turn += 1;
    if (this.#turn === this.#options.files.length) {
      this.#stop();
      return;
    }
    for (const thread of this.#threads) {
      if (thread.file !== this.#turn) continue;
      if (thread.problem !== undefined) throw new ImportFailure(thread.problem);
      if (thread.finish !== undefined) this.#finish(thread, thread.finish);
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

  /** Ends the threads, and says so when they have ended. */
  #end(then: () => void): void {
    if (this.#ended) return;
    this.#ended = true;
    void Promise.all(this.#threads.map(({ worker }) => worker.terminate()))
      .then(then)
      .catch(this.#reject);
  }

  /** What is thrown while news are heard ends the import. */
  #guarded(hear: () => void): void {
    if (this.#ended) return;
    try {
      hear();
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
