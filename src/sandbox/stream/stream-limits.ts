/** How much a connection of the stream may ask for, and how long it may live (profile section 5). */

export interface StreamLimits {
  /** Authenticated connections of one app. */
  readonly connectionsPerApp: number;
  /** Of all apps, authenticated or not: beyond it the handshake is refused. */
  readonly connectionsMax: number;
  /** Active at once on one connection. */
  readonly subscriptionsMax: number;
  /** Subscribe and unsubscribe requests of one connection within any minute; a request counts once, whatever its ids. */
  readonly requestsPerMinute: number;
  /** Without a frame in either direction, pings included. */
  readonly idleMs: number;
  readonly ageMs: number;
  /** Of one frame from a client; more closes the connection with 1009. */
  readonly frameBytesMax: number;
  readonly subscriptionIdMax: number;
  /** Sent but not yet taken by the network: a connection that falls so far behind is cut. */
  readonly backlogBytesMax: number;
  /** Snapshots wait while more than this is on its way. */
  readonly snapshotBacklogBytes: number;
  /** For the peer to answer a close before its socket is destroyed. */
  readonly closeTimeoutMs: number;
}

/** The first six are the profile's, the others ours. */
export const STREAM_LIMITS: StreamLimits = {
  connectionsPerApp: 10,
  subscriptionsMax: 500,
  requestsPerMinute: 500,
  idleMs: 10 * 60_000,
  ageMs: 2 * 3_600_000,
  connectionsMax: 1_000,
  frameBytesMax: 256 * 1024,
  subscriptionIdMax: 200,
  backlogBytesMax: 16 * 2 ** 20,
  snapshotBacklogBytes: 2 ** 20,
  closeTimeoutMs: 1_000,
};

/**
 * Where the profile is silent [O]:
 *
 * - A token is looked at when it authenticates: the connection outlives its expiry, until it is idle or too old. The
 *   deactivation of its key closes it.
 * - A connection may authenticate again, and then speaks for the new caller alone.
 * - An app's eleventh connection is told why and closed with 1008; a request beyond a limit is answered by a problem.
 * - In a snapshot `change` is the level's whole liquidity; an increment without any change is not sent.
 * - Price subscribers get a snapshot again when a market opens or is published: it may hold stake from before.
 * - The change that withdraws a market from publication is the last that others than its owner hear of it.
 * - Under `*` foreign orders come without walletId and reference, those of house apps not at all, and a wallet's key
 *   sees its own wallet's orders alone.
 * - `totalExposure` is what the order can still lose: For its stake, Against its liability, voided stake left out.
 */
