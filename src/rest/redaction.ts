/** Takes keys and tokens out of what others wrote, before it reaches an outcome or an event. */

import { isObject } from '../wire/schema-node.ts';

/** More are not remembered: a session has two tokens, and the ones before are dead soon. */
const SECRETS_MAX = 16;
/** Shorter texts are no secrets, and blotting them out would spoil plain words. */
const LENGTH_MIN = 4;
/** Characters of a text that are passed on. */
const TEXT_MAX = 500;

/** Keys of a request's body that hold one (profile section 1; specification, API keys). */
const SECRET_KEYS = ['apiKey', 'refreshToken'] as const;

export class Redaction {
  readonly #secrets = new Set<string>();

  add(secret: string): void {
    if (secret.length < LENGTH_MIN) return;
    this.#secrets.add(secret);
    const [oldest, second] = this.#secrets;
    // The first is the key of the client, which stays.
    if (this.#secrets.size > SECRETS_MAX && oldest !== undefined) this.#secrets.delete(second ?? oldest);
  }

  /** What a caller sends, the exchange may tell back. */
  addFrom(body: unknown): void {
    if (!isObject(body)) return;
    for (const key of SECRET_KEYS) {
      const value = body[key];
      if (typeof value === 'string') this.add(value);
    }
  }

  /** Cut only when it is clean: half a token is too much. */
  clean(text: string): string {
    let cleaned = text;
    // The longest first: one may be the beginning of another.
    const secrets = [...this.#secrets].sort((one, other) => other.length - one.length);
    for (const secret of secrets) cleaned = cleaned.replaceAll(secret, '[secret]');
    return cleaned.slice(0, TEXT_MAX);
  }
}
