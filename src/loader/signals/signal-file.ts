/** Reads a signal file, CSV or JSON lines, whole or as it grows. */

import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { followed } from '../../recording/tape/path-kind.ts';
import type { SignalRow } from '../../strategy/signals.ts';
import { createLineReader, type LineReader } from './signal-file-line.ts';

export interface SignalFault {
  readonly code: 'SIGNAL_NOT_FOUND' | 'SIGNAL_ROW';
  readonly what: string;
  readonly file: string;
  /** Line number, from 1. */
  readonly line?: number;
  readonly why: string;
  readonly next: string;
}

export interface SignalRead {
  /** The new rows since the last reading, in order of availableAt; rows with the same time keep the file's order. */
  readonly rows: readonly SignalRow[];
  /** Lines that are no rows; the other lines count all the same. */
  readonly faults: readonly SignalFault[];
}

const CHUNK_BYTES = 1 << 20;
const NEWLINE = 0x0a;

/** Follows one file, which is open only during a reading, so that a writer may replace it. */
export class SignalFile {
  readonly #file: string;
  #lines: LineReader;
  #line = 0;
  #offset = 0;
  #partial: Buffer = Buffer.alloc(0);

  constructor(file: string) {
    this.#file = file;
    this.#lines = createLineReader(file);
  }

  /**
   * The rows written since the last call. A last line without a line feed is still being written, so it waits; with
   * `final`, which a backtest passes, it counts. A file that has shrunk was replaced and is read from its start.
   */
  read(options: { readonly final: boolean }): SignalRead {
    const rows: SignalRow[] = [];
    const faults: SignalFault[] = [];
    const opened = open(this.#file);
    if (opened === undefined) return { rows, faults: [notFound(this.#file)] };
    try {
      this.#restartIfReplaced(fstatSync(opened).size);
      for (const text of this.#newLines(opened, options.final)) this.#take(text, rows, faults);
    } finally {
      closeSync(opened);
    }
    rows.sort((a, b) => a.availableAt - b.availableAt);
    return { rows, faults };
  }

  #restartIfReplaced(size: number): void {
    if (size >= this.#offset) return;
    this.#lines = createLineReader(this.#file);
    this.#line = 0;
    this.#offset = 0;
    this.#partial = Buffer.alloc(0);
  }

  /** Splits bytes instead of text, so that no character is cut in two. */
  *#newLines(opened: number, final: boolean): Generator<string> {
    const chunk = Buffer.alloc(CHUNK_BYTES);
    for (;;) {
      const size = readSync(opened, chunk, 0, CHUNK_BYTES, this.#offset);
      if (size === 0) break;
      this.#offset += size;
      let from = 0;
      for (let to = chunk.indexOf(NEWLINE, from); to >= 0 && to < size; to = chunk.indexOf(NEWLINE, from)) {
        const line = Buffer.concat([this.#partial, chunk.subarray(from, to)]);
        this.#partial = Buffer.alloc(0);
        from = to + 1;
        yield line.toString();
      }
      this.#partial = Buffer.concat([this.#partial, chunk.subarray(from, size)]);
    }
    if (!final || this.#partial.length === 0) return;
    const last = this.#partial.toString();
    this.#partial = Buffer.alloc(0);
    yield last;
  }

  #take(text: string, rows: SignalRow[], faults: SignalFault[]): void {
    this.#line += 1;
    const read = this.#lines(text);
    if (read.kind === 'row') rows.push(read.row);
    else if (read.kind === 'bad') faults.push(badRow({ file: this.#file, line: this.#line, why: read.why }));
  }
}

function open(file: string): number | undefined {
  if (followed(file).kind !== 'file') return undefined;
  try {
    return openSync(file, 'r');
  } catch (failure) {
    if (failure instanceof Error && 'code' in failure && failure.code === 'ENOENT') return undefined;
    throw failure;
  }
}

function notFound(file: string): SignalFault {
  return {
    code: 'SIGNAL_NOT_FOUND',
    what: 'There is no signal file at this path.',
    file,
    why: 'A strategy declares it under signals; the path is relative to the strategy file.',
    next: 'Write the file, or correct the path in the strategy.',
  };
}

function badRow(at: { readonly file: string; readonly line: number; readonly why: string }): SignalFault {
  return {
    code: 'SIGNAL_ROW',
    what: `Line ${at.line} is no signal row.`,
    file: at.file,
    line: at.line,
    why: at.why,
    next: 'A row has availableAt (ISO 8601 with Z or an offset, or ms since 1970), market, outcome and value (a number).',
  };
}
