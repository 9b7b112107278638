/** Waits for an answer no longer than until the signal. */

import { firstValueFrom, fromEvent, type Observable, of, takeUntil } from 'rxjs';

/** The first value, or undefined if the signal comes first. */
export async function untilAborted<T>(answer$: Observable<T>, signal: AbortSignal): Promise<T | undefined> {
  const aborted$ = signal.aborted ? of(undefined) : fromEvent(signal, 'abort');
  return await firstValueFrom(answer$.pipe(takeUntil(aborted$)), { defaultValue: undefined });
}
