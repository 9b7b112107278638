/** Puts what arrives together into lines, whose number of bytes is limited. */

const NEW_LINE = 10;

export class LineReader {
  readonly #bytesMax: number;
  #parts: Buffer[] = [];
  #bytes = 0;

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  /** The lines that `chunk` completes, without their ends, empty ones left out; undefined where one is too long. */
  read(chunk: Buffer): readonly string[] | undefined {
    const lines: string[] = [];
    let from = 0;
    for (let end = chunk.indexOf(NEW_LINE); end >= 0; end = chunk.indexOf(NEW_LINE, from)) {
      if (!this.#add(chunk.subarray(from, end))) return undefined;
      const line = Buffer.concat(this.#parts).toString('utf8').trim();
      if (line !== '') lines.push(line);
      this.#parts = [];
      this.#bytes = 0;
      from = end + 1;
    }
    return this.#add(chunk.subarray(from)) ? lines : undefined;
  }

  #add(part: Buffer): boolean {
    this.#bytes += part.length;
    if (part.length > 0) this.#parts.push(part);
    return this.#bytes <= this.#bytesMax;
  }
}
