/** The app's heartbeat: a promise to be heard of again, without which the exchange cancels for us. */

import { map, type Observable } from 'rxjs';
import type { HeartbeatReply } from '../../exchange/gateway.ts';
import type { AnswerOf, CallOutcome } from '../call.ts';
import type { Caller } from '../pages.ts';
import { failureOf } from './whole-lists.ts';

const NONE_ARMED = 404;

/** Arms or refreshes. After a lapse the exchange answers that it is not active (profile section 4). */
export function heartbeat(calls: Caller, timeoutMs: number): Observable<HeartbeatReply> {
  return calls.call('armHeartbeat', { body: { timeoutMs } }).pipe(map(replyOf));
}

/** Takes the heartbeat away, and with it the block that a lapse left. Where none is armed there is nothing to do. */
export function clearHeartbeat(calls: Caller): Observable<HeartbeatReply> {
  return calls.call('deleteHeartbeat', {}).pipe(
    map((outcome) => {
      const isGone = outcome.kind === 'answered' || (outcome.kind === 'refused' && outcome.status === NONE_ARMED);
      return isGone ? { kind: 'heartbeat', active: false, timeoutMs: 0 } : unknown(outcome);
    }),
  );
}

function replyOf(outcome: CallOutcome<AnswerOf<'armHeartbeat'>>): HeartbeatReply {
  if (outcome.kind !== 'answered') return unknown(outcome);
  const [armed] = outcome.answer.heartbeats;
  if (armed === undefined) return { kind: 'unknown', code: 'BAD_ANSWER', details: 'the answer holds no heartbeat' };
  return { kind: 'heartbeat', active: armed.active, timeoutMs: armed.timeoutMs };
}

function unknown(outcome: Exclude<CallOutcome<unknown>, { kind: 'answered' }>): HeartbeatReply {
  const { code, details } = failureOf(outcome);
  return { kind: 'unknown', code, details };
}
