/** A live gateway that does as it is told, on a simulated clock: orders rest until a test says what became of them. */

import { Observable, of, Subject } from 'rxjs';
import type { MarketState } from '../../../src/core/market-state.ts';
import { tick } from '../../../src/core/number/ladder.ts';
import { instant, type Money, ZERO } from '../../../src/core/number/units.ts';
import type {
  CancelReply,
  FeedMessage,
  HeartbeatReply,
  OrderReport,
  OrderRequest,
  PlaceReply,
} from '../../../src/exchange/gateway.ts';
import { FEED_NAMES, type FeedName } from '../../../src/exchange/gateway.ts';
import type {
  AccountSnapshotReply,
  BookedOrder,
  BookedPosition,
  LiveGateway,
} from '../../../src/exchange/live-gateway.ts';
import type { SimulatedClock } from '../../../src/time/simulated-clock.ts';

const ANSWER_MS = 10;
const REFUSED: PlaceReply & { readonly kind: 'notPlaced' } = { kind: 'notPlaced', code: 'HTTP_403', details: '' };

export class PlainExchange implements LiveGateway {
  readonly feed$ = new Subject<FeedMessage>();
  /** What was asked, in order, with the ms since the start. */
  readonly asked: { readonly what: string; readonly at: number }[] = [];
  readonly orders = new Map<number, BookedOrder>();
  readonly adopted = new Map<number, number>();
  readonly followed: string[] = [];
  /** Feeds that are read no more. */
  readonly silent = new Set<FeedName>();
  /** Wallets that readings of the wallets do not tell. */
  readonly unreadWallets: number[] = [];
  heartbeatUntil: number | undefined;
  isBlocked = false;
  placing: 'answers' | 'loses' | 'never arrives' | 'is refused' | 'is blocked' = 'answers';
  heartbeats: 'answer' | 'are lost' = 'answer';
  cancelling: 'answers' | 'loses' | 'does nothing' = 'answers';
  /** Whether a reading of the account tells what is there. */
  tellsBooks = true;
  /** Whether a reading of the orders tells what became of them. */
  tellsOrders = true;
  positions: BookedPosition[] = [];
  readonly #clock: SimulatedClock;
  readonly #start: number;
  readonly #market: MarketState;
  #lastOrder = 100;

  constructor(clock: SimulatedClock, market: MarketState) {
    this.#clock = clock;
    this.#start = clock.now();
    this.#market = market;
  }

  /** Lists the market and reads every feed each second from now on. */
  listen(): void {
    this.tell({ kind: 'market', market: this.#market, cause: 'listed' });
    this.#read();
  }

  tell(message: FeedMessage): void {
    this.feed$.next(message);
  }

  report(order: number, change: Partial<BookedOrder>): void {
    const booked = this.orders.get(order);
    if (booked === undefined) throw new Error(`no order ${order}`);
    const next = { ...booked, ...change, at: instant(this.#clock.now()) };
    this.orders.set(order, next);
    this.tell({ kind: 'order', order: reportOf(next) });
  }

  place(batch: readonly OrderRequest[], mayLeave?: () => boolean): Observable<PlaceReply> {
    if (mayLeave?.() === false) return of({ kind: 'notPlaced', code: 'WITHHELD', details: '' });
    return this.#call('place', () => {
      if (this.placing === 'is refused') return REFUSED;
      if (this.placing === 'is blocked') return { ...REFUSED, isBlocked: true };
      if (this.placing === 'never arrives') return { kind: 'unknown', code: 'TIMEOUT', details: '' };
      const items = batch.map((request) => {
        const order = this.#create(request);
        return { kind: 'accepted', report: reportOf(order) } as const;
      });
      return this.placing === 'loses'
        ? { kind: 'unknown', code: 'CONNECTION_LOST', details: '' }
        : { kind: 'placed', items };
    });
  }

  cancel(orders: readonly number[]): Observable<CancelReply> {
    return this.#call('cancel', () => {
      if (this.cancelling === 'loses') return { kind: 'unknown', code: 'TIMEOUT', details: '' };
      if (this.cancelling !== 'does nothing') for (const order of orders) this.#void(order);
      const reports = orders.flatMap((id) => this.orders.get(id) ?? []).map(reportOf);
      return { kind: 'cancelled', reports };
    });
  }

