/** The gateway of a backtest: requests reach the built-in exchange when they would have arrived, never before. */

import { Observable, Subject } from 'rxjs';
import { present } from '../core/assert.ts';
import type { Random } from '../core/random.ts';
import { type Instant, instant, type Money, ZERO } from '../core/units.ts';
import type {
  CancelReply,
  FeedMessage,
  Gateway,
  HeartbeatReply,
  MarketCause,
  OrderRequest,
  PlaceReply,
  PlaceReplyItem,
} from '../exchange/gateway.ts';
import type { UpdateColumns } from '../recording/update.ts';
import type { SimulatedClock } from '../time/simulated-clock.ts';
import { drawArrivalMs, type LatencyModel } from './latency.ts';
import type { OrderTrack } from './order-track.ts';
import { PollFeed } from './poll-feed.ts';
import type { ReplayExchange } from './replay-exchange.ts';
import type { RecordedMarket, ReplayMarket } from './replay-market.ts';

export interface SimulatedGatewayParts {
  readonly clock: SimulatedClock;
  readonly replay: ReplayExchange;
  readonly latency: LatencyModel;
  /** Of orders and cancellations alone: a heartbeat must not move them. */
  readonly random: Random;
  /** Of all other requests; theirs take no time where it is absent. */
  readonly otherRandom?: Random;
  readonly wallets: number;
  /** When a request leaves; the clock's own time where it is absent. Never before that. */
  readonly sentAt?: () => number;
  /** Absent: every recorded update is seen. */
  readonly pollEveryMs?: number;
  /** Told when a market is over and about to be freed, or when the recording ends. */
  readonly onMarketEnd: (market: ReplayMarket) => void;
}

/** Requests of one kind overtake each other no more than their arrivals say. */
interface Lane {
  readonly random: Random | undefined;
  arrival: number;
}

const BLOCKED: PlaceReply = {
  kind: 'notPlaced',
  code: 'HEARTBEAT_LAPSED',
  details: 'the heartbeat lapsed: new orders are refused until it is cleared',
};

/**
 * Frame of time: the bot sees a message at its publish time, and each request is charged the delay of what it was based
 * on besides its own. So views may read the exchange's live columns, and yet no order acts on a book that its maker
 * could not have seen. Replies come at the moment the exchange gives them, by the same reckoning.
 */
export class SimulatedGateway implements Gateway {
  readonly feed$: Observable<FeedMessage>;
  readonly #feed$ = new Subject<FeedMessage>();
  #hear: (message: FeedMessage) => void = (message) => this.#feed$.next(message);
  readonly #parts: SimulatedGatewayParts;
  readonly #clock: SimulatedClock;
  readonly #replay: ReplayExchange;
  readonly #polls: PollFeed | undefined;
  readonly #told: { balance: Money; balanceAvailable: Money }[];
  readonly #toldResults = new Map<ReplayMarket, Map<number, Money>>();
  #due = Number.POSITIVE_INFINITY;
  readonly #orderLane: Lane;
  readonly #otherLane: Lane;

  constructor(parts: SimulatedGatewayParts) {
    this.#parts = parts;
    this.#clock = parts.clock;
    this.#replay = parts.replay;
    this.#orderLane = { random: parts.random, arrival: 0 };
    this.#otherLane = { random: parts.otherRandom, arrival: 0 };
    this.#told = Array.from({ length: parts.wallets }, () => ({ balance: ZERO, balanceAvailable: ZERO }));
    this.feed$ = this.#feed$;
    const { pollEveryMs } = parts;
    this.#polls = pollEveryMs === undefined ? undefined : new PollFeed(parts.clock, pollEveryMs, this.#feed$);
  }

  /**
   * Tells the wallets as they are at the start. Call it once the pipeline listens; messages go to `hear` instead of `feed$`
   * where it is given, which spares the stream's way, and no more.
   */
  start(hear?: (message: FeedMessage) => void): void {
    if (hear !== undefined) this.#hear = hear;
    this.#tellWallets();
  }

  /** Applies the next recorded update at its time, after all that was due by then. */
  play(index: number, recorded: RecordedMarket, update: UpdateColumns): void {
    const at = update.publishedAt;
    this.#clock.runUntil(at);
    const known = this.#replay.market(index);
    const market = known ?? this.#replay.open(index, recorded, at);
    const cause = this.#replay.apply(market, update);
    this.#tellOrders();
    if (cause === 'status') this.#tellResult(market);
    this.#tellMarket(market, known === undefined ? 'listed' : cause);
    if (market.hasEnded && market.updatesSeen === recorded.updates) this.#end(market, at);
    this.#watchDue();
  }

