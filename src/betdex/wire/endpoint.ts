/** The description of one endpoint; `endpoints.ts` lists all of them. */

import type { TObject, TSchema } from '@sinclair/typebox';
import type { Answer } from './answers.ts';

/** An endpoint of the API: method, path, parameters, body and answer. */
export interface Endpoint {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** Parameters stand in braces; all are strings. */
  readonly path: string;
  /** The document that describes its shape. */
  readonly from: 'specification' | 'profile';
  readonly query?: TObject;
  readonly body?: TSchema;
  /** The answer with status 200, the only success. */
  readonly answer: Answer;
  readonly deprecated?: true;
  /** True if it takes no token, because it is the call that gives one. */
  readonly open?: true;
  /** True if failures have the answer's own shape, with title and details added (specification, Errors; profile section 1). */
  readonly failsInShape?: true;
  /** True if it may answer 404 although its path holds nothing that could be unknown. */
  readonly mayBeAbsent?: true;
  /** True if production exchanges do not have it. */
  readonly sandboxOnly?: true;
}

/** The names that stand in braces in a path, as a union. */
export type PathParameter<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | PathParameter<Rest>
  : never;

/** The parameter names in braces, in order. */
export function pathParametersOf(path: string): readonly string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? '');
}
