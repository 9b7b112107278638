/** A call that is reported with what it is for, its outcome and how long it took. */

import { defer, type Observable, tap } from 'rxjs';
import type { Clock } from '../../time/clock.ts';
import type { CallOutcome } from '../connection/call-outcome.ts';
import type { RequestKind, TimedCall } from './edge-event.ts';

export interface TimedCallParts {
  readonly request: RequestKind | undefined;
  readonly clock: Clock;
  readonly onCall: (call: TimedCall) => void;
}

/** Reported when its outcome is there; one that its caller gives up is not. */
export function timedCall<A>(
  call$: Observable<CallOutcome<A>>,
  { request = 'other', clock, onCall }: TimedCallParts,
): Observable<CallOutcome<A>> {
  return defer(() => {
    const startedAt = clock.now();
    return call$.pipe(
      tap((outcome) => {
        const { kind } = outcome;
        onCall({
          kind: 'call',
          request,
          outcome: kind === 'failed' ? outcome.code : kind,
          ms: clock.now() - startedAt,
        });
      }),
    );
  });
}
