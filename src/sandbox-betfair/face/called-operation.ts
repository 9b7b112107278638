/** Carries out one call of an operation: session, parameters, the operation, its answer written. */

import { isObservable, map, type Observable, of } from 'rxjs';
import type { CallFailure } from '../../betfair/wire/exceptions.ts';
import { OPERATIONS, type Operation } from '../../betfair/wire/operations.ts';
import { looseReader } from '../../codec/codec-read.ts';
import { writer } from '../../codec/codec-write.ts';
import type { OwnAnswer } from '../../sandbox/context/injected-faults.ts';
import { currentWorld } from '../../sandbox/operations/shared/current-world.ts';
import { exception, type Operate, type Outcome } from '../operations/shared/operation.ts';
import type { Account } from '../state/accounts.ts';
import type { FaceState } from '../state/face-state.ts';
import { transactionsIn } from '../state/transactions.ts';
import { ALL_OPERATIONS } from './all-operations.ts';
import { struckOutcome } from './struck-call.ts';

/** Who calls, as the headers of the request say. */
export interface Caller {
  /** The application's key. */
  readonly application: string | undefined;
  /** The token of a session. */
  readonly authentication: string | undefined;
}

/** One call, with its parameters as they came. */
export interface GivenCall {
  readonly caller: Caller;
  readonly params: unknown;
  /** What is to be answered instead of the truth. */
  readonly own: OwnAnswer | undefined;
}

export type CarryOut = (face: FaceState, call: GivenCall) => Observable<Outcome<unknown>>;

/** Each operation, made ready once. */
export const CARRIED_OUT: Readonly<Record<Operation, CarryOut>> = carriedOut();

function carriedOut(): Readonly<Record<Operation, CarryOut>> {
  const entries = Object.keys(OPERATIONS).map((name) => [name, carryOut(name as Operation)]);
  return Object.fromEntries(entries);
}

function carryOut<O extends Operation>(name: O): CarryOut {
  const { params: paramsShape, result: resultShape } = OPERATIONS[name];
  const read = looseReader(paramsShape);
  const write = writer(resultShape);
  const operate: Operate<O> = ALL_OPERATIONS[name];
  const written = (outcome: Outcome<unknown>): Outcome<unknown> =>
    outcome.kind === 'result' ? { kind: 'result', result: write(outcome.result as never) } : outcome;
  const noted = (face: FaceState, { app }: Account, outcome: Outcome<unknown>): Outcome<unknown> => {
    const used = outcome.kind === 'result' ? transactionsIn(name, outcome.result) : undefined;
    if (used !== undefined) face.transactions.note(app, face.context.now(), used);
    return outcome;
  };
  return (face, { caller, params: given, own }) => {
    const account = accountOf(face, caller);
    if ('kind' in account) return of(account);
    const params = read(given);
    if (params.kind === 'faults') {
      const isMissing = params.faults.some(({ code }) => code === 'MISSING');
      const fault = isMissing ? 'MANDATORY_NOT_DEFINED' : 'CLASS_CONVERSION';
      return of({ kind: 'fault', fault });
    }
    const act = (): Observable<Outcome<unknown>> => {
      const world = currentWorld(face.context);
      // Safe cast: the parameters were read by the schema that gives the call's type.
      const outcome = operate({ face, world, account, params: params.value as never });
      const note = (each: Outcome<unknown>) => noted(face, account, each);
      return isObservable(outcome) ? outcome.pipe(map(note)) : of(note(outcome));
    };
    if (own === undefined) return act().pipe(map(written));
    const unheard = () => void face.late.add(act().subscribe());
    return of(written(struckOutcome(face, own, { operation: name, params: params.value, act: unheard })));
  };
}

function accountOf({ sessions, context }: FaceState, { application, authentication }: Caller): Account | CallFailure {
  if (application === undefined || application === '')
    return exception('NO_APP_KEY', 'the header X-Application is missing');
  if (authentication === undefined || authentication === '')
    return exception('NO_SESSION', 'the header X-Authentication is missing');
  const account = sessions.accountOf(authentication, context.now());
  return account ?? exception('INVALID_SESSION_INFORMATION', 'the session is unknown, ended or over');
}
