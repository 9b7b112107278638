/** The references of requests that change orders: one that is repeated within a minute is a duplicate (profile section 5). */

const KEPT_MS = 60_000;

export class CustomerRequests {
  /** When each was seen first, by account and reference; the oldest first. */
  readonly #seenAt = new Map<string, number>();

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
