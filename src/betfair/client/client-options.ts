/** The options of a client of Betfair, with the defaults of the optional ones. */

import type { Random } from '../../core/number/random.ts';
import type { EdgeEvent } from '../../exchange-live/adapter/edge-event.ts';
import type { BudgetSettings } from '../../exchange-live/connection/budget.ts';
import type { CallParts } from '../../exchange-live/connection/call-run.ts';
import type { RetrySettings } from '../../exchange-live/connection/retry.ts';
import type { Clock } from '../../time/clock.ts';

/** A certificate by which we log in, and its key; PEM. */
export interface Certificate {
  readonly certificate: string;
  readonly key: string;
}

export interface Credentials {
  readonly appKey: string;
  readonly username: string;
  readonly password: string;
  /** Absent: the interactive login, which asks for no certificate. */
  readonly certificate?: Certificate | undefined;
}

export interface BetfairClientOptions {
  readonly credentials: Credentials;
  /** Absent: Betfair's own hosts. */
  readonly url?: string | undefined;
  readonly authority?: string | undefined;
  readonly proxy?: string | undefined;
  readonly clock: Clock;
  readonly random: Random;
  readonly budget?: Partial<BudgetSettings>;
  readonly retry?: Partial<RetrySettings>;
  readonly timeouts?: Partial<typeof TIMEOUTS>;
  readonly onEvent?: (event: EdgeEvent) => void;
}

export const TIMEOUTS: CallParts<string>['timeouts'] = { requestMs: 15_000, attemptMs: 5_000, waitMs: 5_000 };
export const BUDGET: BudgetSettings = { perSecond: 20, burst: 20, waitingMax: 1_000 };
export const RETRY: RetrySettings = { attemptsMax: 4, delayMs: 200, delayMaxMs: 5_000, pauseMaxMs: 60_000 };
export const CONNECTIONS = 8;