  place(batch: readonly OrderRequest[]): Observable<PlaceReply> {
    return this.#arriving<PlaceReply>(this.#orderLane, (at) => {
      const placed = this.#replay.place(at, batch);
      if (placed === undefined) return { reply: BLOCKED, answered: [] };
      const answered: OrderTrack[] = [];
      const items = placed.map((item, index): PlaceReplyItem => {
        if (item.kind === 'refused') return { kind: 'refused', client: batch[index]?.client ?? 0, code: item.code };
        answered.push(item.track);
        return { kind: 'accepted', report: item.track.report() };
      });
      return { reply: { kind: 'placed', items }, answered };
    });
  }

  cancel(orders: readonly number[]): Observable<CancelReply> {
    return this.#arriving(this.#orderLane, (at) => {
      const tracks = this.#replay.cancel(at, orders);
      return { reply: { kind: 'cancelled', reports: tracks.map((track) => track.report()) }, answered: tracks };
    });
  }

  heartbeat(timeoutMs: number): Observable<HeartbeatReply> {
    return this.#arriving(this.#otherLane, (at) => {
      this.#replay.heartbeat(at, timeoutMs);
      return { reply: { kind: 'heartbeat', active: this.#replay.primary.heartbeatActive, timeoutMs }, answered: [] };
    });
  }

  clearHeartbeat(): Observable<HeartbeatReply> {
    return this.#arriving(this.#otherLane, (at) => {
      this.#replay.clearHeartbeat(at);
      return { reply: { kind: 'heartbeat', active: false, timeoutMs: 0 }, answered: [] };
    });
  }

  /** Reads something of the exchange, when the question arrives there. */
  asking<Reply>(answer: (at: Instant) => Reply): Observable<Reply> {
    return this.#arriving(this.#otherLane, (at) => ({ reply: answer(at), answered: [] }));
  }

  /** A cold request: on subscription it travels, acts on arrival, and is answered then. Arrivals keep their order. */
  #arriving<Reply>(
    lane: Lane,
    act: (at: Instant) => { readonly reply: Reply; readonly answered: readonly OrderTrack[] },
  ): Observable<Reply> {
    return new Observable<Reply>((subscriber) => {
      const delayMs = lane.random === undefined ? 0 : drawArrivalMs(this.#parts.latency, lane.random);
      const sentAt = this.#parts.sentAt?.() ?? this.#clock.now();
      lane.arrival = Math.max(lane.arrival, sentAt + delayMs);
      this.#clock.at(lane.arrival, () => {
        const { reply, answered } = act(instant(this.#clock.now()));
        const others = without(this.#replay.primary.takeChanged(), answered);
        this.#watchDue();
        subscriber.next(reply);
        subscriber.complete();
        this.#tellTracks(others);
        this.#tellWallets();
      });
    });
  }

  /** Puts the exchange's own next event (a delay's end, a lapse) on the clock. */
  #watchDue(): void {
    const due = this.#replay.nextDue;
    if (due >= this.#due) return;
    this.#due = due;
    this.#clock.at(due, () => {
      this.#due = Number.POSITIVE_INFINITY;
      this.#replay.advance(instant(this.#clock.now()));
      this.#watchDue();
      this.#tellOrders();
    });
  }

  #tellOrders(): void {
    const changed = this.#replay.primary.takeChanged();
    if (changed.length === 0) return;
    this.#tellTracks(changed);
    this.#tellWallets();
  }

  #tellTracks(tracks: readonly OrderTrack[]): void {
    for (const track of tracks) this.#tell({ kind: 'order', order: track.report() });
  }

  #tellWallets(): void {
    for (let wallet = 0; wallet < this.#told.length; wallet += 1) {
      const told = present(this.#told[wallet], 'every wallet was told');
      const { balance, balanceAvailable } = this.#replay.primary.walletMoney(wallet);
      if (balance === told.balance && balanceAvailable === told.balanceAvailable) continue;
      told.balance = balance;
      told.balanceAvailable = balanceAvailable;
      this.#tell({ kind: 'wallet', wallet, balance, balanceAvailable });
    }
  }

  #tellMarket(market: ReplayMarket, cause: MarketCause): void {
    if (this.#polls === undefined) this.#hear({ kind: 'market', market, cause });
    else this.#polls.changed(market, cause);
  }

  /** What a settlement paid each wallet, or what a resettlement changed. */
  #tellResult(market: ReplayMarket): void {
    if (!market.hasEnded) return;
    const told = this.#toldResults.get(market) ?? new Map<number, Money>();
    this.#toldResults.set(market, told);
    for (const [wallet, { net, commission }] of this.#replay.primary.market(market.exchangeId).results) {
      const profit = (net - (told.get(wallet) ?? 0)) as Money;
      if (profit === 0 && told.has(wallet)) continue;
      told.set(wallet, net);
      this.#tell({ kind: 'settled', market, wallet, profit, commission });
    }
    this.#tellWallets();
  }

  #end(market: ReplayMarket, at: Instant): void {
    this.#parts.onMarketEnd(market);
    this.#replay.close(market, at);
    this.#tellMarket(market, 'status');
    this.#replay.forget(market, at);
    this.#toldResults.delete(market);
  }

  #tell(message: FeedMessage): void {
    if (this.#polls === undefined) this.#hear(message);
    else this.#polls.tell(message);
  }
}

/** Nearly always what changed is what is answered. */
function without(tracks: readonly OrderTrack[], answered: readonly OrderTrack[]): readonly OrderTrack[] {
  for (const track of tracks) if (!answered.includes(track)) return tracks.filter((each) => !answered.includes(each));
  return NO_TRACKS;
}

const NO_TRACKS: readonly OrderTrack[] = [];
