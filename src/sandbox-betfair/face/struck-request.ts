/** Carries out a request as injected faults and the queues of heavy calls allow. An answer that never comes is a cut connection. */

import { delay, EMPTY, finalize, ignoreElements, type Observable, of } from 'rxjs';
import type { HttpAnswer } from '../../sandbox/context/http-answer.ts';
import type { OwnAnswer, Strike } from '../../sandbox/context/injected-faults.ts';
import type { QueuedCall } from '../state/call-queue.ts';
import type { FaceState } from '../state/face-state.ts';

/** What a request asks for, before it is carried out. */
export interface AskedRequest {
  readonly path: string;
  /** The exchange machine's number of the account that asks; undefined where nobody is known. */
  readonly app: number | undefined;
  /** One, or those of a batch. */
  readonly calls: readonly QueuedCall[];
  /** Acts. `own` has for each call what is to be answered instead of the truth. */
  readonly carryOut: (own: readonly (OwnAnswer | undefined)[]) => Observable<HttpAnswer>;
}

const TOO_MANY: OwnAnswer = { kind: 'error', code: 'TOO_MANY_REQUESTS', actsAfterMs: undefined };

export function carriedOutUnderFaults(state: FaceState, asked: AskedRequest): Observable<HttpAnswer> {
  const { faults, context } = state;
  const { app, path, calls } = asked;
  const now = context.clock.now();
  const strikes = faults.isQuiet ? [] : calls.map(({ operation }) => faults.strike({ operation, url: path, app }, now));
  const struck = strikes.filter((each) => each !== undefined);
  const status = struck.find((each) => each.status !== undefined)?.status;
  if (status !== undefined) return late(state, struck, of(statusAnswer(status)));
  if (struck.some(({ drop }) => drop === 'before')) return EMPTY;
  const places = calls.map((call) => state.queue.enter(app, call));
  const own = places.map((place, index) => (place === undefined ? TOO_MANY : strikes[index]?.answer));
  const answer$ = asked.carryOut(own);
  const told$ = struck.some(({ drop }) => drop === 'after') ? answer$.pipe(ignoreElements()) : answer$;
  return late(state, struck, told$).pipe(
    finalize(() => {
      for (const leave of places) leave?.();
    }),
  );
}

function statusAnswer({ status, retryAfterS }: NonNullable<Strike['status']>): HttpAnswer {
  return { status, text: '', ...(retryAfterS === undefined ? {} : { retryAfterS }) };
}

/** The calls of a batch wait beside each other. */
function late({ context }: FaceState, struck: readonly Strike[], answer$: Observable<HttpAnswer>) {
  const delayMs = Math.max(0, ...struck.map((each) => each.delayMs));
  return delayMs === 0 ? answer$ : answer$.pipe(delay(delayMs, context.clock));
}
