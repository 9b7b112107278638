/** Cuts decompressed chunks into lines of text, counting lines from 1. */

const NEWLINE = 10;
/** No stream message comes near; a longer line means that this is no text at all. */
const LONGEST_LINE = 64 * 1024 * 1024;

export interface Line {
  readonly number: number;
  readonly text: string;
  /** Where it begins in the decompressed text. */
  readonly byte: number;
}

export class LineTooLong extends Error {
  override readonly name = 'LineTooLong';
}

/**
 * Calls back for every line that holds something, in order. After a throw of the source, what is left of a line is
 * not given: it is not whole.
 */
export class LineCutter {
  #rest: Buffer = Buffer.alloc(0);
  #number = 0;
  /** Where the line at hand began, and where the next chunk begins. */
  #begin = 0;
  #offset = 0;

  /** The lines that end in this chunk. */
  *push(chunk: Uint8Array): Generator<Line> {
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    let start = 0;
    for (let end = bytes.indexOf(NEWLINE); end !== -1; end = bytes.indexOf(NEWLINE, start)) {
      const text =
        this.#rest.length === 0 ? bytes.toString('utf8', start, end) : this.#joined(bytes.subarray(start, end));
      const byte = this.#begin;
      start = end + 1;
      this.#begin = this.#offset + start;
      this.#number += 1;
      if (text.trim().length > 0) yield { number: this.#number, text, byte };
    }
    if (start < bytes.length) {
      if (this.#rest.length + bytes.length - start > LONGEST_LINE) throw new LineTooLong('a line of more than 64 MiB');
      this.#rest = Buffer.concat([this.#rest, bytes.subarray(start)]);
    }
    this.#offset += bytes.length;
  }

  /** The last line, if no newline ended it. */
  *end(): Generator<Line> {
    if (this.#rest.length === 0) return;
    const text = this.#joined(Buffer.alloc(0));
    this.#number += 1;
    if (text.trim().length > 0) yield { number: this.#number, text, byte: this.#begin };
  }

  #joined(more: Buffer): string {
    const text = Buffer.concat([this.#rest, more]).toString('utf8');
    this.#rest = Buffer.alloc(0);
    return text;
  }
}
