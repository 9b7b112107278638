/** What a code means, for somebody who met it and does not know what to do. */

export interface Explained {
  /** One sentence: what happened. */
  readonly means: string;
  /** What usually leads to it. */
  readonly cause: string;
  /** What to do next. */
  readonly next: string;
}
