/** A list of pairs that is emptied and filled again and again without giving back its memory. */

/**
 * Two columns that are written over: emptying arrays and filling them anew would allocate each time. Read it by index, below
 * `length`; what stands beyond is left over from an earlier use.
 */
export class ReusedList<A, B> {
  readonly firsts: A[] = [];
  readonly seconds: B[] = [];
  length = 0;

  push(first: A, second: B): void {
    this.firsts[this.length] = first;
    this.seconds[this.length] = second;
    this.length += 1;
  }

  clear(): void {
    this.length = 0;
  }

  /** Takes out the pair with this first part, and says whether there was one. */
  remove(first: A): boolean {
    const at = this.firsts.indexOf(first);
    if (at < 0 || at >= this.length) return false;
    this.firsts.splice(at, 1);
    this.seconds.splice(at, 1);
    this.length -= 1;
    return true;
  }
}
