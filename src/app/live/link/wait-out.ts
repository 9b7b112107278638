/** Waits for an exchange that cannot be reached at a start: it will be back, and nobody must act for that. */

import { firstValueFrom, fromEvent, type Observable, of, takeUntil, timer } from 'rxjs';
import type { Clock } from '../../../time/clock.ts';
import { CliError } from '../../cli/cli-error.ts';

interface Waiting {
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Called before each pause with what keeps the exchange away. */
  readonly onAway: (cause: string, pauseMs: number) => void;
}

const FIRST_PAUSE_MS = 1_000;
const PAUSE_MS_MAX = 60_000;

/** What `attempt` says, or false if the signal came first. @throws what `attempt` throws, but for EXCHANGE_UNREACHABLE */
export async function waitedOut(attempt: () => Promise<boolean>, { clock, signal, onAway }: Waiting): Promise<boolean> {
  for (let pauseMs = FIRST_PAUSE_MS; !signal.aborted; pauseMs = Math.min(2 * pauseMs, PAUSE_MS_MAX)) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof CliError) || error.parts.code !== 'EXCHANGE_UNREACHABLE') throw error;
      onAway(error.parts.why ?? error.parts.what, pauseMs);
    }
    await untilAborted(timer(pauseMs, clock), signal);
  }
  return false;
}

/** Waits for an answer no longer than until the signal. The first value, or undefined if the signal comes first. */
export async function untilAborted<T>(answer$: Observable<T>, signal: AbortSignal): Promise<T | undefined> {
  const aborted$ = signal.aborted ? of(undefined) : fromEvent(signal, 'abort');
  return await firstValueFrom(answer$.pipe(takeUntil(aborted$)), { defaultValue: undefined });
}
