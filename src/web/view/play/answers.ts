/** What comes of a request: what was asked for, or why not. */

/** `closed`: the session is gone. `silent`: the server does not answer. `refused`: it cannot give this. */
export interface Trouble {
  readonly kind: 'closed' | 'silent' | 'refused';
  readonly why: string;
  readonly next: string | undefined;
}

export type Answer<Value> = { readonly kind: 'value'; readonly value: Value } | Trouble;
