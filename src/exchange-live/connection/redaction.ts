/** Removes keys and tokens from texts of others before they reach an outcome or an event. */

/** Only so many are remembered: a session has two tokens, and older tokens soon expire. */
const SECRETS_MAX = 16;
/** Shorter texts are not treated as secrets, since removing them would damage ordinary words. */
const LENGTH_MIN = 4;
/** Characters of a text that are passed on. */
const TEXT_MAX = 500;

/** Remembers the newest secrets and the first one, and removes them from texts. */
export class Redaction {
  readonly #secrets = new Set<string>();

  add(secret: string): void {
    if (secret.length < LENGTH_MIN) return;
    this.#secrets.add(secret);
    const [oldest, second] = this.#secrets;
    // The first secret is the client's key, which is never forgotten.
    if (this.#secrets.size > SECRETS_MAX && oldest !== undefined) this.#secrets.delete(second ?? oldest);
  }

  /** Removes the secrets from a text and then cuts it: cutting first could leave half a token. */
  clean(text: string): string {
    let cleaned = text;
    // The longest first, since one secret may be the beginning of another.
    const secrets = [...this.#secrets].sort((one, other) => other.length - one.length);
    for (const secret of secrets) cleaned = cleaned.replaceAll(secret, '[secret]');
    return cleaned.slice(0, TEXT_MAX);
  }
}
