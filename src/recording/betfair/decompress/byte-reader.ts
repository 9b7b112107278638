/** Reads a stream of chunks a few bytes at a time and counts them, for the parsers of archive formats. */

export type Chunks = AsyncIterable<Uint8Array> | Iterable<Uint8Array>;

/**
 * Thrown where the data ends inside something; the format's reader says inside what. `offset` is where the data ends.
 */
export class EndOfData extends Error {
  override readonly name = 'EndOfData';
  readonly offset: number;

  constructor(offset: number) {
    super(`the data ends at byte ${offset}`);
    this.offset = offset;
  }
}

/** Reads from one source. Fill its buffer or take bytes from it; what is taken is gone. */
export class ByteReader {
  readonly #source: AsyncIterator<Uint8Array>;
  #buffer: Uint8Array = new Uint8Array(0);
  #at = 0;
  #consumed = 0;
  #ended = false;

  constructor(chunks: Chunks) {
    this.#source = iterate(chunks);
  }

  /** Bytes consumed so far. */
  get offset(): number {
    return this.#consumed;
  }

  /** Everything buffered but not consumed; valid until the next call. */
  get buffered(): Uint8Array {
    return this.#buffer.subarray(this.#at);
  }

  /** Buffers at least `count` bytes, or all that is left; returns how many bytes are buffered. */
  async fill(count: number): Promise<number> {
    if (this.#buffer.length - this.#at >= count || this.#ended) return this.#buffer.length - this.#at;
    const pieces = [this.buffered];
    let size = this.#buffer.length - this.#at;
    while (size < count && !this.#ended) {
      const { done, value } = await this.#source.next();
      if (done === true) {
        this.#ended = true;
        break;
      }
      pieces.push(value);
      size += value.length;
    }
    this.#buffer = pieces.length === 1 ? (pieces[0] as Uint8Array) : Buffer.concat(pieces, size);
    this.#at = 0;
    return size;
  }

  /** Consumes exactly `count` bytes. @throws EndOfData */
  async read(count: number): Promise<Uint8Array> {
    const have = await this.fill(count);
    if (have < count) throw new EndOfData(this.#consumed + have);
    return this.#consume(count);
  }

  /** Consumes what is buffered (at most `most` bytes), at least one byte; undefined at the end. */
  async chunk(most = Number.POSITIVE_INFINITY): Promise<Uint8Array | undefined> {
    const have = await this.fill(1);
    return have === 0 ? undefined : this.#consume(Math.min(have, most));
  }

  /** Consumes bytes that `buffered` showed. */
  skip(count: number): void {
    this.#consume(count);
  }

  /** Passes over zero bytes, with which files are filled up to a block of a tape or disk; other readers do so, too. */
  async skipZeros(): Promise<void> {
    while ((await this.fill(1)) > 0) {
      const zeros = this.buffered.findIndex((byte) => byte !== 0);
      this.#consume(zeros === -1 ? this.buffered.length : zeros);
      if (zeros !== -1) return;
    }
  }

  /** Yields the rest of the stream, chunk by chunk. */
  async *rest(): AsyncGenerator<Uint8Array> {
    for (;;) {
      const chunk = await this.chunk();
      if (chunk === undefined) return;
      yield chunk;
    }
  }

  #consume(count: number): Uint8Array {
    const taken = this.#buffer.subarray(this.#at, this.#at + count);
    this.#at += taken.length;
    this.#consumed += taken.length;
    return taken;
  }
}

async function* iterate(chunks: Chunks): AsyncGenerator<Uint8Array> {
  yield* chunks;
}
