/** The app's heartbeat: unless it is refreshed in time, the exchange cancels the app's orders. */

import { defer, map, mergeMap, type Observable, of, tap } from 'rxjs';
import { faultsText } from '../../../codec/fault.ts';
import { Unreadable } from '../../../codec/lenient.ts';
import { LIVE_STATUSES } from '../../../core/order.ts';
import type { HeartbeatReply } from '../../../exchange/gateway.ts';
import { type CallOutcome, failureOf } from '../../../exchange-live/connection/call-outcome.ts';
import type { LenientAnswerOf, LenientCaller } from '../../client/call.ts';

const NONE_ARMED = 404;
/** What the exchange shows about the app's heartbeat. */
export type SeenHeartbeat =
  | { readonly kind: 'none' }
  | { readonly kind: 'armed'; readonly active: boolean; readonly timeoutMs: number; readonly lastSeenAt: string }
  | { readonly kind: 'unknown'; readonly code: string; readonly details: string };

/** Reads the app's heartbeat without changing it. Emits one value. */
export function readHeartbeat(calls: LenientCaller): Observable<SeenHeartbeat> {
  return calls.call('getHeartbeat', { priority: 'heartbeat' }).pipe(map(seenOf));
}

/**
 * An app has one heartbeat for all its runs. So before each refresh this reads whether it is still as our last refresh left it,
 * and it is never removed while any live order of the app may depend on it.
 */
export class Heartbeats {
  readonly #calls: LenientCaller;
  readonly #appId: string;
  /** Time of the newest refresh, as the exchange showed it after our own; undefined if it is not known. */
  #leftAt: string | undefined;

  constructor(calls: LenientCaller, appId: string) {
    this.#calls = calls;
    this.#appId = appId;
  }

  /** Arms or refreshes the heartbeat. After a lapse the exchange answers that it is not active (profile section 4). */
  arm(timeoutMs: number): Observable<HeartbeatReply> {
    return defer(() => {
      const leftAt = this.#leftAt;
      if (leftAt === undefined) return this.#refresh(timeoutMs, false);
      return readHeartbeat(this.#calls).pipe(
        mergeMap((seen) => this.#refresh(timeoutMs, isRefreshedSince(seen, leftAt))),
      );
    });
  }

  /**
   * Removes the heartbeat, and with it the block that a lapse left; if none is armed, there is nothing to do. While orders of
   * the app are live in any wallet, an active heartbeat stays, and the reply says that it is active. `leavesOrders`: it is
   * removed all the same, and the orders stay without its protection.
   */
  clear(leavesOrders: boolean): Observable<HeartbeatReply> {
    return readHeartbeat(this.#calls).pipe(
      mergeMap((seen) => {
        if (seen.kind === 'unknown') return of(seen);
        if (seen.kind === 'none') return of(GONE);
        if (!seen.active || leavesOrders) return this.#delete();
        return this.#hasLiveOrders().pipe(
          mergeMap((live): Observable<HeartbeatReply> => {
            if (typeof live !== 'boolean') return of(live);
            return live ? of({ kind: 'heartbeat', active: true, timeoutMs: seen.timeoutMs }) : this.#delete();
          }),
        );
      }),
    );
  }

  #refresh(timeoutMs: number, isShared: boolean): Observable<HeartbeatReply> {
    this.#leftAt = undefined;
    return this.#calls.call('armHeartbeat', { body: { timeoutMs } }).pipe(
      map(seenOf),
      tap((seen) => {
        if (seen.kind === 'armed' && seen.active) this.#leftAt = seen.lastSeenAt;
      }),
      map((seen) => (isShared ? { ...replyOf(seen), isShared } : replyOf(seen))),
    );
  }

  #delete(): Observable<HeartbeatReply> {
    this.#leftAt = undefined;
    return this.#calls
      .call('deleteHeartbeat', {})
      .pipe(map((outcome) => (outcome.kind === 'answered' || isNoneArmed(outcome) ? GONE : replyOf(unknown(outcome)))));
  }

  /** Whether the app has live orders in any of its wallets, which are what the heartbeat protects. */
  #hasLiveOrders(): Observable<boolean | (HeartbeatReply & { readonly kind: 'unknown' })> {
    const query = { appIds: [this.#appId], statuses: LIVE_STATUSES, size: 1 };
    return this.#calls
      .call('listOrders', { query, priority: 'heartbeat' })
      .pipe(map((outcome) => (outcome.kind === 'answered' ? outcome.answer.orders.length > 0 : unknown(outcome))));
  }
}

const GONE: HeartbeatReply = { kind: 'heartbeat', active: false, timeoutMs: 0 };

/** Whether another run refreshed it: all our own requests were answered, so a change since then is not ours. */
function isRefreshedSince(seen: SeenHeartbeat, leftAt: string): boolean {
  return seen.kind === 'armed' && seen.active && seen.lastSeenAt !== leftAt;
}

function seenOf(outcome: CallOutcome<LenientAnswerOf<'getHeartbeat' | 'armHeartbeat'>>): SeenHeartbeat {
  if (isNoneArmed(outcome)) return { kind: 'none' };
  if (outcome.kind !== 'answered') return unknown(outcome);
  const [armed] = outcome.answer.heartbeats;
  if (armed === undefined) return { kind: 'unknown', code: 'BAD_ANSWER', details: 'the answer holds no heartbeat' };
  if (armed instanceof Unreadable) return { kind: 'unknown', code: 'BAD_ANSWER', details: faultsText(armed.faults) };
  const { active, timeoutMs, lastSeenAt } = armed;
  return { kind: 'armed', active, timeoutMs, lastSeenAt };
}

/** Whether the exchange itself says that no heartbeat is armed: the page of a proxy says nothing about that. */
function isNoneArmed(outcome: CallOutcome<unknown>): boolean {
  return outcome.kind === 'refused' && outcome.isOwn && outcome.status === NONE_ARMED;
}

function replyOf(seen: SeenHeartbeat): HeartbeatReply {
  if (seen.kind === 'armed') return { kind: 'heartbeat', active: seen.active, timeoutMs: seen.timeoutMs };
  if (seen.kind === 'none') return { kind: 'unknown', code: 'HTTP_404', details: 'none was armed' };
  return seen;
}

function unknown(
  outcome: Exclude<CallOutcome<unknown>, { kind: 'answered' }>,
): HeartbeatReply & { readonly kind: 'unknown' } {
  const { code, details } = failureOf(outcome);
  return { kind: 'unknown', code, details };
}
