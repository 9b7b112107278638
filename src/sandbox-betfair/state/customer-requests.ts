/** What requests that change orders were seen lately: a reference is a duplicate for a minute, and a second has its most instructions. */

const KEPT_MS = 60_000;
/** More instructions of an account in one second are refused (profile section 3). */
const INSTRUCTIONS_MAX = 1_000;
const SECOND_MS = 1_000;

export class CustomerRequests {
  /** When each was seen first, by account and reference; the oldest first. */
  readonly #seenAt = new Map<string, number>();

  /** The second in which each account sent its last instructions, and how many. */
  readonly #counts = new Map<number, { readonly second: number; readonly count: number }>();

  /** Whether these instructions are too many for the second; if not, they count. */
  areTooMany(app: number, instructions: number, now: number): boolean {
    const second = Math.floor(now / SECOND_MS);
    const known = this.#counts.get(app);
    const count = instructions + (known?.second === second ? known.count : 0);
    if (count > INSTRUCTIONS_MAX) return true;
    this.#counts.set(app, { second, count });
    return false;
  }

  /** Whether the account used the reference within the last minute; if not, it is used from now on. */
  isRepeated(app: number, customerRef: string, now: number): boolean {
    for (const [key, at] of this.#seenAt) {
      if (now - at < KEPT_MS) break;
      this.#seenAt.delete(key);
    }
    const key = `${app} ${customerRef}`;
    if (this.#seenAt.has(key)) return true;
    this.#seenAt.set(key, now);
    return false;
  }
}
