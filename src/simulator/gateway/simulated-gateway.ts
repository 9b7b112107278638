/** The gateway of a backtest: requests reach the built-in exchange when they would have arrived, never before. */

import { Observable, Subject } from 'rxjs';
import { assert, present } from '../../core/checks/assert.ts';
import { mapExact } from '../../core/collections/map-exact.ts';
import type { Random } from '../../core/number/random.ts';
import { type Instant, instant, type Money, ZERO } from '../../core/number/units.ts';
import type {
  CancelReply,
  FeedMessage,
  GatewayListener,
  HeartbeatReply,
  InProcessGateway,
  MarketCause,
  OrderReport,
  OrderRequest,
  PlaceReply,
  PlaceReplyItem,
} from '../../exchange/gateway.ts';
import type { PendingUpdate } from '../../recording/segment/update.ts';
import type { SimulatedClock } from '../../time/simulated-clock.ts';
import type { OrderTrack } from '../fill-model/order-track.ts';
import type { PlacedItem } from '../fill-model/request-pool.ts';
import type { ReplayExchange } from '../replay/replay-exchange.ts';
import type { RecordedMarket, ReplayMarket } from '../replay/replay-market.ts';
import { drawArrivalMs, type LatencyModel, type RequestKind } from './latency.ts';
import { type CancelCall, Cancelling, type OrderCall, type PlaceCall, Placing } from './order-call.ts';
import { PollFeed } from './poll-feed.ts';

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
  /** Told of an order that ended without a match, with its last word; the others are told of with their market. */
  readonly onOrderEnd: (track: OrderTrack) => void;
  /** Told when a market is over and about to be freed, or when the recording ends. */
  readonly onMarketEnd: (market: ReplayMarket) => void;
}

/** Requests of one lane arrive in the order in which they were sent. */
interface Lane {
  readonly random: Random | undefined;
  arrival: number;
}

/** A lane of orders: what is on its way, oldest first, and what happens when it arrives. */
interface RequestChannel extends Lane {
  readonly calls: OrderCall[];
  readonly arrived: () => void;
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
export class SimulatedGateway implements InProcessGateway {
  readonly feed$: Observable<FeedMessage>;
  readonly #feed$ = new Subject<FeedMessage>();
  #listener: GatewayListener = {
    onPrices: (message) => this.#feed$.next(message),
    // A wallet's message is written over by its next one, and a subscriber may keep what it receives.
    onInput: (message) => this.#feed$.next(message.kind === 'wallet' ? { ...message } : message),
  };
  readonly #parts: SimulatedGatewayParts;
  readonly #clock: SimulatedClock;
  readonly #replay: ReplayExchange;
  readonly #polls: PollFeed | undefined;
  /** What was told of each wallet last. */
  readonly #told: { kind: 'wallet'; wallet: number; balance: Money; balanceAvailable: Money }[];
  readonly #toldResults = new Map<ReplayMarket, Map<number, Money>>();
  #due = Number.POSITIVE_INFINITY;
  readonly #placeChannel: RequestChannel;
  /** That of placements, unless the two travel at speeds of their own: then one may overtake the other. */
  readonly #cancelChannel: RequestChannel;
  readonly #otherChannel: Lane;

