/** What the REST client tells of itself while it works; no event ever holds a key or a token. */

import type { Instant } from '../../core/number/units.ts';
import type { Priority } from '../../exchange-live/connection/priority.ts';
import type { Operation } from '../wire/endpoints.ts';

export type ClientEvent =
  /** A log-in with the key. `skewMs`: by how much our clock is ahead of the exchange's at least; negative: behind. */
  | { readonly kind: 'sessionOpened'; readonly expiresAt: Instant; readonly skewMs: number | undefined }
  | { readonly kind: 'sessionRefreshed'; readonly expiresAt: Instant; readonly skewMs: number | undefined }
  /** The exchange no longer takes a token that was thought to be alive. */
  | { readonly kind: 'sessionRejected' }
  /** No new token; the next try is not made before `retryInMs` have passed. `status`: of the exchange's refusal. */
  | {
      readonly kind: 'sessionFailed';
      readonly details: string;
      readonly retryInMs: number;
      readonly status?: number;
    }
  | {
      readonly kind: 'retried';
      readonly operation: Operation;
      /** How many attempts were made so far. */
      readonly attempts: number;
      readonly delayMs: number;
      readonly details: string;
    }
  /** The exchange asked for fewer requests: nothing is sent for so long. */
  | { readonly kind: 'throttled'; readonly pauseMs: number }
  /** Too many calls of this priority wait already, so one was turned away. */
  | { readonly kind: 'overloaded'; readonly priority: Priority };
