/** Which slots of typed-array columns are free, and how a column grows. */

/**
 * The factor by which the rows of orders and of resting stake grow. With a factor of 2, copying them and collecting the
 * garbage cost a third of an order's time. Memory that was not touched yet is not taken from the system yet.
 */
export const GROWTH = 4;

/** Hands out small integers and takes them back; the last returned is the first reused. */
export class SlotPool {
  readonly #free: number[] = [];
  #next = 0;

  acquire(): number {
    if (this.#free.length > 0) return this.#free.pop() ?? 0;
    this.#next += 1;
    return this.#next - 1;
  }

  release(slot: number): void {
    this.#free.push(slot);
  }

  /** One more than the highest slot ever given out: how long the columns must be. */
  get size(): number {
    return this.#next;
  }
}

/** A copy of the column with room for `capacity` numbers. */
export function grownFloats(column: Float64Array, capacity: number): Float64Array<ArrayBuffer> {
  const next = new Float64Array(capacity);
  next.set(column);
  return next;
}

/** A copy of the column with room for `capacity` numbers. */
export function grownInts(column: Int32Array, capacity: number): Int32Array<ArrayBuffer> {
  const next = new Int32Array(capacity);
  next.set(column);
  return next;
}

/** A copy of the column with room for `capacity` bytes. */
export function grownBytes(column: Uint8Array, capacity: number): Uint8Array<ArrayBuffer> {
  const next = new Uint8Array(capacity);
  next.set(column);
  return next;
}
