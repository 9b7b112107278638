/** What a figure can tell its reader and what it cannot: printed beside it, so that no figure is taken for more than it is. */

export interface Meaning {
  readonly says: string;
  readonly doesNotSay: string;
}
