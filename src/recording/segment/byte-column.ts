/** A growing column of variable-length integers, from which segments are packed. */

const SEVEN_BITS = 128;

/** Writes unsigned integers up to 2⁵³ seven bits at a time, lowest first; signed ones zig-zagged. */
export class ByteColumn {
  #bytes = new Uint8Array(1024);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  byte(value: number): void {
    if (this.#length === this.#bytes.length) this.#grow();
    this.#bytes[this.#length] = value;
    this.#length += 1;
  }

  unsigned(value: number): void {
    if (value < SEVEN_BITS) {
      this.byte(value);
      return;
    }
    let rest = value;
    while (rest >= SEVEN_BITS) {
      this.byte((rest % SEVEN_BITS) + SEVEN_BITS);
      rest = Math.floor(rest / SEVEN_BITS);
    }
    this.byte(rest);
  }

  signed(value: number): void {
    this.unsigned(value < 0 ? -2 * value - 1 : 2 * value);
  }

  clear(): void {
    this.#length = 0;
  }

  /** Copies the column to `target` at `offset` and returns the offset behind it. */
  copyTo(target: Uint8Array, offset: number): number {
    target.set(this.#bytes.subarray(0, this.#length), offset);
    return offset + this.#length;
  }

  #grow(): void {
    const wider = new Uint8Array(this.#bytes.length * 2);
    wider.set(this.#bytes);
    this.#bytes = wider;
  }
}
