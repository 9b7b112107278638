/** What the stream client is made with, and its limits. */

import type { Observable } from 'rxjs';
import { assert } from '../../../core/checks/assert.ts';
import type { Random } from '../../../core/number/random.ts';
import type { Clock } from '../../../time/clock.ts';
import type { OpenCarrier } from './line-carrier.ts';

/** With what a connection authenticates. */
export interface StreamSession {
  readonly appKey: string;
  readonly token: string;
}

export interface StreamClientOptions {
  readonly openCarrier: OpenCarrier;
  readonly clock: Clock;
  /** Used only to vary the times of reconnects. */
  readonly random: Random;
  /** Emits one session. `refused` is true where the exchange did not take the last one, so that another is needed. */
  readonly session: (refused: boolean) => Observable<StreamSession>;
  /** Our clock is ahead of the exchange's by so much, ms, as far as its other answers say. */
  readonly skewMs?: () => number | undefined;
  readonly limits?: Partial<StreamLimits>;
}

/** All times are in ms. */
export interface StreamLimits {
  /** Time to get a session, and again to connect. */
  readonly connectTimeoutMs: number;
  /** Time for the first word about a subscription. */
  readonly answerTimeoutMs: number;
  /** What is asked for; the exchange says what it makes of it. */
  readonly heartbeatMs: number;
  /** The first reconnect comes after between half of this and all of it; each further one waits up to twice as long. */
  readonly retryFirstMs: number;
  readonly retryMaxMs: number;
  /** The same where the exchange says that there are too many requests or connections. */
  readonly busyFirstMs: number;
  readonly busyMaxMs: number;
  /** After a connection was up for this long, the waiting times start again with the shortest. */
  readonly stableMs: number;
  /** Least time between two reports of one kind of trouble, and between two proofs of one feed. */
  readonly troubleSpanMs: number;
  readonly provenSpanMs: number;
  /** Bytes of a line, and of the segments of one change together. */
  readonly lineBytesMax: number;
  readonly changeBytesMax: number;
}

/** Heartbeats come every half a second to five seconds (profile section 7). */
export const STREAM_LIMITS: StreamLimits = {
  connectTimeoutMs: 10_000,
  answerTimeoutMs: 15_000,
  heartbeatMs: 2_000,
  retryFirstMs: 500,
  retryMaxMs: 30_000,
  busyFirstMs: 20_000,
  busyMaxMs: 120_000,
  stableMs: 30_000,
  troubleSpanMs: 60_000,
  provenSpanMs: 100,
  lineBytesMax: 64 * 2 ** 20,
  changeBytesMax: 256 * 2 ** 20,
};

/** Node's timers, on which the wall clock runs, fire at once beyond this. */
const LIMIT_MAX = 2 ** 31 - 1;

export interface StreamSettings extends Omit<StreamClientOptions, 'limits'> {
  readonly limits: StreamLimits;
}

export function streamSettings({ limits, ...options }: StreamClientOptions): StreamSettings {
  const all = { ...STREAM_LIMITS, ...limits };
  for (const [name, value] of Object.entries(all))
    assert(Number.isInteger(value) && value > 0 && value <= LIMIT_MAX, `${name} is no limit: ${value}`);
  return { ...options, limits: all };
}
