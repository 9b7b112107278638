/** A list of numbers that grows, eight bytes each and nothing besides. */

const FIRST_CAPACITY = 256;

export class NumberColumn {
  #numbers = new Float64Array(FIRST_CAPACITY);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  push(value: number): void {
    if (this.#length === this.#numbers.length) {
      const wider = new Float64Array(2 * this.#length);
      wider.set(this.#numbers);
      this.#numbers = wider;
    }
    this.#numbers[this.#length] = value;
    this.#length += 1;
  }

  /** NaN where there is none. */
  at(index: number): number {
    return index < this.#length ? (this.#numbers[index] ?? Number.NaN) : Number.NaN;
  }
}
