/** The LZMA algorithm: a range coder over adaptive bits, literals and matches. */

const TOP = 2 ** 24;
const HALF = 1024;
const MODEL_TOTAL = 2048;
const MOVE_BITS = 5;
const STATES = 12;
const POSITION_STATES = 16;
const LITERAL_STATES = 7;
const MATCH_MIN = 2;
const END_POSITION_MODEL = 14;
const ALIGN_BITS = 4;
const CHUNK = 262_144;
const MOST_OUTPUT = 512 * 1024 * 1024;
const END_MARKER = 0xffffffff;

/** Bits of a match's length: low, middle and high lengths, by the position's state. */
class LengthModel {
  readonly choice = bits(2);
  readonly low = bits(POSITION_STATES << 3);
  readonly mid = bits(POSITION_STATES << 3);
  readonly high = bits(256);
}

function bits(count: number): Uint16Array {
  return new Uint16Array(count).fill(HALF);
}

/** Decodes one stream. Call `chunk` until it returns undefined; then `fault` says whether the data was complete. */
export class LzmaDecoder {
  readonly #input: Uint8Array;
  readonly #size: number;
  readonly #hasMarker: boolean;
  readonly #lc: number;
  readonly #lpMask: number;
  readonly #pbMask: number;
  readonly #literals: Uint16Array;
  readonly #isMatch = bits(STATES * POSITION_STATES);
  readonly #isRep = bits(STATES);
  readonly #isRepG0 = bits(STATES);
  readonly #isRepG1 = bits(STATES);
  readonly #isRepG2 = bits(STATES);
  readonly #isRep0Long = bits(STATES * POSITION_STATES);
  readonly #slots = bits(4 * 64);
  readonly #positions = bits(128);
  readonly #align = bits(1 << ALIGN_BITS);
  readonly #matchLength = new LengthModel();
  readonly #repLength = new LengthModel();
  readonly #reps: [number, number, number, number] = [0, 0, 0, 0];
  #output = new Uint8Array(CHUNK);
  #length = 0;
  #given = 0;
  #state = 0;
  #next = 0;
  #range = END_MARKER;
  #code = 0;
  #done = false;
  /** 'end' where the input ends early, otherwise what is wrong; undefined while nothing is. */
  fault: string | undefined;

