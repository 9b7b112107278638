/** Decodes bzip2 blocks: Huffman codes, move-to-front, the inverse Burrows-Wheeler transform, run lengths. */

import { crc32 } from 'node:zlib';

/** Thrown where the data is not what bzip2 writes; `offset` counts in the file. */
export class Bz2Damage extends Error {
  override readonly name = 'Bz2Damage';
  readonly offset: number;

  constructor(why: string, offset: number) {
    super(why);
    this.offset = offset;
  }
}

/** The input ends inside a block or header. */
export class Bz2End extends Error {
  override readonly name = 'Bz2End';
  readonly offset: number;

  constructor(offset: number) {
    super(`the data ends at byte ${offset}`);
    this.offset = offset;
  }
}

const GROUP = 50;
const MAX_SELECTORS = 18_002;
const MAX_CODE = 20;
const MAX_SYMBOLS = 258;
/** Codes up to this long are found in one look-up. */
const FAST_BITS = 10;
const BLOCK_UNIT = 100_000;
const RUN_A = 0;
const RUN_B = 1;
/** A run is four equal bytes followed by a count of further ones. */
const RUN_START = 4;

/**
 * One table of Huffman codes: `fast` holds symbol << 5 | length by the next ten bits; the other columns serve longer
 * codes.
 */
interface CodeTable {
  readonly fast: Uint16Array;
  /** For each length, the largest code, shifted to 20 bits, and the number that turns a code into an index of `symbols`. */
  readonly limit: Int32Array;
  readonly base: Int32Array;
  readonly symbols: Uint16Array;
  longest: number;
}

