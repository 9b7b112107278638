/** A text that must not be printed, such as a key or token; only `reveal` returns it. */

/**
 * A key or token: printing, JSON and inspection show a placeholder.
 *
 * @example
 * const key = new Secret(process.env['API_KEY'] ?? '');
 * console.log(key, key.reveal().length); // [secret] 32
 */
export class Secret {
  readonly #text: string;

  /** Keeps the text; nothing but `reveal` returns it. */
  constructor(text: string) {
    this.#text = text;
  }

  /** The text itself, for the place where it is sent. */
  reveal(): string {
    return this.#text;
  }

  /** A placeholder. */
  toString(): string {
    return '[secret]';
  }

  /** A placeholder. */
  toJSON(): string {
    return '[secret]';
  }

  [Symbol.for('nodejs.util.inspect.custom')](): string {
    return '[secret]';
  }
}
