/** The types of a call of one endpoint: its input and its answer, by operation. */

import type { Static, TObject, TSchema } from '@sinclair/typebox';
import type { Observable } from 'rxjs';
import type { Lenient } from '../../codec/lenient.ts';
import type { Read } from '../../codec/notation.ts';
import type { QueryValues } from '../../codec/request-address.ts';
import type { CallOutcome } from '../../exchange-live/connection/call-outcome.ts';
import type { Priority } from '../../exchange-live/connection/priority.ts';
import type { PathParameter } from '../wire/endpoint.ts';
import type { ENDPOINTS, Operation } from '../wire/endpoints.ts';

type Endpoints = typeof ENDPOINTS;

type PathInput<Path extends string> = [PathParameter<Path>] extends [never]
  ? { readonly path?: undefined }
  : { readonly path: { readonly [Name in PathParameter<Path>]: string } };

type QueryInput<E> = E extends { readonly query: infer Q extends TObject }
  ? { readonly query?: QueryValues<Q> }
  : { readonly query?: undefined };

type BodyInput<E> = E extends { readonly body: infer B extends TSchema }
  ? { readonly body: Partial<Static<B>> }
  : { readonly body?: undefined };

/** The input of a call: path parameters and query as values of the API, and the body as the specification spells it. */
export type CallInput<O extends Operation> = PathInput<Endpoints[O]['path']> &
  QueryInput<Endpoints[O]> &
  BodyInput<Endpoints[O]> & {
    /**
     * Priority in the request budget. If absent, it follows from the operation: cancels, heartbeats, new orders, everything
     * else.
     */
    readonly priority?: Priority;
    /** Time from first sending to the end of the answer, ms; the client's default if absent. */
    readonly timeoutMs?: number;
    /**
     * Called at the moment when the bytes would leave, however long the call had to wait; `false` ends the call as WITHHELD.
     */
    readonly mayLeave?: () => boolean;
  };

/** The document of a success, read-only; words that are newer than this client are kept as they came. */
export type AnswerOf<O extends Operation> = Read<Endpoints[O]['answer']['schema']>;

/**
 * The same of a call that reads each document by itself: a field that the program does not need may be absent, and a document that could not be read is an
 * `Unreadable` in its list.
 */
export type LenientAnswerOf<O extends Operation> = LenientAnswers[O];
type LenientAnswers = { readonly [O in Operation]: Lenient<Endpoints[O]['answer']['schema']> };

/** Calls whose answers are read document by document. */
export interface LenientCaller {
  /** Tells it apart from a client whose answers are whole or none. */
  readonly reading: 'lenient';
  /** One outcome for each subscription, as `RestClient.call`. */
  call<O extends Operation>(operation: O, input: CallInput<O>): Observable<CallOutcome<LenientAnswerOf<O>>>;
}
