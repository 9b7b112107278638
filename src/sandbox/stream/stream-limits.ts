/** How much an app may ask of the stream, and how long a connection may live (profile section 5). */

export interface StreamLimits {
  /** Authenticated connections of one app. */
  readonly connectionsPerApp: number;
  /** Of all apps, authenticated or not: beyond it the handshake is refused. */
  readonly connectionsMax: number;
  /** Of one app, active at once over all its connections; an id on two of them counts twice. */
  readonly subscriptionsMax: number;
  /** Ids that one app subscribes to within any minute, over all its connections: each id counts, known or new. */
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
 * - An app's eleventh connection is told why and closed with 1008, and so is one that authenticates again, for another app,
 *   and brings more subscriptions than that may have. A request beyond a limit is answered by one problem and none of its
 *   ids is subscribed to.
 * - Unsubscribing is no subscribe request, so it does not count within the minute.
 * - Of a frame that is an array each message is answered as if it had come alone; one of none, or of more than 500, is
 *   answered by one problem.
 * - Orders are the app's own (wire-shapes, D): an id that names another app, or an order of one, gets a problem and no
 *   confirmation, while the other ids of its request are confirmed. LiquidityProvider apps' orders are no exception.
 * - In a snapshot `change` is the level's whole liquidity; an increment without any change is not sent.
 * - Price subscribers get a snapshot again when a market opens or is published: it may hold stake from before.
 * - The change that withdraws a market from publication is the last that others than its owner hear of it.
 * - Under `*` foreign orders come without walletId and reference, those of house apps not at all, and a wallet's key
 *   sees its own wallet's orders alone.
 * - `totalExposure` is what the order can still lose: For its stake, Against its liability, voided stake left out.
 */
