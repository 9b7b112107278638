/** How an operation of the API is carried out: a function from a checked call to an answer or a problem. */

import type { Static, TObject, TSchema } from '@sinclair/typebox';
import type { Written } from '../../../betdex/wire/codec/notation.ts';
import type { ENDPOINTS, Operation } from '../../../betdex/wire/endpoints.ts';
import type { Status } from '../../../betdex/wire/responses.ts';
import type { SandboxContext } from '../../context/sandbox-context.ts';
import type { KeyRecord } from '../../world/records.ts';

type Endpoints = typeof ENDPOINTS;

type PathParameter<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | PathParameter<Rest>
  : never;

/** Who calls: the key that the session was opened with says which app, and which wallet of it alone. */
export interface Caller {
  readonly app: number;
  /** With a wallet's key: all that it may see and use. */
  readonly wallet: number | undefined;
  readonly key: KeyRecord;
}

/** Path, query and body have passed their schemas; what a schema cannot say the operation checks. */
export interface Call<O extends Operation> {
  readonly context: SandboxContext;
  /** Undefined for the operations that give a session. */
  readonly caller: Endpoints[O] extends { readonly open: true } ? undefined : Caller;
  readonly path: { readonly [Name in PathParameter<Endpoints[O]['path']>]: string };
  readonly query: Endpoints[O] extends { readonly query: infer Q extends TObject } ? Static<Q> : undefined;
  readonly body: Endpoints[O] extends { readonly body: infer B extends TSchema } ? Static<B> : undefined;
}

export interface Problem {
  readonly kind: 'problem';
  readonly status: Exclude<Status, 200>;
  readonly title: string;
  readonly details: readonly string[];
}

export type Reply<O extends Operation> =
  | { readonly kind: 'answer'; readonly answer: Written<Endpoints[O]['answer']['schema']> }
  /** The same, already as JSON text. */
  | { readonly kind: 'text'; readonly text: string }
  | Problem;

export type Operate<O extends Operation> = (call: Call<O>) => Reply<O>;
export type Operations<O extends Operation = Operation> = { readonly [Name in O]: Operate<Name> };

export function problem(status: Problem['status'], title: string, ...details: string[]): Problem {
  return { kind: 'problem', status, title, details };
}
