/**
 * Answers the requests of Betfair's clients, whatever brought them: JSON-RPC alone, in a batch or with the method in the path,
 * its REST twin, the identity service and the navigation menu. It needs no socket, and all its time is its clock's.
 */

import { forkJoin, map, type Observable, of } from 'rxjs';
import {
  API_PATHS,
  operationOf,
  type RpcCall,
  restFailure,
  rpcCallOf,
  rpcFailure,
  rpcResult,
} from '../../betfair/wire/envelope.ts';
import type { CallFailure } from '../../betfair/wire/exceptions.ts';
import type { Api } from '../../betfair/wire/operations.ts';
import { isAbsent } from '../../codec/schema-node.ts';
import type { HttpAnswer } from '../../sandbox/context/http-answer.ts';
import { currentWorld } from '../../sandbox/operations/shared/current-world.ts';
import { navigationMenu } from '../operations/markets/navigation.ts';
import type { FaceState } from '../state/face-state.ts';
import { type AccountVerdict, type VerdictOptions, verdictOf } from '../state/verdict.ts';
import { CARRIED_OUT, type Caller } from './called-operation.ts';
import type { FaceRequest } from './face-request.ts';
import { IDENTITY } from './identity.ts';

const NAVIGATION = /^\/exchange\/betting\/rest\/v1\/[a-z]{2}\/navigation\/menu\.json$/;
const APIS = Object.keys(API_PATHS).filter((name): name is Api => name in API_PATHS);
/** The most calls in one batch. */
const BATCH_MAX = 1_000;

const NOT_JSON: CallFailure = { kind: 'fault', fault: 'JSON_DESERIALISATION' };
const NO_OPERATION: CallFailure = { kind: 'fault', fault: 'NO_SUCH_OPERATION' };

export class BetfairFace {
  readonly #state: FaceState;
  #failures = 0;

  constructor(state: FaceState) {
    this.#state = state;
  }

  /** The answer, which comes later where a bet waits for the in-play delay. A request acts when it is subscribed to. */
  answer(request: FaceRequest): Observable<HttpAnswer> {
    const { path } = request;
    const identity = Object.hasOwn(IDENTITY, path) ? IDENTITY[path] : undefined;
    if (identity !== undefined) return of(ok(identity(this.#state, request)));
    if (NAVIGATION.test(path)) return of(ok(navigationMenu(currentWorld(this.#state.context))));
    for (const api of APIS) {
      const { rpc, rest } = API_PATHS[api];
      const method = below(path, rpc);
      if (method !== undefined) return this.#answerRpc(api, request, method);
      const name = below(path, rest);
      if (name !== undefined) return this.#answerRest(api, request, name);
    }
    return of({ status: 404, text: JSON.stringify(this.#rest('SportsAPING', NO_OPERATION).body) });
  }

  /** What the exchange holds of each account at this moment. */
  verdict(options?: VerdictOptions): readonly AccountVerdict[] {
    return verdictOf(this.#state, currentWorld(this.#state.context), options);
  }

  #answerRpc(api: Api, request: FaceRequest, method: string): Observable<HttpAnswer> {
    const body = parsed(request.body);
    if (body === undefined) return of(ok(this.#failed(api, { id: null }, NOT_JSON)));
    const pathMethod = method === '' ? undefined : method;
    if (!Array.isArray(body)) return this.#call(api, request, rpcCallOf(api, body, pathMethod)).pipe(map(ok));
    if (body.length === 0 || body.length > BATCH_MAX) return of(ok(this.#failed(api, { id: null }, NOT_JSON)));
    const calls = body.map((each: unknown) => this.#call(api, request, rpcCallOf(api, each, pathMethod)));
    return forkJoin(calls).pipe(map(ok));
  }

  #call(api: Api, caller: Caller, call: RpcCall): Observable<unknown> {
    if (call.operation === undefined) return of(this.#failed(api, call, NO_OPERATION));
    return CARRIED_OUT[call.operation](this.#state, caller, call.params).pipe(
      map((outcome) =>
        outcome.kind === 'result' ? rpcResult(call, outcome.result) : this.#failed(api, call, outcome),
      ),
    );
  }

  /** The REST twin: the operation is in the path, the parameters are the body. */
  #answerRest(api: Api, request: FaceRequest, name: string): Observable<HttpAnswer> {
    const operation = operationOf(api, name);
    const params = request.body === '' ? {} : parsed(request.body);
    const failure = operation === undefined ? NO_OPERATION : params === undefined ? NOT_JSON : undefined;
    if (operation === undefined || failure !== undefined) return of(this.#restAnswer(api, failure ?? NO_OPERATION));
    return CARRIED_OUT[operation](this.#state, request, isAbsent(params) ? {} : params).pipe(
      map((outcome) => (outcome.kind === 'result' ? ok(outcome.result) : this.#restAnswer(api, outcome))),
    );
  }

  #restAnswer(api: Api, failure: CallFailure): HttpAnswer {
    const { status, body } = this.#rest(api, failure);
    return { status, text: JSON.stringify(body) };
  }

  #rest(api: Api, failure: CallFailure) {
    return restFailure(api, failure, this.#nextUuid());
  }

  #failed(api: Api, call: Pick<RpcCall, 'id'>, failure: CallFailure): unknown {
    return rpcFailure(api, call, failure, this.#nextUuid());
  }

  /** Names a failure as Betfair does, by a host and a number, so that it can be found again. */
  #nextUuid(): string {
    this.#failures += 1;
    return `sandbox-${String(this.#failures).padStart(12, '0')}`;
  }
}

function ok(value: unknown): HttpAnswer {
  return { status: 200, text: JSON.stringify(value) };
}

/** What stands in a path below another one, without slashes around it; undefined where it is not below. */
function below(path: string, parent: string): string | undefined {
  if (path !== parent && !path.startsWith(`${parent}/`)) return undefined;
  return path.slice(parent.length).replace(/^\/|\/$/g, '');
}

/** Undefined for a text that is no JSON. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
