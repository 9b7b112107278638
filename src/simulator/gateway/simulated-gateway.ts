/** The gateway of a backtest: requests reach the built-in exchange when they would have arrived, never before. */

import { Observable, type Subscriber } from 'rxjs';
import { assert, defined } from '../../core/checks/assert.ts';
import { mapExact } from '../../core/collections/map-exact.ts';
import type { Random } from '../../core/number/random.ts';
import { type Instant, instant, type Money, ZERO } from '../../core/number/units.ts';
import type {
  CancelReply,
  FeedMessage,
  Gateway,
  HeartbeatReply,
  MarketCause,
  OrderReport,
  OrderRequest,
  PlaceReply,
  PlaceReplyItem,
} from '../../exchange/gateway.ts';
import type { SimulatedClock } from '../../time/simulated-clock.ts';
import type { OrderTrack } from '../fill-model/order-track.ts';
import type { PlacedItem } from '../fill-model/request-pool.ts';
import type { WindowRule } from '../replay/market-window.ts';
import type { ReplayExchange } from '../replay/replay-exchange.ts';
import type { ReplayMarket } from '../replay/replay-market.ts';
import { drawArrivalMs, type LatencyModel, type RequestKind } from './latency.ts';
import { MarketWindows } from './market-windows.ts';
import { PollFeed } from './poll-feed.ts';

export interface SimulatedGatewayParts {
  readonly clock: SimulatedClock;
  readonly replay: ReplayExchange;
  readonly latency: LatencyModel;
  /** Draws the delays of order requests only: a heartbeat must not change them. */
  readonly random: Random;
  /** Draws the delays of all other requests; where it is absent, those take no time. */
  readonly otherRandom?: Random;
  readonly wallets: number;
  /** When a request leaves, in ms; never before the clock's time, which is the default. */
  readonly sentAt?: () => number;
  /** The interval of polls, in ms; absent: every recorded update is seen. */
  readonly pollEveryMs?: number;
  /** When strategies are asked in each market; absent: always. Outside of it the market's state is folded all the same. */
  readonly window?: WindowRule | undefined;
  /** Called for an order that ended without a match, with its last state. The other orders end with their market. */
  readonly onOrderEnd: (track: OrderTrack) => void;
  /** Called when a market has ended and is about to be freed, or when the recording ends. */
  readonly onMarketEnd: (market: ReplayMarket) => void;
}

/** Requests of one channel arrive in the order in which they were sent. */
interface Channel {
  readonly random: Random | undefined;
  arrival: number;
}

/** A channel of order requests: those on their way, oldest first, and what runs when one arrives. */
interface RequestChannel extends Channel {
  readonly calls: OrderCall[];
  readonly arrived: () => void;
}

const LAPSED = 'the heartbeat lapsed: new orders are refused until it is cleared';
const BLOCKED: PlaceReply = { kind: 'notPlaced', code: 'HEARTBEAT_LAPSED', details: LAPSED, isBlocked: true };

/**
 * Frame of time: the bot sees a message at its publish time, and each request is charged its own delay plus the delay
 * of the message it was based on. So views may read the exchange's live columns, and yet no order acts on a book that
 * its sender could not have seen. Replies come at the moment the exchange gives them, by the same reckoning.
 */
export class SimulatedGateway implements Gateway {
  readonly feed$: Observable<FeedMessage>;
  /** A list of its own for each change. */
  #subscribers: readonly Subscriber<FeedMessage>[] = [];
  readonly #parts: SimulatedGatewayParts;
  readonly #clock: SimulatedClock;
  readonly #replay: ReplayExchange;
  readonly #polls: PollFeed | undefined;
  /** The balances of each wallet that were last reported. */
  readonly #lastReported: { kind: 'wallet'; wallet: number; balance: Money; balanceAvailable: Money }[];
  readonly #reportedResults = new Map<ReplayMarket, Map<number, Money>>();
  readonly #windows: MarketWindows;
  #due = Number.POSITIVE_INFINITY;
  readonly #placeChannel: RequestChannel;
  /** The placements' channel, unless the two kinds have delays of their own: then one may overtake the other. */
  readonly #cancelChannel: RequestChannel;
  readonly #otherChannel: Channel;