/** Decodes one stream. Set the input with `input`, call `streamHeader`, then `block` until it returns undefined. */
export class Bz2Block {
  #bytes: Uint8Array = new Uint8Array(0);
  #offset = 0;
  /** The index of the next byte to be buffered, and the buffered bits (the lowest `#held` of them count). */
  #next = 0;
  #bits = 0;
  #held = 0;
  /** How many bits of the first input byte are consumed already. */
  #lead = 0;
  #blockSize = 0;
  #combined = 0;
  #transform = new Uint32Array(0);
  #output: Uint8Array = new Uint8Array(0);
  readonly #selectors = new Uint8Array(MAX_SELECTORS);
  readonly #lengths = new Uint8Array(MAX_SYMBOLS);
  readonly #used = new Uint8Array(256);
  readonly #counts = new Int32Array(256);
  readonly #tables: readonly CodeTable[] = Array.from({ length: 6 }, () => ({
    fast: new Uint16Array(1 << FAST_BITS),
    limit: new Int32Array(MAX_CODE + 2),
    base: new Int32Array(MAX_CODE + 2),
    symbols: new Uint16Array(MAX_SYMBOLS),
    longest: 0,
  }));

  /**
   * Sets the input; `offset` is the place of its first byte in the file. A block begun in the last byte continues here.
   */
  input(bytes: Uint8Array, offset: number): void {
    this.#bytes = bytes;
    this.#offset = offset;
    this.#next = 0;
    this.#bits = 0;
    this.#held = 0;
    const lead = this.#lead;
    if (lead > 0) this.#readBits(lead);
  }

  /** How many input bytes are consumed completely. */
  get wholeBytes(): number {
    return Math.floor((this.#next * 8 - this.#held) / 8);
  }

  get atEnd(): boolean {
    return this.#next * 8 - this.#held >= this.#bytes.length * 8;
  }

  streamHeader(): void {
    const magic = this.#readBits(24);
    const level = this.#readBits(8) - 48;
    if (magic !== 0x425a68 || level < 1 || level > 9) throw this.#damage('no bzip2 stream begins here');
    this.#blockSize = level * BLOCK_UNIT;
    this.#combined = 0;
    if (this.#transform.length < this.#blockSize) this.#transform = new Uint32Array(this.#blockSize);
  }

  /** The next block's bytes, valid until the next call; undefined after the last of the stream. */
  block(): Uint8Array | undefined {
    const high = this.#readBits(24);
    const low = this.#readBits(24);
    const crc = ((this.#readBits(16) << 16) | this.#readBits(16)) >>> 0;
    if (high === 0x177245 && low === 0x385090) return this.#streamEnd(crc);
    if (high !== 0x314159 || low !== 0x265359) throw this.#damage('no block begins here');
    if (this.#readBits(1) !== 0) throw this.#damage('randomised blocks (bzip2 before 0.9.5) are not supported');
    const origin = this.#readBits(24);
    const alphabet = this.#readAlphabet();
    const selectors = this.#readTables(alphabet + 2);
    const length = this.#readSymbols(alphabet + 1, selectors);
    if (origin >= length) throw this.#damage('the block points outside itself');
    const size = this.#invert(origin, length);
    const block = this.#output.subarray(0, size);
    if (blockCrc(block) !== crc) throw this.#damage('a block has a wrong checksum');
    this.#combined = (((this.#combined << 1) | (this.#combined >>> 31)) ^ crc) >>> 0;
    this.#lead = this.#held % 8 === 0 ? 0 : 8 - (this.#held % 8);
    return block;
  }

  #streamEnd(crc: number): undefined {
    if (crc !== this.#combined) throw this.#damage('the stream has a wrong checksum');
    this.#held -= this.#held % 8;
    this.#lead = 0;
    return undefined;
  }

  /** Reads which bytes occur; fills `#used` with them, in order. */
  #readAlphabet(): number {
    const groups = this.#readBits(16);
    let count = 0;
    for (let group = 0; group < 16; group += 1) {
      if ((groups & (0x8000 >> group)) === 0) continue;
      const members = this.#readBits(16);
      for (let i = 0; i < 16; i += 1) {
        if ((members & (0x8000 >> i)) !== 0) this.#used[count++] = group * 16 + i;
      }
    }
    if (count === 0) throw this.#damage('a block without symbols');
    return count;
  }

  /** Reads selectors and code lengths; returns the number of selectors. */
  #readTables(symbols: number): number {
    const tables = this.#readBits(3);
    const selectors = this.#readBits(15);
    if (tables < 2 || tables > 6 || selectors === 0) throw this.#damage('wrong number of tables or selectors');
    const order = [0, 1, 2, 3, 4, 5];
    for (let i = 0; i < selectors; i += 1) {
      let place = 0;
      while (this.#readBits(1) === 1) place += 1;
      if (place >= tables) throw this.#damage('a selector points outside the tables');
      const [table] = order.splice(place, 1) as [number];
      order.unshift(table);
      // Some encoders write more selectors than can be used; the surplus is ignored.
      if (i < MAX_SELECTORS) this.#selectors[i] = table;
    }
    for (let table = 0; table < tables; table += 1) {
      let length = this.#readBits(5);
      for (let symbol = 0; symbol < symbols; symbol += 1) {
        while (this.#readBits(1) === 1) length += this.#readBits(1) === 0 ? 1 : -1;
        if (length < 1 || length > MAX_CODE) throw this.#damage('a code is too short or too long');
        this.#lengths[symbol] = length;
      }
      buildTable(this.#tables[table] as CodeTable, this.#lengths, symbols);
    }
    return Math.min(selectors, MAX_SELECTORS);
  }

  /**
   * Undoes Huffman and move-to-front coding: fills the low bytes of `#transform` and the counts; returns the length.
   */
  #readSymbols(end: number, selectors: number): number {
    const transform = this.#transform;
    const counts = this.#counts.fill(0);
    const front = this.#used.slice();
    const bytes = this.#bytes;
    const size = bytes.length;
    let next = this.#next;
    let bits = this.#bits;
    let held = this.#held;
    let length = 0;
    let run = 0;
    let weight = 1;
    for (let group = 0; group < selectors; group += 1) {
      const table = this.#tables[this.#selectors[group] as number] as CodeTable;
      const { fast } = table;
      if (next > size + 8) throw this.#faultAt(next, held, '');
      for (let i = 0; i < GROUP; i += 1) {
        while (held <= 24) {
          bits = (bits << 8) | (bytes[next++] as number);
          held += 8;
        }
        let entry = fast[(bits >>> (held - FAST_BITS)) & ((1 << FAST_BITS) - 1)] as number;
        if (entry === 0) entry = longEntry(table, (bits >>> (held - MAX_CODE)) & ((1 << MAX_CODE) - 1));
        if (entry === 0) throw this.#faultAt(next, held, 'a code that does not exist');
        held -= entry & 31;
        const symbol = entry >> 5;
        if (symbol <= RUN_B) {
          run += symbol === RUN_A ? weight : weight * 2;
          weight *= 2;
          if (run > transform.length) throw this.#faultAt(next, held, 'a block longer than it may be');
          continue;
        }
        if (run > 0) {
          const byte = front[0] as number;
          if (length + run > this.#blockSize) throw this.#faultAt(next, held, 'a block longer than it may be');
          transform.fill(byte, length, length + run);
          counts[byte] = (counts[byte] as number) + run;
          length += run;
          run = 0;
          weight = 1;
        }
        if (symbol === end) {
          this.#resume(next, bits, held);
          return length;
        }
        if (length === this.#blockSize) throw this.#faultAt(next, held, 'a block longer than it may be');
        let place = symbol - 1;
        const byte = front[place] as number;
        if (place < 16) {
          for (; place > 0; place -= 1) front[place] = front[place - 1] as number;
        } else front.copyWithin(1, 0, place);
        front[0] = byte;
        transform[length++] = byte;
        counts[byte] = (counts[byte] as number) + 1;
      }
    }
    throw this.#faultAt(next, held, 'a block without its end');
  }

  /** Undoes the Burrows-Wheeler transform and the first run-length code; returns the size of the output. */
  #invert(origin: number, length: number): number {
    const transform = this.#transform;
    const starts = this.#counts;
    let sum = 0;
    for (let byte = 0; byte < 256; byte += 1) {
      const count = starts[byte] as number;
      starts[byte] = sum;
      sum += count;
    }
    for (let i = 0; i < length; i += 1) {
      const byte = (transform[i] as number) & 0xff;
      const at = starts[byte] as number;
      starts[byte] = at + 1;
      transform[at] = (transform[at] as number) | (i << 8);
    }
    let output = this.#room(length + 256, 0);
    let limit = output.length - 256;
    let size = 0;
    let at = (transform[origin] as number) >>> 8;
    let last = -1;
    let same = 0;
    for (let i = 0; i < length; i += 1) {
      const entry = transform[at] as number;
      const byte = entry & 0xff;
      at = entry >>> 8;
      if (same === RUN_START) {
        if (size >= limit) {
          output = this.#room(output.length * 2, size);
          limit = output.length - 256;
        }
        output.fill(last, size, size + byte);
        size += byte;
        same = 0;
        last = -1;
        continue;
      }
      same = byte === last ? same + 1 : 1;
      last = byte;
      output[size++] = byte;
      if (size >= limit) {
        output = this.#room(output.length * 2, size);
        limit = output.length - 256;
      }
    }
    return size;
  }

  #room(size: number, keep: number): Uint8Array {
    if (this.#output.length < size) {
      const wider = new Uint8Array(size);
      wider.set(this.#output.subarray(0, keep));
      this.#output = wider;
    }
    return this.#output;
  }

  #readBits(count: number): number {
    while (this.#held < count) {
      if (this.#next >= this.#bytes.length) throw new Bz2End(this.#offset + this.#bytes.length);
      this.#bits = (this.#bits << 8) | (this.#bytes[this.#next++] as number);
      this.#held += 8;
    }
    this.#held -= count;
    return (this.#bits >>> this.#held) & ((1 << count) - 1);
  }

  /**
   * The hot loop reads zeros behind the end of the input. This gives back what it buffered too much, or finds that the
   * file is cut.
   */
  #resume(next: number, bits: number, held: number): void {
    this.#next = next;
    this.#bits = bits;
    this.#held = held;
    const size = this.#bytes.length;
    if (this.#next * 8 - this.#held > size * 8) throw new Bz2End(this.#offset + size);
    while (this.#held >= 8) {
      this.#held -= 8;
      this.#next -= 1;
      this.#bits >>>= 8;
    }
  }

  /** A fault behind the end of the input is not damage: the file is cut. */
  #faultAt(next: number, held: number, why: string): Bz2End | Bz2Damage {
    const size = this.#bytes.length;
    if (next * 8 - held > size * 8) return new Bz2End(this.#offset + size);
    return new Bz2Damage(why, this.#offset + Math.min(next, size));
  }

  #damage(why: string): Bz2Damage {
    return new Bz2Damage(why, this.#offset + Math.min(this.#next, this.#bytes.length));
  }
}

/**
 * Symbol << 5 | length of a code longer than the fast ones, found by the next 20 bits; 0 where no code begins like
 * this.
 */
function longEntry(table: CodeTable, window: number): number {
  const { limit, base, symbols, longest } = table;
  let width = FAST_BITS + 1;
  while (width <= longest && window > (limit[width] as number)) width += 1;
  if (width > longest) return 0;
  return ((symbols[(window >>> (MAX_CODE - width)) - (base[width] as number)] as number) << 5) | width;
}

function buildTable(table: CodeTable, lengths: Uint8Array, symbols: number): void {
  const { fast, limit, base, symbols: sorted } = table;
  fast.fill(0);
  let code = 0;
  let index = 0;
  table.longest = 0;
  for (let width = 1; width <= MAX_CODE; width += 1) {
    code <<= 1;
    base[width] = code - index;
    for (let symbol = 0; symbol < symbols; symbol += 1) {
      if (lengths[symbol] !== width) continue;
      sorted[index++] = symbol;
      if (width <= FAST_BITS) {
        const first = code << (FAST_BITS - width);
        fast.fill((symbol << 5) | width, first, first + (1 << (FAST_BITS - width)));
      }
      code += 1;
      table.longest = width;
    }
    // All 20-bit values below `code` belong to codes of at most this width.
    limit[width] = (code << (MAX_CODE - width)) - 1;
  }
}

const REVERSED = Uint8Array.from({ length: 256 }, (_, byte) => {
  let reversed = 0;
  for (let bit = 0; bit < 8; bit += 1) reversed |= ((byte >> bit) & 1) << (7 - bit);
  return reversed;
});
let mirror = new Uint8Array(0);

/**
 * A block's checksum. bzip2's is the usual CRC-32 with all bits in reverse order, so that zlib's fast one can be used.
 */
function blockCrc(bytes: Uint8Array): number {
  if (mirror.length < bytes.length) mirror = new Uint8Array(bytes.length);
  for (let i = 0; i < bytes.length; i += 1) mirror[i] = REVERSED[bytes[i] as number] as number;
  const crc = crc32(mirror.subarray(0, bytes.length));
  return (
    (((REVERSED[crc & 0xff] as number) << 24) |
      ((REVERSED[(crc >>> 8) & 0xff] as number) << 16) |
      ((REVERSED[(crc >>> 16) & 0xff] as number) << 8) |
      (REVERSED[crc >>> 24] as number)) >>>
    0
  );
}
