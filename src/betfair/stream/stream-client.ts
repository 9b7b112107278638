/**
 * The client of Betfair's stream: one connection at a time, opened again when it ends, with at most one subscription to markets
 * and one to orders. What it tells is whole and without a gap that it does not name.
 */

import { type Observable, Subject, Subscription as Timer } from 'rxjs';
import { assert } from '../../core/checks/assert.ts';
import { type Instant, instant } from '../../core/number/units.ts';
import { Backoff } from '../../exchange-live/connection/backoff.ts';
import { ExchangeTime } from '../../exchange-live/markets/exchange-time.ts';
import { consequenceOf } from './connection/status-codes.ts';
import { StreamConnection } from './connection/stream-connection.ts';
import type { StreamEndCode, StreamEvent, StreamFeed, StreamTroubleCode } from './connection/stream-event.ts';
import { type StreamClientOptions, type StreamSettings, streamSettings } from './connection/stream-settings.ts';
import { type MarketCriteria, type OrderCriteria, type Received, Subscription } from './connection/subscription.ts';

/** What is known of one feed over all connections. */
interface FeedState {
  /** When the newest whole message was made, by the exchange's clock. */
  toldAt: Instant | undefined;
  /** Since when the exchange says that it is late. */
  lateAt: Instant | undefined;
  provenAt: number;
}

type WholeMessage = Extract<Received, { readonly kind: 'whole' }>;

export class StreamClient {
  /** All events in order. Hot; it never emits during subscription, and completes on `close`. */
  readonly events$: Observable<StreamEvent>;
  readonly #events = new Subject<StreamEvent>();
  readonly #settings: StreamSettings;
  readonly #time: ExchangeTime;
  readonly #subscriptions: Subscription[] = [];
  readonly #states = new Map<StreamFeed, FeedState>();
  readonly #backoff: Backoff;
  readonly #busy: Backoff;
  readonly #troubledAt = new Map<StreamTroubleCode, number>();
  #connection: StreamConnection | undefined;
  #phase: 'new' | 'started' | 'closed' = 'new';
  #isUp = false;
  #wasUp = false;
  #isRefused = false;
  /** Whether the exchange refused for good what was asked. */
  #isHalted = false;
  #ids = 0;
  #retry = new Timer();
  #stable = new Timer();
  #queue: StreamEvent[] = [];
  #isEmitting = false;

  /** @throws AssertionFailure for limits that cannot be */
  constructor(options: StreamClientOptions) {
    this.#settings = streamSettings(options);
    const { random, limits, skewMs } = this.#settings;
    this.#time = new ExchangeTime(skewMs);
    this.#backoff = new Backoff({ firstMs: limits.retryFirstMs, maxMs: limits.retryMaxMs, random });
    this.#busy = new Backoff({ firstMs: limits.busyFirstMs, maxMs: limits.busyMaxMs, random });
    this.events$ = this.#events.asObservable();
  }

  /**
   * Subscribes to markets, or to others than before: then it begins with a new image. What changed of a market while that was on
   * its way comes as one change, as it does in any message, and is no gap unless it took longer than the exchange may be silent.
   */
  markets(criteria: MarketCriteria): void {
    const lists = Object.values(criteria.marketFilter ?? {});
    // The exchange takes an empty filter, and an empty list, for everything.
    assert(
      lists.some((each) => (Array.isArray(each) ? each.length > 0 : each !== undefined)),
      'a subscription names markets',
    );
    this.#want('markets', criteria);
  }

  /** Subscribes to the orders of the account. */
  orders(criteria: OrderCriteria): void {
    this.#want('orders', criteria);
  }

