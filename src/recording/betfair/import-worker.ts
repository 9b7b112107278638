/** The thread that imports files one after another: it packs markets into rows, which the main thread writes. */

import { parentPort } from 'node:worker_threads';
import { defined } from '../../core/checks/assert.ts';
import type { Segment } from '../segment/segment.ts';
import type { UpdateColumns } from '../segment/update.ts';
import type { RecordedDefinition } from '../tape/definition.ts';
import {
  type MarketKey,
  MarketPacker,
  type MarketRows,
  type MarketSummary,
  type MarketWriter,
} from '../tape/market-packer.ts';
import { TapeFailure } from '../tape/tape-failure.ts';
import type { MarketDescription } from '../tape/tape-schema.ts';
import { FileImport, type ImportedFile } from './file-import.ts';
import type { OnError } from './market/recording-import.ts';

/**
 * Messages to the thread: a file to import, or the reply to `finish`, which names the path of a duplicate if there is
 * one.
 */
export type WorkerOrder =
  | { readonly kind: 'import'; readonly paths: readonly string[]; readonly onError: OnError }
  | { readonly kind: 'finished'; readonly refused?: string };

/** Messages from the thread. Market keys count from 0 in each file. */
export type WorkerMessage =
  | { readonly kind: 'start'; readonly key: MarketKey }
  | { readonly kind: 'definition'; readonly key: MarketKey; readonly number: number; readonly text: string }
  | { readonly kind: 'segment'; readonly key: MarketKey; readonly number: number; readonly segment: Segment }
  | { readonly kind: 'picture'; readonly key: MarketKey; readonly number: number; readonly picture: Segment }
  | {
      readonly kind: 'finish';
      readonly key: MarketKey;
      readonly summary: MarketSummary;
      readonly description: MarketDescription;
    }
  | { readonly kind: 'discard'; readonly key: MarketKey }
  | { readonly kind: 'chunk'; readonly bytesRead: number }
  | { readonly kind: 'done'; readonly imported: ImportedFile };

const port = defined(parentPort ?? undefined, 'an import worker runs in a thread of its own');
/** Resolves the promise that waits for the reply to `finish`. */
let answered: ((refused: string | undefined) => void) | undefined;

port.on('message', (order: WorkerOrder) => {
  if (order.kind === 'finished') answered?.(order.refused);
  else void importFile(order.paths, order.onError);
});

/** Imports one file. An error is a bug: it is not caught, ends the thread, and is thrown in the main thread. */
async function importFile(paths: readonly string[], onError: OnError): Promise<void> {
  const onChunk = (bytesRead: number) => {
    post({ kind: 'chunk', bytesRead });
    return true;
  };
  const imported = await new FileImport({ paths, onError, writer: new ThreadWriter(), onChunk }).run();
  post({ kind: 'done', imported: defined(imported, 'a thread is stopped by ending it') });
}

class ThreadWriter implements MarketWriter, MarketRows {
  readonly #open = new Map<MarketKey, MarketPacker>();
  #nextKey = 0;

  startMarket(): MarketKey {
    const key = this.#nextKey;
    this.#nextKey += 1;
    this.#open.set(key, new MarketPacker(key, this));
    post({ kind: 'start', key });
    return key;
  }

  addDefinition(key: MarketKey, definition: RecordedDefinition): number {
    return this.#packer(key).addDefinition(definition);
  }

  appendUpdate(key: MarketKey, update: UpdateColumns): void {
    this.#packer(key).append(update);
  }

  /**
   * Waits until all files before this one are imported: of two markets with one id, the first in the order of files
   * stays.
   */
  async finishMarket(key: MarketKey, description: MarketDescription): Promise<void> {
    const summary = this.#packer(key).end();
    const refused = await new Promise<string | undefined>((resolve) => {
      answered = resolve;
      post({ kind: 'finish', key, summary, description });
    });
    if (refused === undefined) this.#open.delete(key);
    else throw new TapeFailure('DUPLICATE_MARKET', refused, description.facts.id, 'leave one of the two sources out');
  }

  discardMarket(key: MarketKey): void {
    this.#open.delete(key);
    post({ kind: 'discard', key });
  }

  definition(key: MarketKey, number: number, text: string): void {
    post({ kind: 'definition', key, number, text });
  }

  segment(key: MarketKey, number: number, segment: Segment): void {
    post({ kind: 'segment', key, number, segment });
  }

  picture(key: MarketKey, number: number, picture: Segment): void {
    post({ kind: 'picture', key, number, picture });
  }

  #packer(key: MarketKey): MarketPacker {
    return defined(this.#open.get(key), `the import has no open market ${key}`);
  }
}

function post(message: WorkerMessage): void {
  port.postMessage(message);
}
