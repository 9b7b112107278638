/** The types of operations: functions from a checked call to an answer or a problem. */

import type { Static, TObject, TSchema } from '@sinclair/typebox';
import type { PathParameter } from '../../../betdex/wire/endpoint.ts';
import type { ENDPOINTS, Operation } from '../../../betdex/wire/endpoints.ts';
import type { Status } from '../../../betdex/wire/responses.ts';
import type { Written } from '../../../codec/notation.ts';
import type { SandboxContext } from '../../context/sandbox-context.ts';
import type { KeyRecord } from '../../world/records.ts';
import type { World } from '../../world/world.ts';

type Endpoints = typeof ENDPOINTS;

/**
 * The caller, known from the key with which the session was opened: its app, and with a wallet's key that wallet only.
 */
export interface Caller {
  readonly app: number;
  /** The only wallet that a wallet's key may see and use. */
  readonly wallet: number | undefined;
  readonly key: KeyRecord;
}

/** A call. Path, query and body have passed their schemas; the operation checks what a schema cannot express. */
export interface Call<O extends Operation> {
  readonly context: SandboxContext;
  /** The world at the present: everything due by now has happened. */
  readonly world: World;
  /** Undefined for the operations that open a session. */
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
  /** An answer that is JSON text already. */
  | { readonly kind: 'text'; readonly text: string }
  | Problem;

export type Operate<O extends Operation> = (call: Call<O>) => Reply<O>;
export type Operations<O extends Operation = Operation> = { readonly [Name in O]: Operate<Name> };

export function problem(status: Problem['status'], title: string, ...details: string[]): Problem {
  return { kind: 'problem', status, title, details };
}