  /** Connects once there is a subscription, and stays connected until `close`. */
  start(): void {
    if (this.#phase !== 'new') return;
    this.#phase = 'started';
    if (this.#subscriptions.length > 0) this.#connectAfter(0);
  }

  /** Closes the client for good, without further events. */
  close(): void {
    if (this.#phase === 'closed') return;
    this.#phase = 'closed';
    this.#retry.unsubscribe();
    this.#stable.unsubscribe();
    this.#connection?.drop();
    this.#queue = [];
    this.#events.complete();
  }

  #want(feed: StreamFeed, criteria: MarketCriteria | OrderCriteria): void {
    const known = this.#subscriptions.find((each) => each.feed === feed);
    const { heartbeatMs, changeBytesMax } = this.#settings.limits;
    const subscription = known ?? new Subscription({ feed, criteria, heartbeatMs, changeBytesMax });
    if (known === undefined) {
      this.#subscriptions.push(subscription);
      this.#states.set(feed, { toldAt: undefined, lateAt: undefined, provenAt: Number.NEGATIVE_INFINITY });
    } else known.change(criteria);
    if (this.#phase !== 'started') return;
    this.#connection?.subscribe(subscription);
    // The first one, or one that may be taken where the others were not.
    if (this.#isHalted || (known === undefined && this.#subscriptions.length === 1)) this.#connectAfter(0);
  }

  #connectAfter(ms: number): void {
    this.#isHalted = false;
    this.#retry.unsubscribe();
    this.#retry = this.#settings.clock.schedule(() => this.#connect(), ms);
  }

  #connect(): void {
    const connection: StreamConnection = new StreamConnection({
      settings: this.#settings,
      subscriptions: this.#subscriptions,
      nextId: () => {
        this.#ids += 1;
        return this.#ids;
      },
      listener: {
        received: (subscription, what, receivedAt) => this.#onReceived(subscription, what, receivedAt),
        refused: ({ feed }, details) => {
          this.#emit({ kind: 'refused', feed, details });
          this.#comeUp();
        },
        trouble: (code, details) => this.#trouble(code, details),
        ended: (code, details) => this.#onEnded(code, details),
      },
    });
    this.#connection = connection;
    connection.open(this.#isRefused);
  }

  #onReceived(subscription: Subscription, what: Received, receivedAt: Instant): void {
    const { feed } = subscription;
    const state = this.#states.get(feed);
    if (state === undefined) return;
    if (what.kind === 'whole') this.#onChange(what, state, subscription);
    if (what.kind !== 'whole' && what.kind !== 'beat') return;
    const { publishedAt, isLate } = what.kind === 'whole' ? what.change : what;
    state.toldAt = publishedAt;
    if (isLate) {
      state.lateAt ??= publishedAt;
      this.#trouble('LATE', `${feed}: status 503`);
      return;
    }
    const { lateAt } = state;
    state.lateAt = undefined;
    if (lateAt !== undefined) this.#emit({ kind: 'gap', feed, from: lateAt, to: publishedAt, why: 'late' });
    if (this.#time.note(publishedAt, receivedAt)) this.#prove(feed, state, { publishedAt, receivedAt });
  }

  #onChange({ change, isAsked }: WholeMessage, state: FeedState, { conflateMs, heartbeatMs }: Subscription): void {
    const { feed, type, publishedAt: to } = change;
    const from = state.toldAt;
    const why = type === 'image' ? 'image' : 'joined';
    const goesOn = isAsked && from !== undefined && to - from <= heartbeatMs;
    // A feed that has told nothing yet has lost nothing.
    const gap =
      type === 'update' || from === undefined || goesOn ? undefined : ({ kind: 'gap', feed, from, to, why } as const);
    if (gap !== undefined) this.#emit(gap);
    this.#emit({ kind: 'change', change });
    if (type === 'update' && conflateMs === 0 && change.changes.some(isJoined)) this.#trouble('READS_SLOWLY', feed);
    if (this.#isUp && gap?.why === 'image') this.#emit({ kind: 'resync', connection: 0, reason: 'lost' });
    this.#comeUp();
  }

  /** The quickest message of late shows how our clock stands to the exchange's. */
  #prove(feed: StreamFeed, state: FeedState, at: { publishedAt: Instant; receivedAt: Instant }): void {
    const { publishedAt, receivedAt } = at;
    if (receivedAt < state.provenAt + this.#settings.limits.provenSpanMs) return;
    state.provenAt = receivedAt;
    const ours = publishedAt + (receivedAt - this.#time.earliest(receivedAt));
    const proven = { publishedAt, at: instant(Math.floor(Math.min(ours, receivedAt))) };
    this.#emit({ kind: 'proven', feed, ...proven, latencyMs: receivedAt - publishedAt });
  }

  /** It is up once each feed has told what it stands at, or was refused. */
  #comeUp(): void {
    const connectionId = this.#connection?.connectionId ?? '';
    if (this.#isUp || !this.#subscriptions.every(({ isTold, isRefused }) => isTold || isRefused)) return;
    const { clock, limits } = this.#settings;
    const reason = this.#wasUp ? 'reconnected' : 'connected';
    this.#isUp = true;
    this.#wasUp = true;
    this.#isRefused = false;
    this.#stable.unsubscribe();
    this.#stable = clock.schedule(() => {
      this.#backoff.reset();
      this.#busy.reset();
    }, limits.stableMs);
    this.#emit({ kind: 'up', connection: 0, connectionId });
    this.#emit({ kind: 'resync', connection: 0, reason });
  }

  #onEnded(code: StreamEndCode, details: string): void {
    this.#connection = undefined;
    this.#isUp = false;
    this.#stable.unsubscribe();
    const consequence = consequenceOf(code);
    this.#isRefused = consequence === 'session';
    // The exchange can be reached again, and without clocks it has nothing against us.
    if (consequence === 'clock') this.#backoff.reset();
    const retryMs = consequence === 'final' ? undefined : (consequence === 'busy' ? this.#busy : this.#backoff).next();
    if (retryMs === undefined) this.#isHalted = true;
    else this.#connectAfter(retryMs);
    this.#emit({ kind: 'down', connection: 0, code, details, retryMs });
  }

  /** One report of a kind in a while: what goes wrong may do so at every message. */
  #trouble(code: StreamTroubleCode, details: string): void {
    const { clock, limits } = this.#settings;
    const now = clock.now();
    if (now - (this.#troubledAt.get(code) ?? Number.NEGATIVE_INFINITY) < limits.troubleSpanMs) return;
    this.#troubledAt.set(code, now);
    this.#emit({ kind: 'trouble', connection: 0, code, details });
  }

  /** Emits one event after the other, also if a listener causes the next event while it handles one. */
  #emit(event: StreamEvent): void {
    if (this.#phase === 'closed') return;
    this.#queue.push(event);
    if (this.#isEmitting) return;
    this.#isEmitting = true;
    for (let next = this.#queue.shift(); next !== undefined; next = this.#queue.shift()) this.#events.next(next);
    this.#isEmitting = false;
  }
}

function isJoined(change: unknown): boolean {
  return typeof change === 'object' && change !== null && 'con' in change && change.con === true;
}
