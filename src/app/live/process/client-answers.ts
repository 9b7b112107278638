/** Waits for answers of the REST client: until the signal, or as the token with which the stream authenticates. */

import { firstValueFrom, fromEvent, map, type Observable, of, takeUntil } from 'rxjs';
import type { RestClient } from '../../../betdex/client/rest-client.ts';

/** The first value, or undefined if the signal comes first. */
export async function untilAborted<T>(answer$: Observable<T>, signal: AbortSignal): Promise<T | undefined> {
  const aborted$ = signal.aborted ? of(undefined) : fromEvent(signal, 'abort');
  return await firstValueFrom(answer$.pipe(takeUntil(aborted$)), { defaultValue: undefined });
}

export function tokenOf(client: RestClient): Observable<string> {
  return client.accessToken().pipe(
    map((outcome) => {
      if (outcome.kind === 'granted') return outcome.token.reveal();
      // The stream treats it as a token that could not be had, and tries again.
      throw new Error(outcome.details);
    }),
  );
}
