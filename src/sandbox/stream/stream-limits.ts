/** Limits of the stream: requests per app, and lifetime and sizes of connections (profile section 5). */

export interface StreamLimits {
  /** The most authenticated connections of one app. */
  readonly connectionsPerApp: number;
  /** The most connections of all apps, authenticated or not: beyond it the handshake is refused. */
  readonly connectionsMax: number;
  /** The most subscriptions of one app at once over all its connections; an id on two connections counts twice. */
  readonly subscriptionsMax: number;
  /**
   * The most ids that one app may subscribe to within any minute, over all its connections; ids subscribed before count
   * too.
   */
  readonly requestsPerMinute: number;
  /** Time without a frame in either direction, pings included, after which a connection is closed. */
  readonly idleMs: number;
  readonly ageMs: number;
  /** The most bytes of one frame from a client; more closes the connection with 1009. */
  readonly frameBytesMax: number;
  readonly subscriptionIdMax: number;
  /** Bytes sent but not yet taken by the network: a connection that falls further behind is cut. */
  readonly backlogBytesMax: number;
  /** Snapshots wait while more bytes than this are on their way. */
  readonly snapshotBacklogBytes: number;
  /** Time for the client to answer a close before its socket is destroyed. */
  readonly closeTimeoutMs: number;
}

/** The first six values are from the profile, the others are the sandbox's own. */
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
 * What the profile leaves open [O] is decided thus:
 *
 * - A token is checked when it authenticates; the connection stays when the token expires, until it is idle or too
 *   old. It is closed when the key is deactivated.
 * - A connection may authenticate again, and then acts for the new caller only.
 * - An app's eleventh connection gets a problem and is closed with 1008. So is a connection that authenticates again,
 *   for another app, with more subscriptions than that app may have. A request beyond a limit is answered by one
 *   problem, and none of its ids is subscribed to.
 * - Unsubscribing does not count within the minute.
 * - A frame that is an array is answered message by message; an empty one, or one of more than 500, by one problem.
 * - Orders belong to apps (wire-shapes, D): an id that names another app, or an order of one, gets a problem and no
 *   confirmation, while the other ids of its request are confirmed. This includes orders of the exchange's own apps.
 * - In a snapshot `change` is the whole liquidity of the level; an increment without any change is not sent.
 * - Subscribers to prices get a new snapshot when a market opens or is published, since it may hold older stake.
 * - The change that unpublishes a market is the last one that apps other than its owner receive.
 * - Under `*` foreign orders come without walletId and reference, those of the exchange's own apps not at all, and a
 *   wallet's key sees only its wallet's orders.
 * - `totalExposure` is what the order can still lose: the stake for For, the liability for Against, without cancelled
 *   stake.
 */
