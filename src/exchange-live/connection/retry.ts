/** When a request that came to nothing is sent again, and how long to wait before. */

import type { Random } from '../../core/number/random.ts';

export interface RetrySettings {
  /** Attempts of one call at most, the first included. */
  readonly attemptsMax: number;
  /** The first wait is drawn from half of this to all of it; each further one from twice as much. */
  readonly delayMs: number;
  readonly delayMaxMs: number;
  /** A Retry-After that asks for more is obeyed up to here. */
  readonly pauseMaxMs: number;
}

/** Statuses that another attempt may mend: the request was too early, or somebody before the exchange was unwell. */
export function isPassing(status: number): boolean {
  return status === 408 || status === 429 || status === 502 || status === 503 || status === 504;
}

/** Exponential with jitter, so that clients which failed together do not come back together. `attempts` made so far. */
export function backoffMs(attempts: number, settings: RetrySettings, random: Random): number {
  const whole = Math.min(settings.delayMaxMs, settings.delayMs * 2 ** Math.min(30, attempts - 1));
  return Math.ceil(whole / 2 + (whole / 2) * random.uniform());
}

const SECOND_MS = 1_000;

/** `Retry-After` is seconds or a date of HTTP; undefined where it is neither. Never negative. */
export function retryAfterMs(header: string | undefined, now: number): number | undefined {
  if (header === undefined) return undefined;
  const text = header.trim();
  if (/^\d+(\.\d+)?$/.test(text)) return Math.ceil(Number(text) * SECOND_MS);
  // `Date.parse` also takes loose spellings such as "-5"; a date of HTTP names its day and GMT.
  const at = /^[A-Za-z]{3,9},? .*\d.*$/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(at) ? undefined : Math.max(0, at - now);
}
