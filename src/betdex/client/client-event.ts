/** Events that the REST client reports while it works. No event ever holds a key or a token. */

import type { Instant } from '../../core/number/units.ts';
import type { Priority } from '../../exchange-live/connection/priority.ts';
import type { Operation } from '../wire/endpoints.ts';

/** An event by its `kind`. Times are in ms. */
export type ClientEvent =
  /**
   * A session was opened with the key, and its token is valid until `expiresAt` (ms UTC). `skewMs`: our clock is ahead of the exchange's by at least this many ms; negative if it
   * is behind.
   */
  | { readonly kind: 'sessionOpened'; readonly expiresAt: Instant; readonly skewMs: number | undefined }
  /** The session was renewed before its end: `expiresAt` and `skewMs` are new. */
  | { readonly kind: 'sessionRefreshed'; readonly expiresAt: Instant; readonly skewMs: number | undefined }
  /** The exchange refused a token that should still have been valid. */
  | { readonly kind: 'sessionRejected' }
  /**
   * No new token was obtained, for the reason in `details`; the next try comes after `retryInMs` at the earliest. `status`: HTTP status of the exchange's
   * refusal.
   */
  | {
      readonly kind: 'sessionFailed';
      readonly details: string;
      readonly retryInMs: number;
      readonly status?: number;
    }
  /** A request of this `operation` failed in passing, as `details` says, and is sent again after `delayMs`. */
  | {
      readonly kind: 'retried';
      readonly operation: Operation;
      /** The number of attempts made so far. */
      readonly attempts: number;
      readonly delayMs: number;
      readonly details: string;
    }
  /** The exchange asked for fewer requests (429): nothing is sent for `pauseMs`. */
  | { readonly kind: 'throttled'; readonly pauseMs: number }
  /** A call was refused by the client itself, because too many calls of its `priority` already wait. */
  | { readonly kind: 'overloaded'; readonly priority: Priority };