  constructor(parts: SimulatedGatewayParts) {
    this.#parts = parts;
    this.#clock = parts.clock;
    this.#replay = parts.replay;
    this.#windows = new MarketWindows({
      clock: parts.clock,
      rule: parts.window,
      isOpen: (market) => this.#replay.market(market.index) === market,
      show: (market, cause) => this.#reportMarket(market, cause),
    });
    const { place, cancel } = parts.latency;
    this.#placeChannel = this.#newChannel();
    this.#cancelChannel = place === undefined && cancel === undefined ? this.#placeChannel : this.#newChannel();
    this.#otherChannel = { random: parts.otherRandom, arrival: 0 };
    this.#lastReported = Array.from({ length: parts.wallets }, (_, wallet) => ({
      kind: 'wallet',
      wallet,
      balance: ZERO,
      balanceAvailable: ZERO,
    }));
    // Not a Subject, which copies and closes over at each message: nearly all that a backtest emits are prices.
    this.feed$ = new Observable((subscriber) => {
      this.#subscribers = [...this.#subscribers, subscriber];
      return () => {
        this.#subscribers = this.#subscribers.filter((each) => each !== subscriber);
      };
    });
    const { pollEveryMs } = parts;
    const polls = (): PollFeed => new PollFeed(parts.clock, pollEveryMs ?? 0, (message) => this.#next(message));
    this.#polls = pollEveryMs === undefined ? undefined : polls();
  }

  /** Reports the wallets' balances at the start. Call it once the pipeline has subscribed. */
  start(): void {
    this.#reportWallets();
  }

  /** Does all that is due by then. */
  runUntil(at: number): void {
    this.#clock.runUntil(at);
  }

  /** Whether a market is not reported to the bot: its window has not opened, or never did. */
  hides(index: number): boolean {
    return this.#replay.market(index)?.isHidden === true;
  }

  /** Begins the window of a market that was listed just now. */
  beginWindow(index: number): void {
    this.#windows.begin(this.#replay.opened(index));
  }

  /** Reports an update of prices alone, and before it what it filled. */
  reportPrices(index: number, mayHaveFilled: boolean): void {
    if (mayHaveFilled) this.#reportOrders();
    const market = this.#replay.opened(index);
    if (market.isHidden) return;
    if (this.#polls === undefined) this.#next(market.pricesMessage);
    else this.#polls.changed(market, 'prices');
  }

  /** Reports what an update of any other kind did to orders, and what a settlement paid. */
  reportApplied(index: number, cause: 'prices' | 'status'): void {
    this.#reportOrders();
    if (cause === 'status') this.#reportResult(this.#replay.opened(index));
  }

  /** Reports that update. `isNew`: it is the market's first one. */
  reportOther(index: number, { at, cause, isNew }: { at: Instant; cause: 'prices' | 'status'; isNew: boolean }): void {
    const market = this.#replay.opened(index);
    const moved = isNew || cause === 'status' ? this.#windows.changed(market, at) : undefined;
    this.#reportMarket(market, moved ?? (isNew ? 'listed' : cause));
  }

  /** Closes and frees a market that has ended with its recording. */
  endMarket(index: number, at: Instant): void {
    const market = this.#replay.opened(index);
    this.#parts.onMarketEnd(market);
    this.#replay.close(market, at);
    this.#reportMarket(market, 'status');
    this.#replay.forget(market, at);
    this.#reportedResults.delete(market);
  }

  place(batch: readonly OrderRequest[]): Observable<PlaceReply> {
    return new Observable((asker) => this.#send(this.#placeChannel, { kind: 'place', batch, asker }));
  }

  cancel(orders: readonly number[]): Observable<CancelReply> {
    return new Observable((asker) => this.#send(this.#cancelChannel, { kind: 'cancel', orders, asker }));
  }

  /** Travels as a cancellation does. */
  reduce(order: number, stake: Money): Observable<CancelReply> {
    return new Observable((asker) => this.#send(this.#cancelChannel, { kind: 'reduce', order, stake, asker }));
  }

  #newChannel(): RequestChannel {
    const calls: OrderCall[] = [];
    return { random: this.#parts.random, arrival: 0, calls, arrived: () => this.#arrive(calls.shift()) };
  }

  #send(channel: RequestChannel, call: OrderCall): void {
    channel.calls.push(call);
    this.#travel(channel, call.kind === 'place' ? 'place' : 'cancel', channel.arrived);
  }

  #arrive(call: OrderCall | undefined): void {
    assert(call !== undefined, 'whatever arrives was sent');
    if (call.kind === 'place') this.#place(call);
    else if (call.kind === 'cancel') this.#cancel(call);
    else this.#reduce(call);
  }

  #place(call: PlaceCall): void {
    const { batch } = call;
    const placed = this.#replay.place(this.#now(), batch);
    if (placed === undefined) return this.#reply(BLOCKED, NO_TRACKS, call.asker);
    const [first] = placed;
    if (placed.length === 1 && first?.kind === 'accepted') {
      const { track } = first;
      return this.#reply(
        { kind: 'placed', items: [{ kind: 'accepted', report: track.report() }] },
        [track],
        call.asker,
      );
    }
    const items: PlaceReplyItem[] = [];
    const tracks: OrderTrack[] = [];
    for (const item of placed) {
      items.push(placedItem(item, batch[items.length]?.client ?? 0));
      if (item.kind === 'accepted') tracks.push(item.track);
    }
    this.#reply({ kind: 'placed', items }, tracks, call.asker);
  }

  #cancel(call: CancelCall): void {
    const tracks = this.#replay.cancel(this.#now(), call.orders);
    this.#reply({ kind: 'cancelled', reports: mapExact(tracks, reportOf) }, tracks, call.asker);
  }

  #reduce({ order, stake, asker }: ReduceCall): void {
    const track = this.#replay.reduce(this.#now(), order, stake);
    const tracks = track === undefined ? NO_TRACKS : [track];
    this.#reply({ kind: 'cancelled', reports: tracks.map(reportOf) }, tracks, asker);
  }

  #now(): Instant {
    return instant(this.#clock.now());
  }

  heartbeat(timeoutMs: number): Observable<HeartbeatReply> {
    return this.#otherRequest((at) => {
      this.#replay.exchange.heartbeat(at, timeoutMs);
      return { kind: 'heartbeat', active: this.#replay.exchange.heartbeatActive, timeoutMs };
    });
  }

  clearHeartbeat(): Observable<HeartbeatReply> {
    return this.#otherRequest((at) => {
      this.#replay.exchange.clearHeartbeat(at);
      return { kind: 'heartbeat', active: false, timeoutMs: 0 };
    });
  }

  /** Reads something from the exchange at the instant at which the request arrives there. */
  asking<Reply>(reply: (at: Instant) => Reply): Observable<Reply> {
    return this.#otherRequest(reply);
  }

  #otherRequest<Reply>(act: (at: Instant) => Reply): Observable<Reply> {
    return new Observable((asker) =>
      this.#travel(this.#otherChannel, 'other', () => this.#reply(act(this.#now()), NO_TRACKS, asker)),
    );
  }

  /** Sends a request, which acts on arrival. Arrivals of a channel keep their order. */
  #travel(channel: Channel, kind: RequestKind, arrived: () => void): void {
    const delayMs = channel.random === undefined ? 0 : drawArrivalMs(this.#parts.latency, kind, channel.random);
    const sentAt = this.#parts.sentAt?.() ?? this.#clock.now();
    channel.arrival = Math.max(channel.arrival, sentAt + delayMs);
    this.#clock.at(channel.arrival, arrived);
  }

  /** Replies to a request, then reports what else it changed. */
  #reply<Reply>(reply: Reply, replied: readonly OrderTrack[], asker: Asker<Reply>): void {
    const changed = this.#replay.exchange.drainChanged();
    this.watchDue();
    asker.next(reply);
    asker.complete();
    this.#reportTracks(without(changed, replied));
    this.#reportWallets();
    this.#release(changed);
  }

  /** Schedules the exchange's own next event (a delay's end, a lapse) on the clock. */
  watchDue(): void {
    const due = this.#replay.exchange.nextDue ?? Number.POSITIVE_INFINITY;
    if (due >= this.#due) return;
    this.#due = due;
    this.#clock.at(due, () => {
      this.#due = Number.POSITIVE_INFINITY;
      this.#replay.exchange.advance(this.#now());
      this.watchDue();
      this.#reportOrders();
    });
  }

  #reportOrders(): void {
    const changed = this.#replay.exchange.drainChanged();
    if (changed.length === 0) return;
    this.#reportTracks(changed);
    this.#reportWallets();
    this.#release(changed);
  }

  #release(changed: readonly OrderTrack[]): void {
    for (const track of changed) if (this.#replay.release(track)) this.#parts.onOrderEnd(track);
  }

  #reportTracks(tracks: readonly OrderTrack[]): void {
    for (const track of tracks) this.#emit({ kind: 'order', order: track.report() });
  }

  #reportWallets(): void {
    for (let wallet = 0; wallet < this.#lastReported.length; wallet += 1) {
      const lastReported = defined(this.#lastReported[wallet], 'every wallet was reported');
      const { balance, balanceAvailable } = lastReported;
      this.#replay.exchange.readMoney(wallet, lastReported);
      if (balance === lastReported.balance && balanceAvailable === lastReported.balanceAvailable) continue;
      this.#emit({ ...lastReported });
    }
  }

  #reportMarket(market: ReplayMarket, cause: MarketCause): void {
    if (market.isHidden) return;
    if (this.#polls !== undefined) this.#polls.changed(market, cause);
    else this.#next(cause === 'prices' ? market.pricesMessage : { kind: 'market', market, cause });
  }

  /** Reports what a settlement paid each wallet, or what a resettlement changed. */
  #reportResult(market: ReplayMarket): void {
    if (!market.played.hasEnded) return;
    const reported = this.#reportedResults.get(market) ?? new Map<number, Money>();
    this.#reportedResults.set(market, reported);
    for (const [wallet, { net, commission }] of this.#replay.exchange.market(market.exchangeId).results) {
      const profit = (net - (reported.get(wallet) ?? 0)) as Money;
      if (profit === 0 && reported.has(wallet)) continue;
      reported.set(wallet, net);
      this.#emit({ kind: 'settled', market, wallet, profit, commission });
    }
    this.#reportWallets();
  }

  #next(message: FeedMessage): void {
    const subscribers = this.#subscribers;
    for (let i = 0; i < subscribers.length; i += 1) subscribers[i]?.next(message);
  }

  #emit(message: FeedMessage): void {
    if (this.#polls === undefined) this.#next(message);
    else this.#polls.holdBack(message);
  }
}

