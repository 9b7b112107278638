/** What is known of one endpoint; the table of all of them is in `endpoints.ts`. */

import type { TObject, TSchema } from '@sinclair/typebox';
import type { Answer } from './answers.ts';

export interface Endpoint {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** Parameters stand in braces; all are strings. */
  readonly path: string;
  /** Where its shape is written down. */
  readonly from: 'specification' | 'profile';
  readonly query?: TObject;
  readonly body?: TSchema;
  /** Of status 200, the only success. */
  readonly answer: Answer;
  readonly deprecated?: true;
  /** Takes no token: it gives one. */
  readonly open?: true;
  /** Failures carry the answer's own shape, plus title and details (specification, Errors; profile section 1). */
  readonly failsInShape?: true;
  /** 404 though nothing in its path can be unknown. */
  readonly mayBeAbsent?: true;
  /** Not part of a production exchange. */
  readonly sandboxOnly?: true;
}

/** The names in braces, in order. */
export function pathParametersOf(path: string): readonly string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? '');
}
