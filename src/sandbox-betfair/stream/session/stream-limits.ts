/** Limits of the stream: of connections, subscriptions, time and bytes (profile sections 3 and 7). */

export interface StreamLimits {
  /** The most authenticated connections of one account. */
  readonly connectionsPerAccount: number;
  /** The most authentications of one account within a second. */
  readonly authenticationsPerSecond: number;
  /** The most connections of all accounts, authenticated or not: further ones are cut at once. */
  readonly connectionsMax: number;
  /** The most markets of one subscription. */
  readonly marketsMax: number;
  /** The most requests of one connection within a second. */
  readonly requestsPerSecond: number;
  /** A connection without a subscription must send something within this time, from its start and from its last request. */
  readonly idleMs: number;
  /** The most bytes of a client's line; more closes the connection. */
  readonly lineBytesMax: number;
  /** A message of more bytes is sent in segments where the client takes them. */
  readonly segmentBytes: number;
  /** While more bytes than these wait for the network, changes are not sent but joined, and no request is read. */
  readonly backlogBytes: number;
  /** While a client has not read more bytes than these, recorded markets wait, but not longer than this for one client. */
  readonly paceBytes: number;
  readonly paceMs: number;
  /** A client that has not read all that waits for it within this time is cut. */
  readonly deadMs: number;
  /** Past pictures of markets, and past changes of one account's orders, for clients that come back with a clock. */
  readonly pastPicturesMax: number;
  readonly pastOrdersMax: number;
  /** A clock that is older is invalid, whatever is still known. */
  readonly clockMs: number;
}

/** Markets, idle time and segments are the profile's, the others are the sandbox's own. */
export const STREAM_LIMITS: StreamLimits = {
  connectionsPerAccount: 10,
  authenticationsPerSecond: 10,
  connectionsMax: 500,
  marketsMax: 200,
  requestsPerSecond: 20,
  idleMs: 15_000,
  lineBytesMax: 2 ** 18,
  segmentBytes: 2 ** 20,
  backlogBytes: 2 ** 19,
  paceBytes: 2 ** 16,
  paceMs: 10_000,
  deadMs: 60_000,
  pastPicturesMax: 5_000,
  pastOrdersMax: 10_000,
  clockMs: 10 * 60_000,
};

/** Counts what happens within any second. */
export class SecondWindow {
  readonly #max: number;
  readonly #times: number[] = [];

  constructor(max: number) {
    this.#max = max;
  }

  /** Whether one more is allowed at `now` (ms); if so, it is counted. */
  take(now: number): boolean {
    while ((this.#times[0] ?? now) <= now - SECOND_MS) this.#times.shift();
    if (this.#times.length >= this.#max) return false;
    this.#times.push(now);
    return true;
  }
}

const SECOND_MS = 1_000;
