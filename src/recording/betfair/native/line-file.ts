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
import { writing } from '../../tape/tape-target.ts';

/**
 * A kill may end a write between two pages of the file and never within one (Linux, `generic_perform_write`). So no write
 * crosses the border of a page; spaces before a line, which JSON allows, fill what is left of a page.
 */
const PAGE = 4_096;
const SPACES = Buffer.alloc(PAGE, ' ');
const NEW_LINE = 10;
/** So many bytes at once are read to find the last end of a line. */
const PART = 2 ** 16;

export class LineFile {
  readonly path: string;
  #handle: number;
  #size: number;
  /** Whole lines that are not written yet, with their ends. */
  #waiting: Buffer[] = [];

  /** Opens a file, or begins it. @throws TapeFailure TAPE_NOT_WRITABLE */
  constructor(path: string) {
    this.path = path;
    [this.#handle, this.#size] = writing(path, () => {
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
    writing(this.path, () => {
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
    try {
      writeAll(this.#handle, bytes, this.#size);
    } catch (error) {
      ftruncateSync(this.#handle, this.#size);
      throw error;
    }
    this.#size += bytes.length;
  }

  /** A line of several pages, such as an image, is written to a copy, which then takes the file's place. Imports pass over names with a point. */
  #writeLong(line: Buffer): void {
    const copy = join(dirname(this.path), `.${basename(this.path)}.next`);
    copyFileSync(this.path, copy);
    const handle = openSync(copy, 'r+');
    writeAll(handle, line, this.#size);
    renameSync(copy, this.path);
    closeSync(this.#handle);
    this.#handle = handle;
    this.#size += line.length;
  }
}

function writeAll(handle: number, bytes: Buffer, at: number): void {
  for (let done = 0; done < bytes.length; ) done += writeSync(handle, bytes, done, bytes.length - done, at + done);
}

/** Cuts off what is no whole line at the end of a file, which only a loss of power leaves; returns the file's size. */
function wholeLines(handle: number): number {
  const { size } = fstatSync(handle);
  let end = size;
  for (let newLine = -1; newLine < 0 && end > 0; ) {
    const part = Buffer.alloc(Math.min(end, PART));
    end -= part.length;
    readSync(handle, part, 0, part.length, end);
    newLine = part.lastIndexOf(NEW_LINE);
    end += newLine + 1;
  }
  ftruncateSync(handle, end);
  return end;
}
