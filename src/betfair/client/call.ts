/** Calls of Betfair's operations, as the gateway makes them. */

import type { Observable } from 'rxjs';
import type { Lenient } from '../../codec/lenient.ts';
import type { Frozen } from '../../codec/notation.ts';
import type { RequestKind } from '../../exchange-live/adapter/edge-event.ts';
import type { CallOutcome } from '../../exchange-live/connection/call-outcome.ts';
import type { Effect } from '../../exchange-live/connection/call-run.ts';
import type { Priority } from '../../exchange-live/connection/priority.ts';
import type { OPERATIONS, Operation, Params } from '../wire/operations.ts';

export interface CallOptions {
  /** Absent: it follows from the operation. */
  readonly priority?: Priority;
  /** Absent: it follows from the operation. A cancellation of a part does more when it is sent twice. */
  readonly effect?: Effect;
  readonly timeoutMs?: number;
  /** Called at the moment when the bytes would leave, however long the call had to wait; `false` ends the call as WITHHELD. */
  readonly mayLeave?: (() => boolean) | undefined;
}

/** Each document of an answer is read by itself: one that cannot be read is an `Unreadable` in its list. */
export type AnswerOf<O extends Operation> = Answers[O];

/** By operation, so that the compiler compares names and does not take the types of all answers apart. */
type Answers = { readonly [O in Operation]: Lenient<(typeof OPERATIONS)[O]['result']> };

export interface BetfairCaller {
  /** Cold: each subscription is a call of its own, with one outcome. */
  call<O extends Operation>(
    operation: O,
    params: Frozen<Params<O>>,
    options?: CallOptions,
  ): Observable<CallOutcome<AnswerOf<O>>>;
}

const EFFECTS: Partial<Readonly<Record<Operation, Effect>>> = {
  placeOrders: 'once',
  replaceOrders: 'once',
  cancelOrders: 'repeatable',
  updateOrders: 'repeatable',
  heartbeat: 'repeatable',
};

export function effectOf(operation: Operation): Effect {
  return EFFECTS[operation] ?? 'reads';
}

const PRIORITIES: Partial<Readonly<Record<Operation, Priority>>> = {
  placeOrders: 'order',
  replaceOrders: 'order',
  updateOrders: 'order',
  cancelOrders: 'cancel',
  heartbeat: 'heartbeat',
};

export function priorityOf(operation: Operation): Priority {
  return PRIORITIES[operation] ?? 'poll';
}

const KINDS: Partial<Readonly<Record<Operation, RequestKind>>> = {
  placeOrders: 'place',
  cancelOrders: 'cancel',
  heartbeat: 'heartbeat',
  listMarketBook: 'prices',
  listMarketCatalogue: 'markets',
  listCurrentOrders: 'orders',
  listClearedOrders: 'transactions',
  listMarketProfitAndLoss: 'positions',
  getAccountFunds: 'wallets',
};

/** What a call is for; undefined where it is for nothing that is counted apart. */
export function kindOf(operation: Operation): RequestKind | undefined {
  return KINDS[operation];
}
