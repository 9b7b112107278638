/** When a failed request is sent again, and how long to wait before. */

import type { Random } from '../../core/number/random.ts';

/** Limits and times of further attempts. */
export interface RetrySettings {
  /** Most attempts of one call, the first included. */
  readonly attemptsMax: number;
  /** The first wait is drawn from between half of this and all of it; each further one from twice as much, ms. */
  readonly delayMs: number;
  /** The longest wait between two attempts, ms. */
  readonly delayMaxMs: number;
  /** A longer Retry-After is cut to this, ms. */
  readonly pauseMaxMs: number;
}

/**
 * Whether another attempt may succeed after this status: the request was too early, or a proxy in front of the exchange had a
 * fault.
 */
export function isPassing(status: number): boolean {
  return status === 408 || status === 429 || status === 502 || status === 503 || status === 504;
}

/**
 * The wait before the next attempt, ms: exponential with a random part, so that clients which failed together do not come back
 * together. `attempts`: those made so far.
 */
export function backoffMs(attempts: number, settings: RetrySettings, random: Random): number {
  const whole = Math.min(settings.delayMaxMs, settings.delayMs * 2 ** Math.min(30, attempts - 1));
  return Math.ceil(whole / 2 + (whole / 2) * random.uniform());
}

const SECOND_MS = 1_000;

/** Reads a `Retry-After`, which is seconds or an HTTP date, as ms from `now`; undefined if it is neither. Never negative. */
export function retryAfterMs(header: string | undefined, now: number): number | undefined {
  if (header === undefined) return undefined;
  const text = header.trim();
  if (/^\d+(\.\d+)?$/.test(text)) return Math.ceil(Number(text) * SECOND_MS);
  // `Date.parse` also accepts loose spellings such as "-5"; an HTTP date names its weekday and GMT.
  const at = /^[A-Za-z]{3,9},? .*\d.*$/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(at) ? undefined : Math.max(0, at - now);
}
