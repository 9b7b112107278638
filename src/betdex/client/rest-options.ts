/** The options of a REST client, with the defaults of the optional ones. */

import { assert } from '../../core/checks/assert.ts';
import type { Random } from '../../core/number/random.ts';
import type { BudgetSettings } from '../../exchange-live/connection/budget.ts';
import type { RetrySettings } from '../../exchange-live/connection/retry.ts';
import type { Clock } from '../../time/clock.ts';
import type { ClientEvent } from './client-event.ts';
import type { Credentials } from './session.ts';

/** Time limits of a call, ms. */
export interface CallTimeouts {
  /** Time from first sending to the end of the answer, ms, with all attempts and the pauses between them. */
  readonly requestMs: number;
  /** Time of one attempt, ms, if another one is allowed. A read gets half of its call's time if that is more. */
  readonly attemptMs: number;
  /** Time before the first sending, ms: for a session and a place in the request budget. */
  readonly waitMs: number;
  /** Time to make a connection, ms; never longer than what is left of the request's time. */
  readonly connectMs: number;
}

/** Options of a REST client. */
export interface RestClientOptions {
  /** Such as `https://prod.api.btdx.io`. A path in it is put before the path of every endpoint. */
  readonly baseUrl: string;
  /**
   * Address of an HTTP proxy, `http:` or `https:`, with user and password if it asks for them: all connections are tunnels through it (CONNECT).
   * Undefined: none is used. Variables of the environment are not read.
   */
  readonly proxy?: string;
  /** App and key with which sessions are opened. */
  readonly credentials: Credentials;
  /** The clock of all waiting and of token lifetimes: `wallClock`, but in tests. */
  readonly clock: Clock;
  /** Used only to vary waiting times, so that clients do not retry at the same moment. */
  readonly random: Random;
  /** Time limits of calls. Default: 15 s for a call, 5 s for each part of it. */
  readonly timeouts?: Partial<CallTimeouts>;
  /**
   * How many requests are sent. Default: 25 a second, 50 at once, 1,000 waiting. The exchange publishes no rate limit:
   * this is a careful guess.
   */
  readonly budget?: Partial<BudgetSettings>;
  /** How failed reads, cancels and heartbeats are sent again; what creates something is sent once. Default: 4 attempts, 0.2 to 5 s apart. */
  readonly retry?: Partial<RetrySettings>;
  /** The number of requests that may be under way at the same time. Default 16. */
  readonly connections?: number;
  /** How long an idle connection is kept if the exchange does not say, ms. */
  readonly keepAliveMs?: number;
  /** Called after each event, never while a call is being processed. */
  readonly onEvent?: (event: ClientEvent) => void;
}

export const DEFAULT_TIMEOUTS: CallTimeouts = {
  requestMs: 15_000,
  attemptMs: 5_000,
  waitMs: 5_000,
  connectMs: 5_000,
};

/** The exchange does not publish its rate limit: this is a guess well below what public clients send. */
export const DEFAULT_BUDGET: BudgetSettings = { perSecond: 25, burst: 50, waitingMax: 1_000 };

export const DEFAULT_RETRY: RetrySettings = {
  attemptsMax: 4,
  delayMs: 200,
  delayMaxMs: 5_000,
  pauseMaxMs: 60_000,
};

export const DEFAULT_CONNECTIONS = 16;
/**
 * The default of undici for servers that do not say how long they keep a connection. A longer time risks sending a request on a
 * connection that was just closed.
 */
export const DEFAULT_KEEP_ALIVE_MS = 4_000;
/** Bytes of the largest answer that is accepted: an answer with 2,000 markets and everything beside them is far smaller. */
export const ANSWER_MAX = 64 * 1024 * 1024;

/** The longest time that a timer of Node can wait. */
const DURATION_MAX_MS = 2 ** 31 - 1;

/**
 * Throws an AssertionFailure if a time cannot be kept by a timer: a bug of the program that should show before the first call.
 */
export function assertDurations(durations: Readonly<Record<string, number>>): void {
  for (const [name, value] of Object.entries(durations))
    assert(value >= 0 && value <= DURATION_MAX_MS, `${name} is from 0 to ${DURATION_MAX_MS}, got ${value}`);
}
