/** A call of one endpoint: what goes in and what the answer is, by operation. */

import type { Static, TObject, TSchema } from '@sinclair/typebox';
import type { Priority } from '../../exchange-live/connection/priority.ts';
import type { Read } from '../wire/codec/notation.ts';
import type { QueryValues } from '../wire/codec/request-address.ts';
import type { ENDPOINTS, Operation } from '../wire/endpoints.ts';

type Endpoints = typeof ENDPOINTS;

/** The names in braces. */
type PathParameter<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | PathParameter<Rest>
  : never;

type PathInput<Path extends string> = [PathParameter<Path>] extends [never]
  ? { readonly path?: undefined }
  : { readonly path: { readonly [Name in PathParameter<Path>]: string } };

type QueryInput<E> = E extends { readonly query: infer Q extends TObject }
  ? { readonly query?: QueryValues<Q> }
  : { readonly query?: undefined };

type BodyInput<E> = E extends { readonly body: infer B extends TSchema }
  ? { readonly body: Partial<Static<B>> }
  : { readonly body?: undefined };

/** Path parameters and query as text and values of the API; the body as the specification spells it. */
export type CallInput<O extends Operation> = PathInput<Endpoints[O]['path']> &
  QueryInput<Endpoints[O]> &
  BodyInput<Endpoints[O]> & {
    /** By the operation where absent: cancels, heartbeats, new orders, all else. */
    readonly priority?: Priority;
    /** From sending to the end of the answer; the client's default where absent. */
    readonly timeoutMs?: number;
    /** Asked in the moment the bytes would leave, however long the call had to wait: `false` ends it as WITHHELD. */
    readonly mayLeave?: () => boolean;
  };

export type AnswerOf<O extends Operation> = Read<Endpoints[O]['answer']['schema']>;
