/** An error about which its reader can do something: a stable code, what happened, where, why, and what to do next. */

/** What an `OddsmithError` is made of. */
export interface ErrorParts<Code extends string = string> {
  /** Stable, in capitals: what programs match on. */
  readonly code: Code;
  /** What happened, one sentence. */
  readonly what: string;
  /** A file with line and column, or the path of an option, as far as there is one. */
  readonly where?: string;
  /** The cause, one sentence, where more is known than `what` says. */
  readonly why?: string;
  /** What to do next. */
  readonly next?: string;
}

/**
 * An error about which its reader can do something. Codes stay the same over versions and words do not: match on `code`, print the rest.
 *
 * @example
 * try {
 *   openTape('data/august.tape').close();
 * } catch (error) {
 *   if (!(error instanceof OddsmithError)) throw error;
 *   console.error(error.code, error.what, error.where ?? '', error.next ?? '');
 * }
 */
export class OddsmithError<Code extends string = string> extends Error {
  /** `OddsmithError`, and `AbortError` where a signal was aborted. */
  override readonly name: string = 'OddsmithError';
  /** All that it says, as one plain object. */
  readonly parts: ErrorParts<Code>;

  /** Its message is `what`; `cause` of the options is kept as for any error. */
  constructor(parts: ErrorParts<Code>, options?: ErrorOptions) {
    super(parts.what, options);
    this.parts = parts;
  }

  /** Stable, in capitals: what programs match on. */
  get code(): Code {
    return this.parts.code;
  }

  /** What happened, one sentence. */
  get what(): string {
    return this.parts.what;
  }

  /** A file with line and column, or the path of an option; undefined where there is none. */
  get where(): string | undefined {
    return this.parts.where;
  }

  /** The cause, one sentence; undefined where no more is known. */
  get why(): string | undefined {
    return this.parts.why;
  }

  /** What to do next; undefined where there is nothing to do. */
  get next(): string | undefined {
    return this.parts.next;
  }
}
