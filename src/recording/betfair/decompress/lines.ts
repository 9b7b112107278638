/** Cuts decompressed chunks into lines of text, counting lines from 1. */

const NEWLINE = 10;
/** What some editors and shells put before UTF-8 text. */
const BOM = Buffer.from([0xef, 0xbb, 0xbf]);
const SPACE = 32;
const LAST_PRINTED = 126;
/** Stream messages are far shorter; a line longer than this means that the file is no text at all. */
const LONGEST_LINE = 64 * 1024 * 1024;

/** One line; `number` counts from 1. */
export interface Line {
  readonly number: number;
  /** The line's bytes are those from `from` to before `to`, valid until the next line is asked for. */
  readonly bytes: Buffer;
  readonly from: number;
  readonly to: number;
  /** The place where the line begins in the decompressed text. */
  readonly byte: number;
}

export function lineText(line: Line): string {
  return line.bytes.toString('utf8', line.from, line.to);
}

/** Thrown for a line that is longer than any stream message. */
export class LineTooLong extends Error {
  override readonly name = 'LineTooLong';
}

/** Cuts chunks into lines and skips blank ones. If the source throws, the unfinished rest of a line is not returned. */
export class LineCutter {
  /** Pieces of a line that has not ended yet: joined once, when it ends. */
  #rest: Buffer[] = [];
  #restLength = 0;
  #number = 0;
  /** The places where the current line began and where the next chunk begins. */
  #begin = 0;
  #offset = 0;

  /** Yields the lines that end in this chunk. */
  *push(chunk: Uint8Array): Generator<Line> {
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    let start = 0;
    for (let end = bytes.indexOf(NEWLINE); end !== -1; end = bytes.indexOf(NEWLINE, start)) {
      const line = this.#restLength === 0 ? this.#line(bytes, start, end) : this.#joined(bytes.subarray(start, end));
      start = end + 1;
      this.#begin = this.#offset + start;
      if (!isBlank(line)) yield line;
    }
    if (start < bytes.length) {
      this.#restLength += bytes.length - start;
      if (this.#restLength > LONGEST_LINE) throw new LineTooLong('a line of more than 64 MiB');
      // A copy: the chunk's memory may be used again for the next one.
      this.#rest.push(Buffer.from(bytes.subarray(start)));
    }
    this.#offset += bytes.length;
  }

  /** Yields the last line, if no newline ended it. */
  *end(): Generator<Line> {
    if (this.#restLength === 0) return;
    const line = this.#joined(Buffer.alloc(0));
    if (!isBlank(line)) yield line;
  }

  #joined(more: Buffer): Line {
    this.#rest.push(more);
    const bytes = Buffer.concat(this.#rest);
    this.#rest = [];
    this.#restLength = 0;
    return this.#line(bytes, 0, bytes.length);
  }

  #line(bytes: Buffer, from: number, to: number): Line {
    this.#number += 1;
    const start = this.#number === 1 && bytes.subarray(from, to).indexOf(BOM) === 0 ? from + BOM.length : from;
    return { number: this.#number, bytes, from: start, to, byte: this.#begin };
  }
}

/**
 * Whether a line holds only white space. A first byte that is a visible character decides at once; otherwise the text
 * is looked at.
 */
function isBlank(line: Line): boolean {
  if (line.from === line.to) return true;
  const first = line.bytes[line.from] as number;
  return (first <= SPACE || first > LAST_PRINTED) && lineText(line).trim().length === 0;
}
