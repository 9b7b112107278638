/** Limits and times of the stream client: the profile's where it has them. */

import type { Observable } from 'rxjs';
import { assert } from '../../core/checks/assert.ts';
import type { Random } from '../../core/number/random.ts';
import type { Clock } from '../../time/clock.ts';

export interface StreamClientOptions {
  /** `ws:` or `wss:`, without credentials. */
  readonly url: string;
  readonly clock: Clock;
  /** For the jitter of reconnects and rotations alone. */
  readonly random: Random;
  /** One live access token. `refused` is true where the last one was met with silence: take a fresh one. */
  readonly token: (refused: boolean) => Observable<string>;
  readonly limits?: Partial<StreamLimits>;
}

/** All in ms unless the name says otherwise. */
export interface StreamLimits {
  /** For the token, and again for the WebSocket handshake. */
  readonly connectTimeoutMs: number;
  /** A bad token gets no reply. */
  readonly authenticationTimeoutMs: number;
  readonly confirmTimeoutMs: number;
  /** Before subscriptions that were not confirmed are asked for again. */
  readonly confirmRetryMs: number;
  /** Without any frame, before a ping goes out. */
  readonly pingAfterMs: number;
  readonly pongTimeoutMs: number;
  /** Age at which a connection is replaced; up to a tenth less, by chance, so that not all fall due at once. */
  readonly rotateAfterMs: number;
  /** Before a failed rotation is tried again. */
  readonly rotateRetryMs: number;
  /** The first reconnect comes after half of this to all of it, each further one after up to twice as long. */
  readonly retryFirstMs: number;
  readonly retryMaxMs: number;
  /** A connection that was up for so long starts the backoff afresh. */
  readonly stableMs: number;
  /** For the peer to answer a close before the socket is destroyed. */
  readonly closeTimeoutMs: number;
  /** At least between two resyncs for lost frames. */
  readonly resyncSpanMs: number;
  /** One is kept free for rotations, so a client that may have only one is never rotated. */
  readonly connectionsMax: number;
  /** On one connection. All connections together, that of a rotation too, are to stay within what an app may have. */
  readonly subscriptionsMax: number;
  /** Ids subscribed to within `requestSpanMs`, over all connections. */
  readonly requestsMax: number;
  readonly requestSpanMs: number;
  readonly frameBytesMax: number;
  /** Sent but not yet taken by the network. */
  readonly backlogBytesMax: number;
  /** Updates kept back while a fresh connection waits to take over. */
  readonly heldMax: number;
}

/**
 * Profile section 5: 10 connections, 500 subscriptions, 500 requests a minute, idle close at 10 min, probably 2 h of
 * life; a ping after 60 s of silence. Subscriptions and requests are an app's, over all its connections, and each id is a
 * request. Ten connections of 50 are those 500: 450 that serve, and 50 on the connection that takes over from another in a
 * rotation, when both are subscribed. The minute has a second more, since the exchange counts arrivals.
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

/** Beyond it Node's timers, on which the wall clock runs, fire at once. */
const LIMIT_MAX = 2 ** 31 - 1;

export interface StreamSettings extends Omit<StreamClientOptions, 'limits'> {
  readonly limits: StreamLimits;
}

export function streamSettings({ limits, ...options }: StreamClientOptions): StreamSettings {
  const { protocol, username, password, hash } = new URL(options.url);
  assert(protocol === 'ws:' || protocol === 'wss:', 'the address of a stream begins with ws: or wss:');
  assert(username === '' && password === '' && hash === '', 'the address of a stream has no credentials or fragment');
  const all = { ...STREAM_LIMITS, ...limits };
  for (const [name, value] of Object.entries(all))
    assert(Number.isInteger(value) && value > 0 && value <= LIMIT_MAX, `${name} is no limit: ${value}`);
  return { ...options, limits: all };
}
