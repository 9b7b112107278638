/** Numbers and texts as bytes, one after the other, for the rows of units. */

import { assert, defined } from '../../core/checks/assert.ts';
import type { Money } from '../../core/number/units.ts';

const FIRST_SIZE = 512;
const ENCODER = new TextEncoder();
const DECODER = new TextDecoder();

export class RowWriter {
  #view = new DataView(new ArrayBuffer(FIRST_SIZE));
  #size = 0;

  byte(value: number): void {
    const at = this.#room(1);
    this.#view.setUint8(at, value);
  }

  /** A double; NaN stands for a number that is not known. */
  number(value: number | undefined): void {
    const at = this.#room(Float64Array.BYTES_PER_ELEMENT);
    this.#view.setFloat64(at, value ?? Number.NaN, true);
  }

  numbers(...values: readonly (number | undefined)[]): void {
    for (const value of values) this.number(value);
  }

  /** UTF-8 after its length. */
  text(value: string): void {
    const bytes = ENCODER.encode(value);
    const at = this.#room(Uint32Array.BYTES_PER_ELEMENT + bytes.length);
    this.#view.setUint32(at, bytes.length, true);
    new Uint8Array(this.#view.buffer).set(bytes, at + Uint32Array.BYTES_PER_ELEMENT);
  }

  /** All that was written, in memory of its own. */
  bytes(): Uint8Array<ArrayBuffer> {
    return new Uint8Array(this.#view.buffer.slice(0, this.#size));
  }

  /** Makes room for this many bytes, and says where it begins. */
  #room(size: number): number {
    const at = this.#size;
    this.#size += size;
    if (this.#size > this.#view.byteLength) {
      const larger = new Uint8Array(Math.max(2 * this.#view.byteLength, this.#size));
      larger.set(new Uint8Array(this.#view.buffer));
      this.#view = new DataView(larger.buffer);
    }
    return at;
  }
}

export class RowReader {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  byte(): number {
    return this.#view.getUint8(this.#taken(1));
  }

  number(): number | undefined {
    const value = this.#view.getFloat64(this.#taken(Float64Array.BYTES_PER_ELEMENT), true);
    return Number.isNaN(value) ? undefined : value;
  }

  count(): number {
    return defined(this.number(), 'a count is known');
  }

  money(): Money {
    return this.count() as Money;
  }

  text(): string {
    const size = this.#view.getUint32(this.#taken(Uint32Array.BYTES_PER_ELEMENT), true);
    const at = this.#taken(size);
    return DECODER.decode(this.#bytes.subarray(at, at + size));
  }

  #taken(size: number): number {
    const at = this.#at;
    this.#at += size;
    assert(this.#at <= this.#bytes.length, 'a row is as long as it says');
    return at;
  }
}
