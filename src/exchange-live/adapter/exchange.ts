/** A remote exchange as the command uses it. Each adapter has one function that opens it, and nothing else of it is known above. */

import type { Observable } from 'rxjs';
import type { RunState } from '../../core/run/run-state.ts';
import type { HeartbeatState } from '../../core/run/trading-state.ts';
import type { LiveGateway } from '../../exchange/live-gateway.ts';
import type { NativeNews } from '../../exchange/native-news.ts';
import type { Clock } from '../../time/clock.ts';
import type { MarketMessage, WatchMessage } from '../markets/market-context.ts';
import type { GatewayNotice } from '../notice.ts';
import type { PricesChoice, TradingSettings, WatchSettings, WideWatch } from '../settings.ts';
import type { EdgeEvent } from './edge-event.ts';

/** What is known from the configuration alone, before anything is sent. */
export interface ExchangeIdentity {
  /** The exchange's address, without credentials. */
  readonly url: string;
  /** Who we are there. The exchange has one heartbeat for each, for all its runs and wallets. */
  readonly owner: { readonly kind: 'app' | 'account'; readonly name: string };
  /** Texts that no log may show. */
  readonly secrets: readonly string[];
}

/** What an adapter is opened with, besides the access that is its own. */
export interface ExchangeTools {
  readonly clock: Clock;
  /** How each feed is to be read. */
  readonly feeds: Readonly<Record<string, PricesChoice>>;
  readonly requestsPerSecond: number;
}

/** Nothing is sent until a method's observable is subscribed to, or the stream is started. All observables but `events$` are cold and emit one value. */
export interface Exchange {
  readonly identity: ExchangeIdentity;
  /** Hot. It never ends, and emits nothing during subscription. */
  readonly events$: Observable<EdgeEvent>;
  /** Absent where no feed is streamed. */
  readonly stream: ExchangeStream | undefined;
  /** The stream of the markets that the market feed follows, as it came, for exchanges that sell or read such recordings; absent elsewhere. Hot; it never ends. */
  readonly native$?: Observable<NativeNews>;
  /** What the exchange counts, or limits, of what we ask of it; absent where it does neither. */
  figures?(): ExchangeFigures;
  /** Opens a session, or finds out why none can be had. */
  checkAccess(): Observable<AccessReport>;
  /** Whether the exchange shows us a wallet with this id. */
  checkWallet(id: string): Observable<WalletReport>;
  /** What a lapse of the owner's heartbeat would cancel now; absent where that is the run's orders alone. It leaves the heartbeat as it is. */
  checkHeartbeat?(): Observable<HeartbeatReport>;
  /** Whether another run, on any machine, keeps the heartbeat of its owner. */
  heartbeatOwner(run: BeginningRun): Observable<HeartbeatOwnership>;
  /** `resume`: the state that an earlier process of the run left, with wallets by the exchange's ids. Throws an AssertionFailure for settings that make no sense. */
  liveGateway(settings: TradingSettings & Watching, resume: RunState | undefined): ExchangeGateway;
  /** Markets and prices alone, for runs that place no orders here. Throws an AssertionFailure for settings that make no sense. */
  marketFeed(settings: WatchSettings & Watching): MarketFeed;
  close(): Promise<void>;
}

/** An exchange that cannot select by all of it is given no more than it can. */
interface Watching {
  readonly watch: WideWatch;
}

export interface ExchangeStream {
  readonly url: string;
  /** Connects, and stays connected until the exchange is closed. What becomes of it is in `events$`. */
  start(): void;
  /** The same for somebody who only looks whether the session is taken: it asks for the least that it takes to connect. */
  look(): void;
}

/** All are of this process, since it opened the exchange. */
export interface ExchangeFigures {
  /** Bets that were placed and instructions that failed; and both together since the last full hour, of which so many are free of charge. */
  readonly transactions: {
    readonly placed: number;
    readonly failed: number;
    readonly thisHour: number;
    readonly freeAnHour: number;
  };
  /** How much data the heaviest request asked for, in the exchange's measure, and how much one may. */
  readonly weight: { readonly heaviest: number; readonly limit: number };
  /** How long the newest message of the stream took from its making to its arrival, by two clocks; undefined while there is none. */
  readonly streamLatencyMs: number | undefined;
}

export type AccessReport =
  /** `skewMs`: our clock is ahead of the exchange's by at least so much; negative if it is behind, undefined if it is not known. */
  | { readonly kind: 'granted'; readonly skewMs: number | undefined }
  /** `isRefused`: the exchange does not let us in; otherwise it cannot be reached. `where` and `next` say for people what was tried and what they can do. */
  | {
      readonly kind: 'failed';
      readonly isRefused: boolean;
      readonly details: string;
      readonly where: string;
      readonly next: string;
    };

/** `absent`: the exchange says itself that we have no such wallet. */
export type WalletReport =
  | { readonly kind: 'shown' }
  | { readonly kind: 'absent' | 'failed'; readonly details: string };

/** `orders`: how many would be cancelled, whoever placed them. */
export type HeartbeatReport =
  | { readonly kind: 'seen'; readonly orders: number }
  | { readonly kind: 'failed'; readonly details: string };

export interface BeginningRun {
  /** The exchange's ids of the wallets that the run trades with. */
  readonly wallets: readonly string[];
  /** The heartbeat's state that an earlier process of the run recorded last; undefined if there was none. */
  readonly before: HeartbeatState | undefined;
}

/** `free`: no heartbeat is active but the run's own. `owned`: another run refreshed it while this one watched. `unknown`: it could not be read. */
export type HeartbeatOwnership =
  | { readonly kind: 'free' }
  | { readonly kind: 'owned'; readonly timeoutMs: number; readonly lastSeenAt: string }
  | { readonly kind: 'unknown'; readonly code: string; readonly details: string };

/** The gateway of a live run, with outputs for its owner besides the port. */
export interface ExchangeGateway extends LiveGateway {
  /** Failed readings, unreadable data and foreign orders. Hot; it never ends. */
  readonly notices$: Observable<GatewayNotice>;
  /** The messages of `feed$` about markets, while that is subscribed to: for a recorder beside the bot. Hot; it never ends. */
  readonly marketUpdates$: Observable<MarketMessage>;
}

/** Markets and prices, without orders and wallets. */
export interface MarketFeed {
  /** Reads while it is subscribed to. It never ends, and fails only if this program has a bug. */
  readonly updates$: Observable<WatchMessage>;
  /** Failed readings and unreadable data. Hot; it never ends. */
  readonly notices$: Observable<GatewayNotice>;
}
