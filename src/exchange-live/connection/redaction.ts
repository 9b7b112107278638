/** Takes keys and tokens out of what others wrote, before it reaches an outcome or an event. */

/** More are not remembered: a session has two tokens, and the ones before are dead soon. */
const SECRETS_MAX = 16;
/** Shorter texts are no secrets, and blotting them out would spoil plain words. */
const LENGTH_MIN = 4;
/** Characters of a text that are passed on. */
const TEXT_MAX = 500;

export class Redaction {
  readonly #secrets = new Set<string>();

  add(secret: string): void {
    if (secret.length < LENGTH_MIN) return;
    this.#secrets.add(secret);
    const [oldest, second] = this.#secrets;
    // The first is the key of the client, which stays.
    if (this.#secrets.size > SECRETS_MAX && oldest !== undefined) this.#secrets.delete(second ?? oldest);
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
