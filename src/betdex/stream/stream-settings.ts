/** Limits and times of the stream client, taken from the profile where it has them. */

import type { Observable } from 'rxjs';
import { assert } from '../../core/checks/assert.ts';
import type { Random } from '../../core/number/random.ts';
import type { Clock } from '../../time/clock.ts';

/** Options of a stream client; limits that are left out have the defaults of STREAM_LIMITS. */
export interface StreamClientOptions {
  /** Begins with `ws:` or `wss:`, without credentials. */
  readonly url: string;
  /** Address of an HTTP proxy, as `proxy` of `RestClientOptions`. */
  readonly proxy?: string;
  /** The clock of pings, rotations and reconnects: `wallClock`, but in tests. */
  readonly clock: Clock;
  /** Used only to vary the times of reconnects and rotations. */
  readonly random: Random;
  /**
   * Emits one valid access token. `refused` is true if the exchange did not react to the last token, so that a fresh one is
   * needed.
   */
  readonly token: (refused: boolean) => Observable<string>;
  /** Limits that differ from `STREAM_LIMITS`. */
  readonly limits?: Partial<StreamLimits>;
}

/** The limits of the stream client. All times are in ms. */
export interface StreamLimits {
  /** Time to get the token, and again for the WebSocket handshake. */
  readonly connectTimeoutMs: number;
  /** Time for the authentication; the exchange does not reply to a bad token. */
  readonly authenticationTimeoutMs: number;
  /** Time for the exchange to confirm a subscription, before it is reported as NOT_CONFIRMED. */
  readonly confirmTimeoutMs: number;
  /** Time before subscriptions that were not confirmed are requested again. */
  readonly confirmRetryMs: number;
  /** Time without any frame before a ping is sent. */
  readonly pingAfterMs: number;
  /** Time for anything to come back after a ping, before the connection counts as dead. */
  readonly pongTimeoutMs: number;
  /**
   * Age at which a connection is replaced. By chance it may be up to a tenth less, so that not all connections are due at once.
   */
  readonly rotateAfterMs: number;
  /** Time before a failed rotation is tried again. */
  readonly rotateRetryMs: number;
  /**
   * The first reconnect comes after between half of this and all of it; each further one waits up to twice as long as the one
   * before.
   */
  readonly retryFirstMs: number;
  /** The longest wait before a reconnect. */
  readonly retryMaxMs: number;
  /** After a connection was up for this long, the waiting times of reconnects start again with the shortest. */
  readonly stableMs: number;
  /** Time for the peer to answer a close before the socket is destroyed. */
  readonly closeTimeoutMs: number;
  /** Least time between two resyncs because of lost frames. */
  readonly resyncSpanMs: number;
  /** Number of sockets. One is kept free for rotations, so a client that may have only one is never rotated. */
  readonly connectionsMax: number;
  /** Subscriptions on one socket. All sockets together, also that of a rotation, must stay within the app's limit. */
  readonly subscriptionsMax: number;
  /** Ids that may be subscribed to within `requestSpanMs`, over all sockets. */
  readonly requestsMax: number;
  /** The span in which `requestsMax` counts. */
  readonly requestSpanMs: number;
  /** A larger frame ends the connection with OVERSIZED_FRAME. */
  readonly frameBytesMax: number;
  /** Bytes that were sent but not yet taken by the network. */
  readonly backlogBytesMax: number;
  /** Updates that are kept back while a new socket waits to take over. */
  readonly heldMax: number;
}

/**
 * The limits of profile section 5: 10 connections, 500 subscriptions, 500 requests a minute, close after 10 min without
 * traffic, probably 2 h of life; a ping after 60 s of silence. Subscriptions and requests count for the app, over all its
 * connections, and each id is a request. Ten connections of 50 use up those 500 subscriptions: 450 that serve, and 50 on the
 * connection that replaces another in a rotation, while both are subscribed. `requestSpanMs` is a second more than a minute,
 * since the exchange counts arrivals.
 */
export const STREAM_LIMITS: StreamLimits = {
  connectTimeoutMs: 10_000,
  authenticationTimeoutMs: 10_000,
  confirmTimeoutMs: 10_000,
  confirmRetryMs: 60_000,
  pingAfterMs: 60_000,
  pongTimeoutMs: 10_000,
  rotateAfterMs: 110 * 60_000,
  rotateRetryMs: 60_000,
  retryFirstMs: 500,
  retryMaxMs: 30_000,
  stableMs: 30_000,
  closeTimeoutMs: 1_000,
  resyncSpanMs: 1_000,
  connectionsMax: 10,
  subscriptionsMax: 50,
  requestsMax: 500,
  requestSpanMs: 61_000,
  frameBytesMax: 16 * 2 ** 20,
  backlogBytesMax: 2 ** 20,
  heldMax: 20_000,
};

/** Node's timers, on which the wall clock runs, fire at once beyond this. */
const LIMIT_MAX = 2 ** 31 - 1;

export interface StreamSettings extends Omit<StreamClientOptions, 'limits'> {
  readonly limits: StreamLimits;
}

/**
 * Checks the options and adds the defaults. Throws a TypeError if `url` is not a URL, and an AssertionFailure for other
 * errors.
 */
export function streamSettings({ limits, ...options }: StreamClientOptions): StreamSettings {
  const { protocol, username, password, hash } = new URL(options.url);
  assert(protocol === 'ws:' || protocol === 'wss:', 'the address of a stream begins with ws: or wss:');
  assert(username === '' && password === '' && hash === '', 'the address of a stream has no credentials or fragment');
  const all = { ...STREAM_LIMITS, ...limits };
  for (const [name, value] of Object.entries(all))
    assert(Number.isInteger(value) && value > 0 && value <= LIMIT_MAX, `${name} is no limit: ${value}`);
  return { ...options, limits: all };
}