  constructor(parts: SimulatedGatewayParts) {
    this.#parts = parts;
    this.#clock = parts.clock;
    this.#replay = parts.replay;
    const { place, cancel } = parts.latency;
    this.#placeChannel = this.#newChannel();
    this.#cancelChannel = place === undefined && cancel === undefined ? this.#placeChannel : this.#newChannel();
    this.#otherChannel = { random: parts.otherRandom, arrival: 0 };
    this.#told = Array.from({ length: parts.wallets }, (_, wallet) => ({
      kind: 'wallet',
      wallet,
      balance: ZERO,
      balanceAvailable: ZERO,
    }));
    this.feed$ = this.#feed$;
    const { pollEveryMs } = parts;
    this.#polls = pollEveryMs === undefined ? undefined : new PollFeed(parts.clock, pollEveryMs, this.#feed$);
  }

  /**
   * Tells the wallets as they are at the start. Call it once the pipeline listens; messages go to `listener` instead of
   * `feed$` where it is given, which spares the stream's way, and no more.
   */
  start(listener?: GatewayListener): void {
    if (listener !== undefined) this.#listener = listener;
    this.#tellWallets();
  }

  /** Applies the next recorded update at its time, after all that was due by then. */
  play(index: number, recorded: RecordedMarket, update: PendingUpdate): void {
    if (!this.playPrices(index, recorded, update)) this.#playOther(index, recorded, update);
  }

  /**
   * Nearly all updates are new prices of a market that goes on: those it plays; false of any other, and nothing is done then. They
   * set nothing on a clock: orders and heartbeats do, and are watched where they arrive.
   */
  playPrices(index: number, recorded: RecordedMarket, update: PendingUpdate): boolean {
    const market = this.#replay.market(index);
    if (market === undefined || update.isDefinition || market.updatesSeen + 1 === recorded.updates) return false;
    this.#clock.runUntil(update.publishedAt);
    if (this.#replay.applyPrices(market, update)) this.#tellOrders();
    if (this.#polls === undefined) this.#listener.onPrices(market.pricesMessage);
    else this.#polls.changed(market, 'prices');
    return true;
  }

  /** The first update of a market, one that changes its definition, or its last. */
  #playOther(index: number, recorded: RecordedMarket, update: PendingUpdate): void {
    const at = update.publishedAt;
    this.#clock.runUntil(at);
    const known = this.#replay.market(index);
    const market = known ?? this.#replay.open(index, recorded, at);
    const applied = this.#replay.apply(market, update);
    this.#tellOrders();
    if (applied === 'status') this.#tellResult(market);
    const isLast = market.updatesSeen === recorded.updates;
    const cause = isLast && this.#replay.cutOff(market, at) ? 'status' : applied;
    this.#tellMarket(market, known === undefined ? 'listed' : cause);
    if (market.hasEnded && isLast) this.#end(market, at);
    if (cause === 'status') this.#watchDue();
  }

  place(batch: readonly OrderRequest[]): Observable<PlaceReply> {
    return request((answer) => this.placeWithCallback(batch, answer, answerIt));
  }

  cancel(orders: readonly number[]): Observable<CancelReply> {
    return request((answer) => this.cancelWithCallback(orders, answer, answerIt));
  }

  placeWithCallback<Asked>(
    batch: readonly OrderRequest[],
    asked: Asked,
    answer: (asked: Asked, reply: PlaceReply) => void,
  ): void {
    this.#send(this.#placeChannel, new Placing(batch, asked, answer));
  }

  cancelWithCallback<Asked>(
    orders: readonly number[],
    asked: Asked,
    answer: (asked: Asked, reply: CancelReply) => void,
  ): void {
    this.#send(this.#cancelChannel, new Cancelling(orders, asked, answer));
  }

  #newChannel(): RequestChannel {
    const calls: OrderCall[] = [];
    return { random: this.#parts.random, arrival: 0, calls, arrived: () => this.#arrive(calls.shift()) };
  }

  #send(lane: RequestChannel, call: OrderCall): void {
    lane.calls.push(call);
    this.#travel(lane, call.kind, lane.arrived);
  }

  #arrive(call: OrderCall | undefined): void {
    assert(call !== undefined, 'whatever arrives was sent');
    if (call.kind === 'place') this.#place(call);
    else this.#cancel(call);
  }

  #place(call: PlaceCall): void {
    const { batch } = call;
    const placed = this.#replay.place(this.#now(), batch);
    if (placed === undefined) return this.#answer(BLOCKED, NO_TRACKS, call);
    const [first] = placed;
    if (placed.length === 1 && first?.kind === 'accepted') {
      const { track } = first;
      return this.#answer({ kind: 'placed', items: [{ kind: 'accepted', report: track.report() }] }, [track], call);
    }
    const items: PlaceReplyItem[] = [];
    const tracks: OrderTrack[] = [];
    for (const item of placed) {
      items.push(placedItem(item, batch[items.length]?.client ?? 0));
      if (item.kind === 'accepted') tracks.push(item.track);
    }
    this.#answer({ kind: 'placed', items }, tracks, call);
  }

  #cancel(call: CancelCall): void {
    const tracks = this.#replay.cancel(this.#now(), call.orders);
    this.#answer({ kind: 'cancelled', reports: mapExact(tracks, reportOf) }, tracks, call);
  }

  #now(): Instant {
    return instant(this.#clock.now());
  }

  heartbeat(timeoutMs: number): Observable<HeartbeatReply> {
    return this.#asked((at) => {
      this.#replay.heartbeat(at, timeoutMs);
      return { kind: 'heartbeat', active: this.#replay.primary.heartbeatActive, timeoutMs };
    });
  }

  clearHeartbeat(): Observable<HeartbeatReply> {
    return this.#asked((at) => {
      this.#replay.clearHeartbeat(at);
      return { kind: 'heartbeat', active: false, timeoutMs: 0 };
    });
  }

  /** Reads something of the exchange, when the question arrives there. */
  asking<Reply>(reply: (at: Instant) => Reply): Observable<Reply> {
    return this.#asked(reply);
  }

  #asked<Reply>(act: (at: Instant) => Reply): Observable<Reply> {
    return request((answer) =>
      this.#travel(this.#otherChannel, 'other', () => this.#answer(act(this.#now()), NO_TRACKS, { answer })),
    );
  }

  /** A request travels, and acts on arrival. Arrivals of a lane keep their order. */
  #travel(lane: Lane, kind: RequestKind, arrived: () => void): void {
    const delayMs = lane.random === undefined ? 0 : drawArrivalMs(this.#parts.latency, kind, lane.random);
    const sentAt = this.#parts.sentAt?.() ?? this.#clock.now();
    lane.arrival = Math.max(lane.arrival, sentAt + delayMs);
    this.#clock.at(lane.arrival, arrived);
  }

  /** Answers a request, then tells what else it changed. */
  #answer<Reply>(reply: Reply, answered: readonly OrderTrack[], call: { answer(reply: Reply): void }): void {
    const changed = this.#replay.primary.takeChanged();
    this.#watchDue();
    call.answer(reply);
    this.#tellTracks(without(changed, answered));
    this.#tellWallets();
    this.#release(changed);
  }

  /** Puts the exchange's own next event (a delay's end, a lapse) on the clock. */
  #watchDue(): void {
    const due = this.#replay.nextDue;
    if (due >= this.#due) return;
    this.#due = due;
    this.#clock.at(due, () => {
      this.#due = Number.POSITIVE_INFINITY;
      this.#replay.advance(this.#now());
      this.#watchDue();
      this.#tellOrders();
    });
  }

  #tellOrders(): void {
    const changed = this.#replay.primary.takeChanged();
    if (changed.length === 0) return;
    this.#tellTracks(changed);
    this.#tellWallets();
    this.#release(changed);
  }

  #release(changed: readonly OrderTrack[]): void {
    for (const track of changed) if (this.#replay.release(track)) this.#parts.onOrderEnd(track);
  }

  #tellTracks(tracks: readonly OrderTrack[]): void {
    for (const track of tracks) this.#tell({ kind: 'order', order: track.report() });
  }

  #tellWallets(): void {
    for (let wallet = 0; wallet < this.#told.length; wallet += 1) {
      const told = present(this.#told[wallet], 'every wallet was told');
      const { balance, balanceAvailable } = told;
      this.#replay.primary.readMoney(wallet, told);
      if (balance === told.balance && balanceAvailable === told.balanceAvailable) continue;
      if (this.#polls === undefined) this.#listener.onInput(told);
      else this.#polls.tell({ ...told });
    }
  }

  #tellMarket(market: ReplayMarket, cause: MarketCause): void {
    if (this.#polls !== undefined) this.#polls.changed(market, cause);
    else if (cause === 'prices') this.#listener.onPrices(market.pricesMessage);
    else this.#listener.onInput({ kind: 'market', market, cause });
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
    if (this.#polls === undefined) this.#listener.onInput(message);
    else this.#polls.tell(message);
  }
}

function placedItem(item: PlacedItem, client: number): PlaceReplyItem {
  if (item.kind === 'refused') return { kind: 'refused', client, code: item.code };
  return { kind: 'accepted', report: item.track.report() };
}

function reportOf(track: OrderTrack): OrderReport {
  return track.report();
}

/** Of a request whose answer is all that was asked about. */
function answerIt<Reply>(answer: (reply: Reply) => void, reply: Reply): void {
  answer(reply);
}

/** A cold request: made on subscription, it emits its one answer. */
function request<Reply>(make: (answer: (reply: Reply) => void) => void): Observable<Reply> {
  return new Observable((subscriber) =>
    make((reply) => {
      subscriber.next(reply);
      subscriber.complete();
    }),
  );
}

/** Nearly always what changed is what is answered. */
function without(tracks: readonly OrderTrack[], answered: readonly OrderTrack[]): readonly OrderTrack[] {
  for (const track of tracks) if (!answered.includes(track)) return tracks.filter((each) => !answered.includes(each));
  return NO_TRACKS;
}

const NO_TRACKS: readonly OrderTrack[] = [];