function placedItem(item: PlacedItem, client: number): PlaceReplyItem {
  if (item.kind === 'refused') return { kind: 'refused', client, code: item.code };
  return { kind: 'accepted', report: item.track.report() };
}

function reportOf(track: OrderTrack): OrderReport {
  return track.report();
}

/** The changed orders without those of the reply. Nearly always nothing is left. */
function without(tracks: readonly OrderTrack[], replied: readonly OrderTrack[]): readonly OrderTrack[] {
  for (const track of tracks) if (!replied.includes(track)) return tracks.filter((each) => !replied.includes(each));
  return NO_TRACKS;
}

const NO_TRACKS: readonly OrderTrack[] = [];

/** Receives the reply to a request. */
type Asker<Reply> = Pick<Subscriber<Reply>, 'next' | 'complete'>;

/** A request about orders, and who asked. */
type OrderCall = PlaceCall | CancelCall | ReduceCall;

interface PlaceCall {
  readonly kind: 'place';
  readonly batch: readonly OrderRequest[];
  readonly asker: Asker<PlaceReply>;
}

/** Orders by the exchange's ids. */
interface CancelCall {
  readonly kind: 'cancel';
  readonly orders: readonly number[];
  readonly asker: Asker<CancelReply>;
}

interface ReduceCall {
  readonly kind: 'reduce';
  readonly order: number;
  readonly stake: Money;
  readonly asker: Asker<CancelReply>;
}