  heartbeat(timeoutMs: number): Observable<HeartbeatReply> {
    return this.#call('heartbeat', () => {
      if (this.heartbeats === 'are lost') return { kind: 'unknown', code: 'TIMEOUT', details: '' };
      if (!this.isBlocked) this.heartbeatUntil = this.#clock.now() + timeoutMs;
      return { kind: 'heartbeat', active: !this.isBlocked, timeoutMs };
    });
  }

  clearHeartbeat(): Observable<HeartbeatReply> {
    return this.#call('clearHeartbeat', () => {
      this.heartbeatUntil = undefined;
      this.isBlocked = false;
      return { kind: 'heartbeat', active: false, timeoutMs: 0 };
    });
  }

  accountSnapshot(): Observable<AccountSnapshotReply> {
    const from = instant(this.#clock.now());
    return this.#call('books', () => {
      if (!this.tellsBooks) return { kind: 'failed', code: 'TIMEOUT', details: '' };
      const to = instant(this.#clock.now());
      const orders = [...this.orders.values()].filter(
        ({ status }) => status !== 'Cancelled' && status !== 'Won' && status !== 'Lost',
      );
      return { kind: 'books', books: { from, to, orders, positions: this.positions, wallets: [] } };
    });
  }

  adopt(order: number, client: number): void {
    this.adopted.set(order, client);
    const booked = this.orders.get(order);
    if (booked !== undefined) this.orders.set(order, { ...booked, client });
  }

  follow(markets: readonly string[]): void {
    this.followed.push(...markets);
  }

  /** An order under a reference that is none of ours. */
  placeForeign(change: Partial<BookedOrder> = {}): BookedOrder {
    const request: OrderRequest = {
      ...{ client: 0, strategy: 0, wallet: 0, market: 0, outcome: 0, side: 'For', tick: tick(100) },
      ...{ stake: 5e6 as Money, keepWhenInPlay: true, matchBehavior: 'RetainUnmatched' },
    };
    const order = { ...this.#create(request), reference: 'by-hand-1', ...change };
    this.orders.set(order.order, order);
    return order;
  }

  /** The exchange does what it does when the heartbeat was missed. */
  lapseIfDue(): void {
    if (this.heartbeatUntil === undefined || this.#clock.now() < this.heartbeatUntil) return;
    this.heartbeatUntil = undefined;
    this.isBlocked = true;
    for (const order of this.orders.keys()) this.#void(order);
  }

  #void(id: number): void {
    const order = this.orders.get(id);
    if (order === undefined || order.stakeUnmatched === 0) return;
    const status = order.stakeMatched > 0 ? 'Matched' : 'Cancelled';
    const stakeVoided = (order.stakeVoided + order.stakeUnmatched) as Money;
    this.orders.set(id, { ...order, status, stakeVoided, stakeUnmatched: ZERO, at: instant(this.#clock.now()) });
  }

  #create(request: OrderRequest): BookedOrder {
    const { client, wallet, side, stake, outcome } = request;
    this.#lastOrder += 1;
    const order: BookedOrder = {
      ...{ client, wallet, side, stake, tick: request.tick, order: this.#lastOrder, status: 'Unmatched' },
      ...{ stakeMatched: ZERO, winningsMatched: ZERO, stakeUnmatched: stake, stakeVoided: ZERO },
      ...{ at: instant(this.#clock.now()), reference: `run-s-${client}`, marketId: this.#market.facts.id },
      outcomeId: this.#market.facts.outcomes[outcome]?.id ?? '',
    };
    this.orders.set(order.order, order);
    return order;
  }

  #read(): void {
    const at = instant(this.#clock.now());
    this.lapseIfDue();
    if (!this.silent.has('prices')) this.tell({ kind: 'market', market: this.#market, cause: 'prices' });
    if (!this.silent.has('orders') && this.tellsOrders) this.#tellOrders();
    const walletsUnread = [...this.unreadWallets];
    for (const feed of FEED_NAMES) if (!this.silent.has(feed)) this.tell({ kind: 'read', feed, at, walletsUnread });
    this.#clock.at(this.#clock.now() + 1_000, () => this.#read());
  }

  #tellOrders(): void {
    for (const order of this.orders.values())
      if (order.client > 0) this.tell({ kind: 'order', order: reportOf(order) });
  }

  #call<T>(what: string, act: () => T): Observable<T> {
    return new Observable((subscriber) => {
      this.asked.push({ what, at: instant(this.#clock.now()) - this.#start });
      this.#clock.at(this.#clock.now() + ANSWER_MS, () => {
        subscriber.next(act());
        subscriber.complete();
      });
    });
  }
}

function reportOf({ client, order, status, at, ...rest }: BookedOrder): OrderReport {
  const { stakeMatched, winningsMatched, stakeUnmatched, stakeVoided } = rest;
  return { client, order, status, stakeMatched, winningsMatched, stakeUnmatched, stakeVoided, at: instant(at) };
}
