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
import { CARRIED_OUT, type GivenCall } from './called-operation.ts';
import type { FaceRequest } from './face-request.ts';
import { accountOfRequest, IDENTITY, identityName } from './identity.ts';
import { type AskedRequest, carriedOutUnderFaults } from './struck-request.ts';

const NAVIGATION = /^\/exchange\/betting\/rest\/v1\/[a-z]{2}\/navigation\/menu\.json$/;
const APIS = Object.keys(API_PATHS).filter((name): name is Api => name in API_PATHS);
/** The most calls in one batch. */
const BATCH_MAX = 1_000;

const NOT_JSON: CallFailure = { kind: 'fault', fault: 'JSON_DESERIALISATION' };
const NO_OPERATION: CallFailure = { kind: 'fault', fault: 'NO_SUCH_OPERATION' };

/** What faults name the menu by: it is no operation of an API. */
export const NAVIGATION_MENU = 'navigation';

type Asked = Pick<AskedRequest, 'calls' | 'carryOut'>;

export class BetfairFace {
  readonly #state: FaceState;
  #failures = 0;

  constructor(state: FaceState) {
    this.#state = state;
  }

  /** The answer, which comes later where a bet waits for the in-play delay, and never where a fault cuts the connection. */
  answer(request: FaceRequest): Observable<HttpAnswer> {
    return carriedOutUnderFaults(this.#state, this.#asked(request));
  }

  #asked(request: FaceRequest): AskedRequest {
    const { path } = request;
    const identity = Object.hasOwn(IDENTITY, path) ? IDENTITY[path] : undefined;
    if (identity !== undefined) return this.#askedIdentity(request, identity);
    const app = this.#state.sessions.accountOf(request.authentication, this.#state.context.now())?.app;
    if (NAVIGATION.test(path)) {
      const carryOut = () => of(ok(navigationMenu(currentWorld(this.#state.context))));
      return { path, app, calls: [{ operation: NAVIGATION_MENU, params: {} }], carryOut };
    }
    for (const api of APIS) {
      const { rpc, rest } = API_PATHS[api];
      const method = below(path, rpc);
      if (method !== undefined) return { path, app, ...this.#askedRpc(api, request, method) };
      const name = below(path, rest);
      if (name !== undefined) return { path, app, ...this.#askedRest(api, request, name) };
    }
    return {
      path,
      app,
      ...plainly({ status: 404, text: JSON.stringify(this.#rest('SportsAPING', NO_OPERATION).body) }),
    };
  }

  #askedIdentity(request: FaceRequest, identity: (typeof IDENTITY)[string]): AskedRequest {
    const { path } = request;
    const app = accountOfRequest(this.#state, request);
    const carryOut: AskedRequest['carryOut'] = ([own]) =>
      of(ok(identity(this.#state, request, own?.kind === 'error' ? own.code : undefined)));
    return { path, app, calls: [{ operation: identityName(path), params: {} }], carryOut };
  }

  /** How many sessions of an account are open at `now`. */
  sessionsOf(app: number, now: number): number {
    return this.#state.sessions.countOf(app, now);
  }

  /** What the exchange holds of each account at this moment. */
  verdict(options?: VerdictOptions): readonly AccountVerdict[] {
    return verdictOf(this.#state, currentWorld(this.#state.context), options);
  }

  #askedRpc(api: Api, request: FaceRequest, method: string): Asked {
    const body = parsed(request.body);
    if (body === undefined) return plainly(ok(this.#failed(api, { id: null }, NOT_JSON)));
    const pathMethod = method === '' ? undefined : method;
    const isBatch = Array.isArray(body);
    const given: readonly unknown[] = isBatch ? body : [body];
    if (given.length === 0 || given.length > BATCH_MAX) return plainly(ok(this.#failed(api, { id: null }, NOT_JSON)));
    const calls = given.map((each) => rpcCallOf(api, each, pathMethod));
    return {
      calls: calls.map(({ operation = '', params }) => ({ operation, params })),
      carryOut: (own) => {
        const answers = calls.map((call, place) => this.#call(api, call, { caller: request, own: own[place] }));
        return forkJoin(answers).pipe(map((all) => ok(isBatch ? all : all[0])));
      },
    };
  }

  #call(api: Api, call: RpcCall, given: Pick<GivenCall, 'caller' | 'own'>): Observable<unknown> {
    if (call.operation === undefined) return of(this.#failed(api, call, NO_OPERATION));
    return CARRIED_OUT[call.operation](this.#state, { ...given, params: call.params }).pipe(
      map((outcome) =>
        outcome.kind === 'result' ? rpcResult(call, outcome.result) : this.#failed(api, call, outcome),
      ),
    );
  }

  /** The REST twin: the operation is in the path, the parameters are the body. */
  #askedRest(api: Api, request: FaceRequest, name: string): Asked {
    const operation = operationOf(api, name);
    const given = request.body === '' ? {} : parsed(request.body);
    const failure = operation === undefined ? NO_OPERATION : given === undefined ? NOT_JSON : undefined;
    if (operation === undefined || failure !== undefined)
      return plainly(this.#restAnswer(api, failure ?? NO_OPERATION));
    const params = isAbsent(given) ? {} : given;
    return {
      calls: [{ operation, params }],
      carryOut: ([own]) =>
        CARRIED_OUT[operation](this.#state, { caller: request, params, own }).pipe(
          map((outcome) => (outcome.kind === 'result' ? ok(outcome.result) : this.#restAnswer(api, outcome))),
        ),
    };
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

/** An answer that is known already. Faults strike it where they are for all requests. */
function plainly(answer: HttpAnswer): Asked {
  return { calls: [{ operation: '', params: {} }], carryOut: () => of(answer) };
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
