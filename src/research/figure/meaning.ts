/** What a figure can tell its reader and what it cannot: printed beside it, so that no figure is taken for more than it is. */

/** Two sentences that stand beside a figure, so that it is not taken for more than it is. */
export interface Meaning {
  /** What it tells, one or two sentences. */
  readonly says: string;
  /** What must not be read from it. */
  readonly doesNotSay: string;
}
