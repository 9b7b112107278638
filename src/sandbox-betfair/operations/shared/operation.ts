/** The types of operations: functions from a call to its outcome, which may come later. */

import type { Observable } from 'rxjs';
import type { ApiErrorCode, CallFailure } from '../../../betfair/wire/exceptions.ts';
import type { Operation, Params, Result } from '../../../betfair/wire/operations.ts';
import type { World } from '../../../sandbox/world/world.ts';
import type { Account } from '../../state/accounts.ts';
import type { FaceState } from '../../state/face-state.ts';

/** A call whose session and parameters have been read. */
export interface Call<O extends Operation> {
  readonly face: FaceState;
  /** The world at the present: everything due by now has happened. */
  readonly world: World;
  readonly account: Account;
  readonly params: Params<O>;
}

/** What every operation on orders and lists may use of a call, whatever its parameters. */
export type Asker = Pick<Call<Operation>, 'face' | 'world' | 'account'>;

export type Outcome<R> = { readonly kind: 'result'; readonly result: R } | CallFailure;

/** An operation that waits, as a bet does in play, returns what emits its outcome. */
export type Operate<O extends Operation> = (call: Call<O>) => Outcome<Result<O>> | Observable<Outcome<Result<O>>>;
export type Operations<O extends Operation = Operation> = { readonly [Name in O]: Operate<Name> };

export function result<R>(value: R): Outcome<R> {
  return { kind: 'result', result: value };
}

export function exception(errorCode: ApiErrorCode, errorDetails: string): CallFailure {
  return { kind: 'exception', errorCode, errorDetails };
}
