/** Enforces the stream's limits per app over all its connections (profile section 5). */

import type { Peer } from './peer.ts';
import type { StreamLimits } from './stream-limits.ts';
import type { Subscriptions } from './subscriptions.ts';

export class AppUsage {
  readonly #limits: StreamLimits;
  readonly #peers: Iterable<Peer>;
  readonly #subscriptions: Subscriptions<Peer>;
  /**
   * The request window of each app. It is kept after the app's last connection has closed, so that reconnecting does
   * not reset the minute.
   */
  readonly #windows = new Map<number, RequestWindow>();

  constructor(parts: {
    readonly limits: StreamLimits;
    /** The live set of all connections. */
    readonly peers: Iterable<Peer>;
    readonly subscriptions: Subscriptions<Peer>;
  }) {
    this.#limits = parts.limits;
    this.#peers = parts.peers;
    this.#subscriptions = parts.subscriptions;
  }

  /** Whether the app may subscribe to `ids` more ids now; if so, each counts as a request. `now` is in ms. */
  takeRequests(app: number, ids: number, now: number): boolean {
    const window = this.#windows.get(app) ?? new RequestWindow(this.#limits.requestsPerMinute);
    this.#windows.set(app, window);
    return window.takeRequests(now, ids);
  }

  hasRoomFor(app: number, subscriptions: number): boolean {
    let active = subscriptions;
    for (const peer of this.#peers) if (peer.caller?.app === app) active += this.#subscriptions.count(peer);
    return active <= this.#limits.subscriptionsMax;
  }

  /**
   * Why the connection may not authenticate for the app; undefined where it may. Counts the app's other connections and
   * the subscriptions that the connection already has.
   */
  refuseConnection(peer: Peer, app: number): string | undefined {
    const { connectionsPerApp, subscriptionsMax } = this.#limits;
    let others = 0;
    for (const other of this.#peers) if (other !== peer && other.caller?.app === app) others += 1;
    if (others >= connectionsPerApp) return `an app has at most ${connectionsPerApp} connections`;
    const brought = peer.caller?.app === app ? 0 : this.#subscriptions.count(peer);
    return this.hasRoomFor(app, brought) ? undefined : `an app has at most ${subscriptionsMax} active subscriptions`;
  }
}

const MINUTE_MS = 60_000;

/**
 * Limits requests within any minute: a ring with the times of the last `max` requests. New ones fit if the request that they would
 * overwrite is over a minute old.
 */
class RequestWindow {
  readonly #times: Float64Array;
  #next = 0;

  constructor(max: number) {
    this.#times = new Float64Array(max).fill(Number.NEGATIVE_INFINITY);
  }

  /** Takes `count` requests at `now` (ms) if all of them are allowed; otherwise takes none and returns false. */
  takeRequests(now: number, count: number): boolean {
    const times = this.#times;
    if (count > times.length) return false;
    const last = times[(this.#next + count - 1) % times.length] ?? Number.NEGATIVE_INFINITY;
    if (count > 0 && last > now - MINUTE_MS) return false;
    for (let made = 0; made < count; made += 1) {
      times[this.#next] = now;
      this.#next = (this.#next + 1) % times.length;
    }
    return true;
  }
}
