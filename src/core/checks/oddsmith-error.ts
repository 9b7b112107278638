/** An error about which its reader can do something: a stable code, what happened, where, why, and what to do next. */

export interface ErrorParts<Code extends string = string> {
  readonly code: Code;
  /** What happened, one sentence. */
  readonly what: string;
  /** A file with line and column, or the path of an option, as far as there is one. */
  readonly where?: string;
  readonly why?: string;
  /** What to do next. */
  readonly next?: string;
}

/** Codes stay the same over versions and words do not: match on `code`, print the rest. */
export class OddsmithError<Code extends string = string> extends Error {
  override readonly name: string = 'OddsmithError';
  readonly parts: ErrorParts<Code>;

  constructor(parts: ErrorParts<Code>, options?: ErrorOptions) {
    super(parts.what, options);
    this.parts = parts;
  }

  get code(): Code {
    return this.parts.code;
  }

  get what(): string {
    return this.parts.what;
  }

  get where(): string | undefined {
    return this.parts.where;
  }

  get why(): string | undefined {
    return this.parts.why;
  }

  get next(): string | undefined {
    return this.parts.next;
  }
}
