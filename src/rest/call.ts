/** A call of one endpoint: what goes in, by operation, and what can come of it. */

import type { Static, TObject, TSchema } from '@sinclair/typebox';
import type { ENDPOINTS, Operation } from '../wire/endpoints.ts';
import type { Read } from '../wire/notation.ts';
import type { QueryValues } from '../wire/request-address.ts';

/** Who goes first when the request budget is short. */
export const PRIORITIES = ['cancel', 'heartbeat', 'order', 'poll'] as const;
export type Priority = (typeof PRIORITIES)[number];

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

/** Why no answer of the exchange is at hand; each tells whether the request may have been acted upon. */
export const CALL_FAULTS = {
  NOT_SENT: 'the request never left: no connection could be made',
  WITHHELD: 'its caller took it back before it left',
  CONNECTION_LOST: 'the connection ended before the answer did',
  TIMEOUT: 'no answer came in time',
  BAD_ANSWER: 'what came back is not what the API sends',
  NO_SESSION: 'no session could be opened: the exchange refuses it',
  OVERLOADED: 'too many calls wait for the request budget already',
  CLOSED: 'the client was closed',
} as const;
export type CallFaultCode = keyof typeof CALL_FAULTS;

export type CallOutcome<A> =
  | { readonly kind: 'answered'; readonly answer: A }
  /**
   * Somebody said no. `isOwn`: the exchange itself, in the API's own shape, and nothing was done; else a gateway or proxy on
   * the way, which proves nothing (`isOwnRefusal` decides).
   */
  | {
      readonly kind: 'refused';
      readonly status: number;
      readonly title: string;
      readonly details: readonly string[];
      readonly isOwn: boolean;
      readonly mayHaveActed: boolean;
    }
  | {
      readonly kind: 'failed';
      readonly code: CallFaultCode;
      readonly details: string;
      readonly mayHaveActed: boolean;
    };
