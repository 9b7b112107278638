/**
 * A file of lines that ends with a whole line at any moment, also if the process is killed while it writes: nobody who reads it finds
 * half a line.
 */

import {
  closeSync,
  copyFileSync,
  existsSync,
  fstatSync,
  ftruncateSync,
  openSync,
  readSync,
  renameSync,
  writeSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { TapeFailure } from '../../tape/tape-failure.ts';

/**
 * A kill may end a write between two pages of the file and never within one (Linux, `generic_perform_write`). So no write
 * crosses the border of a page; spaces before a line, which JSON allows, fill what is left of a page.
 */
const PAGE = 4_096;
const SPACES = Buffer.alloc(PAGE, ' ');
const NEW_LINE = 10;
/** What a loss of power may leave of a line is looked for in so many bytes. */
const TAIL = 2 ** 20;

export class LineFile {
  readonly path: string;
  #handle: number;
  #size: number;
  /** Whole lines that are not written yet, with their ends. */
  #waiting: Buffer[] = [];

  /** Opens a file, or begins it. @throws TapeFailure TAPE_NOT_WRITABLE */
  constructor(path: string) {
    this.path = path;
    [this.#handle, this.#size] = this.#guard(() => {
      const isThere = existsSync(path);
      const handle = openSync(path, isThere ? 'r+' : 'w+');
      return [handle, isThere ? wholeLines(handle) : 0];
    });
  }

  add(line: string): void {
    this.#waiting.push(Buffer.from(`${line}\n`));
  }

  /** Writes what waits. @throws TapeFailure TAPE_NOT_WRITABLE; the file then ends with a whole line */
  flush(): void {
    const lines = this.#waiting.splice(0);
    this.#guard(() => {
      for (let next = 0; next < lines.length; ) {
        const line = lines[next] as Buffer;
        const room = PAGE - (this.#size % PAGE);
        if (line.length > PAGE) {
          this.#writeLong(line);
          next += 1;
        } else if (line.length > room) this.#write(SPACES.subarray(0, room));
        else {
          const page: Buffer[] = [];
          let bytes = 0;
          for (; next < lines.length && bytes + (lines[next] as Buffer).length <= room; next += 1) {
            page.push(lines[next] as Buffer);
            bytes += (lines[next] as Buffer).length;
          }
          this.#write(Buffer.concat(page, bytes));
        }
      }
    });
  }

  close(): void {
    this.flush();
    closeSync(this.#handle);
  }

  #write(bytes: Buffer): void {
    if (writeSync(this.#handle, bytes, 0, bytes.length, this.#size) < bytes.length) {
      ftruncateSync(this.#handle, this.#size);
      throw new Error('there is no room for it');
    }
    this.#size += bytes.length;
  }

  /** A line of several pages, such as an image, is written to a copy, which then takes the file's place. Imports pass over names with a point. */
  #writeLong(line: Buffer): void {
    const copy = join(dirname(this.path), `.${basename(this.path)}.next`);
    copyFileSync(this.path, copy);
    const handle = openSync(copy, 'r+');
    if (writeSync(handle, line, 0, line.length, this.#size) < line.length) {
      closeSync(handle);
      throw new Error('there is no room for it');
    }
    renameSync(copy, this.path);
    closeSync(this.#handle);
    this.#handle = handle;
    this.#size += line.length;
  }

  #guard<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      const next = 'Make room or give rights, then record again into the same directory: it goes on where it ended.';
      throw new TapeFailure('TAPE_NOT_WRITABLE', this.path, `${this.path}: ${why}`, next);
    }
  }
}

/** Cuts off what is no whole line at the end of a file, which only a loss of power leaves; returns the file's size. */
function wholeLines(handle: number): number {
  const { size } = fstatSync(handle);
  const tail = Buffer.alloc(Math.min(size, TAIL));
  readSync(handle, tail, 0, tail.length, size - tail.length);
  const end = size - tail.length + tail.lastIndexOf(NEW_LINE) + 1;
  ftruncateSync(handle, end);
  return end;
}
