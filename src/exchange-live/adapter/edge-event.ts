/** What happens on the way to a remote exchange: every adapter reports it in these words. No event holds a key or a token. */

import type { Instant } from '../../core/number/units.ts';
import type { CallFaultCode } from '../connection/call-outcome.ts';
import type { Priority } from '../connection/priority.ts';

/** An event by its `kind`. Those of the stream number its connections (`connection`), and the others do not. Times are in ms. */
export type EdgeEvent = RequestEvent | StreamNews | TimedCall;

/** What becomes of sessions and requests. */
export type RequestEvent =
  /** A session was opened, or renewed before its end. `skewMs`: our clock is ahead of the exchange's by at least so much; negative if it is behind. */
  | {
      readonly kind: 'sessionOpened' | 'sessionRefreshed';
      readonly expiresAt: Instant;
      readonly skewMs: number | undefined;
    }
  /** The exchange no longer takes a session that should still be valid. */
  | { readonly kind: 'sessionRejected' }
  /** There is no session, for the reason in `details`. `isRefused`: the exchange itself does not take our key; otherwise it may be back at any time. `isFinal`: it stays so until a person acts, and `details` say what he can do. */
  | {
      readonly kind: 'sessionFailed';
      readonly details: string;
      readonly retryInMs: number;
      readonly isRefused: boolean;
      readonly isFinal?: boolean;
    }
  /** A request of this `operation` failed in passing, and is sent again after `delayMs`. */
  | { readonly kind: 'retried'; readonly operation: string; readonly delayMs: number; readonly details: string }
  /** The exchange asked for fewer requests: nothing is sent for `pauseMs`. */
  | { readonly kind: 'throttled'; readonly pauseMs: number }
  /** A call was turned away by ourselves, because too many of its `priority` wait. */
  | { readonly kind: 'overloaded'; readonly priority: Priority };

/** What becomes of the stream's connections. */
export type StreamNews =
  | { readonly kind: 'up'; readonly connection: number }
  /** The connection ended, or could not be made. */
  | { readonly kind: 'down'; readonly connection: number; readonly code: string; readonly details: string }
  /** Something went wrong, and the connection stays. */
  | { readonly kind: 'trouble'; readonly connection: number; readonly code: string; readonly details: string }
  /** The state is read again: a connection is up for the first time, was down, has a successor, or `lost` a message. */
  | {
      readonly kind: 'resync';
      readonly connection: number;
      readonly reason: 'connected' | 'reconnected' | 'rotated' | 'lost';
    };

/** A call of a gateway, when its outcome was there; one that its caller gave up is not reported. */
export interface TimedCall {
  readonly kind: 'call';
  readonly request: RequestKind;
  readonly outcome: 'answered' | 'refused' | CallFaultCode;
  readonly ms: number;
}

/** What a call is for, whatever its exchange calls it. */
export type RequestKind =
  | 'place'
  | 'cancel'
  | 'heartbeat'
  | 'clearHeartbeat'
  | 'prices'
  | 'markets'
  | 'orders'
  | 'trades'
  | 'positions'
  | 'wallets'
  | 'transactions'
  | 'other';
