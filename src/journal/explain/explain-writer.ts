/** Writes what explains a run beside its journal. A fault here costs explanations, and never stops the run. */

import { closeSync, mkdirSync, openSync, readSync, statSync, writeSync } from 'node:fs';
import type { ExplainingRecord } from '../../core/run/journal.ts';
import {
  dayOf,
  type ExplainFile,
  type ExplainLimits,
  explainFile,
  explainFiles,
  fileBytes,
  lineText,
  removeOldest,
} from './explain-files.ts';

/** Where a journal puts what explains. Neither call throws for a fault of the disk. */
export interface Explanations {
  /** Keeps the record in memory until the next flush. `after`: the sequence of the last record of the journal before it. */
  add(after: number, at: number, record: ExplainingRecord): void;
  flush(): void;
  close(): void;
  /** Number of the newest file that was ever begun; 0 where there was none. The journal notes it: a folder that is gone says nothing. */
  readonly newest: number;
}

export interface ExplainWriterParts {
  readonly folder: string;
  readonly limits: ExplainLimits;
  /** Whether the first line begins a file: the numbers of the journal's records do not continue those of the newest one. */
  readonly startsAnew: boolean;
  /** What the journal noted. */
  readonly newest: number;
  /** Called when writing fails, and with undefined when it works again. */
  readonly onFault: (why: string | undefined) => void;
}

const OWNER_FILE = 0o600;
const OWNER_FOLDER = 0o700;
/** Lines that wait between two commits; beyond it they are written at once. */
const WAITING_MAX = 10_000;
const NEWLINE = 10;

interface OpenFile extends ExplainFile {
  readonly descriptor: number;
  size: number;
}

interface WaitingLine {
  readonly after: number;
  readonly at: number;
  readonly text: string;
  readonly bytes: number;
}

export class ExplainWriter implements Explanations {
  readonly #parts: ExplainWriterParts;
  #waiting: WaitingLine[] = [];
  #file: OpenFile | undefined;
  #startsAnew: boolean;
  #newest: number;
  /** Lines that could not be written since the last one that was. */
  #lost = 0;

  constructor(parts: ExplainWriterParts) {
    this.#parts = parts;
    this.#startsAnew = parts.startsAnew;
    this.#newest = parts.newest;
  }

  get newest(): number {
    return this.#newest;
  }

  add(after: number, at: number, record: ExplainingRecord): void {
    if (this.#waiting.length >= WAITING_MAX) this.flush();
    const text = lineText({ after, at, record });
    this.#waiting.push({ after, at, text, bytes: Buffer.byteLength(text) });
  }

  flush(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    let written = 0;
    try {
      // One write for all lines of a file: a step has several.
      for (let from = 0; from < waiting.length; from = written) {
        const file = this.#fileFor(waiting[from]);
        let room = fileBytes(this.#parts.limits) - file.size;
        let text = this.#lostText(waiting[from]);
        let next = from;
        for (; next < waiting.length; next += 1) {
          const line = waiting[next];
          if (line === undefined || dayOf(line.at) !== file.day) break;
          if (next > from && line.bytes > room) break;
          room -= line.bytes;
          text += line.text;
        }
        write(file, text);
        written = next;
        this.#recovered();
      }
    } catch (error) {
      this.#failed(error, waiting.length - written);
    }
  }

  close(): void {
    this.flush();
    this.#closeFile();
  }

  /** The newest file, or the next one where the line belongs to another day or has no room. */
  #fileFor(line: WaitingLine | undefined): OpenFile {
    const { folder, limits } = this.#parts;
    const at = line?.at ?? 0;
    const bytes = line?.bytes ?? 0;
    const isFull = (size: number): boolean => size > 0 && size + bytes > fileBytes(limits);
    if (this.#file !== undefined && this.#file.day === dayOf(at) && !isFull(this.#file.size)) return this.#file;
    this.#closeFile();
    mkdirSync(folder, { recursive: true, mode: OWNER_FOLDER });
    const newest = explainFiles(folder).at(-1);
    const isThere = newest !== undefined && newest.number >= this.#newest;
    const goesOn = isThere && newest.day === dayOf(at) && !this.#startsAnew && !isFull(statSync(newest.path).size);
    if (!goesOn) removeOldest(folder, limits, dayOf(at));
    const file = goesOn ? newest : explainFile(folder, { number: Math.max(newest?.number ?? 0, this.#newest) + 1, at });
    this.#file = opened(file);
    this.#newest = file.number;
    this.#startsAnew = false;
    return this.#file;
  }

  #lostText(line: WaitingLine | undefined): string {
    if (this.#lost === 0 || line === undefined) return '';
    return lineText({ after: line.after, at: line.at, record: { kind: 'lost', lines: this.#lost } });
  }

  #recovered(): void {
    if (this.#lost === 0) return;
    this.#lost = 0;
    this.#parts.onFault(undefined);
  }

  #failed(error: unknown, lines: number): void {
    if (!(error instanceof Error && 'syscall' in error)) throw error;
    const isFirst = this.#lost === 0;
    this.#lost += lines;
    // Opened anew at the next flush: the file may have been removed, or end in the middle of a line.
    this.#closeFile();
    if (isFirst) this.#parts.onFault(error.message);
  }

  #closeFile(): void {
    if (this.#file !== undefined) closeSync(this.#file.descriptor);
    this.#file = undefined;
  }
}

/** A process that died in the middle of a line left it without its end: it gets one, so that the next line stands alone. */
function opened(file: ExplainFile): OpenFile {
  const descriptor = openSync(file.path, 'a+', OWNER_FILE);
  const open = { ...file, descriptor, size: statSync(file.path).size };
  const last = Buffer.alloc(1);
  if (open.size > 0 && readSync(descriptor, last, 0, 1, open.size - 1) === 1 && last[0] !== NEWLINE) write(open, '\n');
  return open;
}

function write(file: OpenFile, text: string): void {
  const bytes = Buffer.from(text);
  for (let from = 0; from < bytes.length; ) {
    const count = writeSync(file.descriptor, bytes, from);
    from += count;
    file.size += count;
  }
}