  /** `size` is the length of the output in bytes; absent where an end marker ends it. */
  constructor(properties: Uint8Array, input: Uint8Array, size: number | undefined) {
    const packed = properties[0] as number;
    this.#input = input;
    this.#hasMarker = size === undefined;
    this.#size = size ?? MOST_OUTPUT;
    this.#lc = packed % 9;
    const lp = Math.floor(packed / 9) % 5;
    this.#lpMask = (1 << lp) - 1;
    this.#pbMask = (1 << Math.floor(packed / 45)) - 1;
    this.#literals = bits(0x300 << (this.#lc + lp));
    if (packed >= 9 * 5 * 5) this.fault = 'wrong LZMA properties';
    if (this.#byte() !== 0 && this.fault === undefined) this.fault = 'no LZMA stream here';
    for (let i = 0; i < 4; i += 1) this.#code = ((this.#code << 8) | this.#byte()) >>> 0;
  }

  /** How many bytes of the input were read so far. */
  get at(): number {
    return this.#next;
  }

  /** The next part of the output; undefined at the end or before a fault. */
  chunk(): Uint8Array | undefined {
    while (!this.#done && this.fault === undefined && this.#length - this.#given < CHUNK) this.#symbol();
    if (this.#length === this.#given) return undefined;
    const part = this.#output.slice(this.#given, this.#length);
    this.#given = this.#length;
    return part;
  }

  #symbol(): void {
    if (!this.#hasMarker && this.#length === this.#size) {
      this.#done = true;
      return;
    }
    const place = this.#length & this.#pbMask;
    const state = this.#state;
    if (this.#bit(this.#isMatch, state * POSITION_STATES + place) === 0) {
      this.#put(this.#literal());
      this.#state = state < 4 ? 0 : state < 10 ? state - 3 : state - 6;
      return;
    }
    if (this.#bit(this.#isRep, state) === 0) this.#match(place);
    else this.#repeat(place);
  }

  #literal(): number {
    const previous = this.#length === 0 ? 0 : (this.#output[this.#length - 1] as number);
    const base = 0x300 * (((this.#length & this.#lpMask) << this.#lc) + (previous >> (8 - this.#lc)));
    let symbol = 1;
    if (this.#state >= LITERAL_STATES) {
      let match = this.#output[this.#length - this.#reps[0] - 1] as number;
      while (symbol < 0x100) {
        const expected = (match >> 7) & 1;
        match = (match << 1) & 0xff;
        const bit = this.#bit(this.#literals, base + ((1 + expected) << 8) + symbol);
        symbol = (symbol << 1) | bit;
        if (expected !== bit) break;
      }
    }
    while (symbol < 0x100) symbol = (symbol << 1) | this.#bit(this.#literals, base + symbol);
    return symbol & 0xff;
  }

  #match(place: number): void {
    const reps = this.#reps;
    reps[3] = reps[2];
    reps[2] = reps[1];
    reps[1] = reps[0];
    const length = this.#lengthOf(this.#matchLength, place);
    this.#state = this.#state < LITERAL_STATES ? 7 : 10;
    reps[0] = this.#distance(length);
    if (reps[0] === END_MARKER) {
      this.#done = true;
      if (!this.#hasMarker) this.fault ??= 'the data ends before its length';
      return;
    }
    this.#copy(length + MATCH_MIN);
  }

  #repeat(place: number): void {
    const state = this.#state;
    const reps = this.#reps;
    if (this.#bit(this.#isRepG0, state) === 0) {
      if (this.#bit(this.#isRep0Long, state * POSITION_STATES + place) === 0) {
        this.#state = state < LITERAL_STATES ? 9 : 11;
        this.#copy(1);
        return;
      }
    } else {
      let distance = reps[1];
      if (this.#bit(this.#isRepG1, state) === 1) {
        if (this.#bit(this.#isRepG2, state) === 0) distance = reps[2];
        else {
          distance = reps[3];
          reps[3] = reps[2];
        }
        reps[2] = reps[1];
      }
      reps[1] = reps[0];
      reps[0] = distance;
    }
    const length = this.#lengthOf(this.#repLength, place);
    this.#state = state < LITERAL_STATES ? 8 : 11;
    this.#copy(length + MATCH_MIN);
  }

  #lengthOf(model: LengthModel, place: number): number {
    if (this.#bit(model.choice, 0) === 0) return this.#tree(model.low, place << 3, 3);
    if (this.#bit(model.choice, 1) === 0) return 8 + this.#tree(model.mid, place << 3, 3);
    return 16 + this.#tree(model.high, 0, 8);
  }

  #distance(length: number): number {
    const slot = this.#tree(this.#slots, Math.min(length, 3) << 6, 6);
    if (slot < 4) return slot;
    const direct = (slot >> 1) - 1;
    const high = ((2 | (slot & 1)) << direct) >>> 0;
    if (slot < END_POSITION_MODEL) return high + this.#reverseTree(this.#positions, high - slot, direct);
    const middle = this.#directBits(direct - ALIGN_BITS) * 2 ** ALIGN_BITS;
    return high + middle + this.#reverseTree(this.#align, 0, ALIGN_BITS);
  }

  #copy(length: number): void {
    const from = this.#length - this.#reps[0] - 1;
    if (from < 0) {
      this.fault ??= 'a match that begins before the data';
      return;
    }
    if (this.#length + length > this.#size) {
      this.fault ??= 'more data than its length says';
      return;
    }
    for (let i = 0; i < length; i += 1) this.#put(this.#output[from + i] as number);
  }

  #put(byte: number): void {
    if (this.#length === this.#output.length) {
      const wider = new Uint8Array(this.#output.length * 2);
      wider.set(this.#output);
      this.#output = wider;
    }
    this.#output[this.#length] = byte;
    this.#length += 1;
  }

  #tree(model: Uint16Array, base: number, width: number): number {
    let symbol = 1;
    for (let i = 0; i < width; i += 1) symbol = (symbol << 1) | this.#bit(model, base + symbol);
    return symbol - (1 << width);
  }

  #reverseTree(model: Uint16Array, base: number, width: number): number {
    let node = 1;
    let symbol = 0;
    for (let i = 0; i < width; i += 1) {
      const bit = this.#bit(model, base + node);
      node = (node << 1) | bit;
      symbol |= bit << i;
    }
    return symbol;
  }

  #directBits(count: number): number {
    let value = 0;
    for (let i = 0; i < count; i += 1) {
      this.#range = this.#range >>> 1;
      const bit = this.#code >= this.#range ? 1 : 0;
      if (bit === 1) this.#code -= this.#range;
      value = value * 2 + bit;
      this.#normalise();
    }
    return value;
  }

  #bit(model: Uint16Array, at: number): 0 | 1 {
    const chance = model[at] as number;
    const bound = (this.#range >>> 11) * chance;
    const isOne = this.#code >= bound;
    if (isOne) {
      this.#range -= bound;
      this.#code -= bound;
      model[at] = chance - (chance >> MOVE_BITS);
    } else {
      this.#range = bound;
      model[at] = chance + ((MODEL_TOTAL - chance) >> MOVE_BITS);
    }
    this.#normalise();
    return isOne ? 1 : 0;
  }

  #normalise(): void {
    if (this.#range >= TOP) return;
    this.#range = (this.#range << 8) >>> 0;
    this.#code = ((this.#code << 8) | this.#byte()) >>> 0;
  }

  #byte(): number {
    if (this.#next >= this.#input.length) {
      this.fault ??= 'end';
      return 0;
    }
    const byte = this.#input[this.#next] as number;
    this.#next += 1;
    return byte;
  }
}
