/** What a REST client is made from, with the defaults of what may be left out. */

import { assert } from '../../core/checks/assert.ts';
import type { Random } from '../../core/number/random.ts';
import type { BudgetSettings } from '../../exchange-live/connection/budget.ts';
import type { RetrySettings } from '../../exchange-live/connection/retry.ts';
import type { Clock } from '../../time/clock.ts';
import type { ClientEvent } from './client-event.ts';
import type { Credentials } from './session.ts';

export interface CallTimeouts {
  /** From first sending to the end of the answer, all attempts and the pauses between them included. */
  readonly requestMs: number;
  /** Of one attempt, where another one is allowed; of a read, half of its call's time if that is more. */
  readonly attemptMs: number;
  /** Before first sending: for a session and a place in the budget. */
  readonly waitMs: number;
  /** For a connection; the rest of the request's time where that is shorter. */
  readonly connectMs: number;
}

export interface RestClientOptions {
  /** Such as `https://prod.api.btdx.io`; a path in it goes before every endpoint's. */
  readonly baseUrl: string;
  readonly credentials: Credentials;
  readonly clock: Clock;
  /** For jitter only. */
  readonly random: Random;
  readonly timeouts?: Partial<CallTimeouts>;
  readonly budget?: Partial<BudgetSettings>;
  readonly retry?: Partial<RetrySettings>;
  /** Requests under way at once. */
  readonly connections?: number;
  /** How long an idle connection is kept where the exchange does not say. */
  readonly keepAliveMs?: number;
  /** Called after the fact, never in the middle of a call. */
  readonly onEvent?: (event: ClientEvent) => void;
}

export const DEFAULT_TIMEOUTS: CallTimeouts = {
  requestMs: 15_000,
  attemptMs: 5_000,
  waitMs: 5_000,
  connectMs: 5_000,
};

/** The exchange's rate limit is not published: a guess well below what public clients send. */
export const DEFAULT_BUDGET: BudgetSettings = { perSecond: 25, burst: 50, waitingMax: 1_000 };

export const DEFAULT_RETRY: RetrySettings = {
  attemptsMax: 4,
  delayMs: 200,
  delayMaxMs: 5_000,
  pauseMaxMs: 60_000,
};

export const DEFAULT_CONNECTIONS = 16;
/** Undici's own, for servers that do not tell: longer risks a request on a connection that was just closed. */
export const DEFAULT_KEEP_ALIVE_MS = 4_000;
/** 2,000 markets with all that hangs on them stay far below. */
export const ANSWER_MAX = 64 * 1024 * 1024;

/** The longest that a timer of the platform can wait. */
const DURATION_MAX_MS = 2 ** 31 - 1;

/** Numbers that no timer or loop can keep are our own bug, told before the first call. */
export function assertDurations(durations: Readonly<Record<string, number>>): void {
  for (const [name, value] of Object.entries(durations))
    assert(value >= 0 && value <= DURATION_MAX_MS, `${name} is from 0 to ${DURATION_MAX_MS}, got ${value}`);
}
