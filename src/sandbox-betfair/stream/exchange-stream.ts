/**
 * The stream of an exchange that speaks Betfair's API, without sockets: it follows the world turn by turn, and tells its
 * connections. A turn is all that happens at one moment, so that what belongs together is told together.
 */

import { Subscription as Timer } from 'rxjs';
import { STREAM_ERRORS, type StreamErrorCode } from '../../betfair/wire/stream/messages.ts';
import type { MarketSubscription, OrderSubscription } from '../../betfair/wire/stream/requests.ts';
import type { ExchangeEvent } from '../../matching/messages/event.ts';
import { currentWorld } from '../../sandbox/operations/shared/current-world.ts';
import { summarizeChange } from '../../sandbox/stream/change-summary.ts';
import type { Change } from '../../sandbox/world/change.ts';
import { type Account, termsOf } from '../state/accounts.ts';
import type { FaceState } from '../state/face-state.ts';
import { factsOfRecord } from '../state/market-facts.ts';
import { ChangeTexts } from './markets/change-texts.ts';
import { MarketFeed } from './markets/market-feed.ts';
import { MarketPictures } from './markets/market-pictures.ts';
import { AccountOrders } from './orders/account-orders.ts';
import { OrderFeed } from './orders/order-feed.ts';
import { Clocks } from './session/clocks.ts';
import type { Feed } from './session/feed.ts';
import {
  type Failure,
  INVALID_CLOCK,
  type Peer,
  StreamConnection,
  type StreamHub,
  viewOf,
} from './session/stream-connection.ts';
import { SecondWindow, STREAM_LIMITS, type StreamLimits } from './session/stream-limits.ts';
import { StruckLine } from './session/struck-line.ts';
import type { Line, Moment } from './session/subscription.ts';

export interface ExchangeStreamOptions {
  readonly face: FaceState;
  readonly limits?: Partial<StreamLimits>;
  /** Called with an error thrown in a timer, which no caller could catch. */
  readonly onBug: (error: unknown) => void;
}

export class ExchangeStream implements StreamHub {
  readonly limits: StreamLimits;
  readonly clocks: Clocks;
  readonly #face: FaceState;
  readonly #onBug: (error: unknown) => void;
  readonly #pictures: MarketPictures;
  readonly #texts = new ChangeTexts();
  readonly #accounts = new Map<number, AccountOrders>();
  readonly #connections = new Set<StreamConnection>();
  readonly #authentications = new Map<number, SecondWindow>();
  readonly #stopListening: () => void;
  /** What was touched since the last turn: books, markets' own facts, and bets by account. */
  readonly #books = new Set<number>();
  readonly #facts = new Set<number>();
  readonly #orders = new Map<AccountOrders, Set<number>>();
  #timer = new Timer();
  #isTurnDue = false;
  #turn = 0;
  #made = 0;

  constructor({ face, limits, onBug }: ExchangeStreamOptions) {
    const { context } = face;
    this.limits = { ...STREAM_LIMITS, ...limits };
    this.#face = face;
    this.#onBug = onBug;
    this.clocks = new Clocks(context.now());
    const { pastPicturesMax: pastMax } = this.limits;
    this.#pictures = new MarketPictures({ world: context.world, pastMax });
    this.#stopListening = context.world.listen((change, events) => this.#onChange(change, events));
  }

  get clock() {
    return this.#face.context.clock;
  }

  get connections(): ReadonlySet<StreamConnection> {
    return this.#connections;
  }

  /** A new client, which is told who it is. Undefined where there are too many. */
  connect(peer: Peer): StreamConnection | undefined {
    if (this.#connections.size >= this.limits.connectionsMax) return undefined;
    this.#made += 1;
    const id = `002-${this.#face.context.now().toString(36)}-${this.#made}`;
    const connection = new StreamConnection({ id, hub: this, peer });
    this.#connections.add(connection);
    return connection;
  }

  /** Ends all connections, and follows the world no more. */
  close(): void {
    this.#stopListening();
    this.#timer.unsubscribe();
    for (const connection of [...this.#connections]) connection.end();
  }

  moment(): Moment {
    return { turn: this.#turn, now: this.#face.context.now() };
  }

  admit(appKey: string | undefined, session: string | undefined): Account | Failure {
    if (appKey === undefined || appKey === '') return { code: 'NO_APP_KEY', message: 'the app key is missing' };
    if (session === undefined || session === '') return { code: 'NO_SESSION', message: 'the session is missing' };
    const now = this.#face.context.now();
    const account = this.#face.sessions.accountOf(session, now);
    if (account === undefined)
      return { code: 'INVALID_SESSION_INFORMATION', message: 'the session is unknown, ended or over' };
    const window = this.#authentications.get(account.wallet) ?? new SecondWindow(this.limits.authenticationsPerSecond);
    this.#authentications.set(account.wallet, window);
    if (!window.take(now)) return { code: 'TOO_MANY_REQUESTS', message: 'connections are opened too fast' };
    const { connectionsPerAccount } = this.limits;
    if (this.connectionsLeft(account) > 0) return account;
    const message = `an account has at most ${connectionsPerAccount} connections`;
    return { code: 'MAX_CONNECTION_LIMIT_EXCEEDED', message };
  }

  connectionsLeft({ wallet }: Account): number {
    const open = [...this.#connections].filter(({ account }) => account?.wallet === wallet);
    return this.limits.connectionsPerAccount - open.length;
  }

  marketFeed({ username }: Account, request: MarketSubscription, since: number | undefined): Feed | Failure {
    this.#settle();
    // What markets look like after a time without watchers is of a turn that no client has seen.
    this.#turn += 1;
    const { marketsMax } = this.limits;
    const feed = new MarketFeed({
      ...{ world: this.#face.context.world, pictures: this.#pictures, texts: this.#texts, marketsMax },
      wish: request.marketFilter ?? {},
      view: { ...viewOf(request), newFields: termsOf(this.#face, username).newFields },
    });
    if (feed.open(this.#turn, since)) return feed;
    return { code: 'SUBSCRIPTION_LIMIT_EXCEEDED', message: `a subscription has at most ${marketsMax} markets` };
  }

  orderFeed(owner: Account, { orderFilter }: OrderSubscription, since: number | undefined): Feed | Failure {
    this.#settle();
    const { context, bets } = this.#face;
    const { wallet } = owner;
    const parts = { world: context.world, bets, account: owner, turn: this.#turn, logMax: this.limits.pastOrdersMax };
    const account = this.#accounts.get(wallet) ?? new AccountOrders(parts);
    this.#accounts.set(wallet, account);
    if (since !== undefined && account.since(since) === undefined) return INVALID_CLOCK;
    return new OrderFeed(account, orderFilter ?? {});
  }

  lineOf(peer: Peer, { app }: Account, op: 'mcm' | 'ocm'): Line {
    return new StruckLine({ peer, app, op, clock: this.clock, faults: this.#face.faults });
  }

  struck(operation: string, account: Account | undefined): Failure | 'cut' | undefined {
    const { faults } = this.#face;
    if (faults.isQuiet) return undefined;
    const strike = faults.strike({ operation, url: '', app: account?.app, isNamedOnly: true }, this.clock.now());
    if (strike?.drop !== undefined) return 'cut';
    const code = streamErrorOf(strike?.answer?.code);
    return code === undefined ? undefined : { code, message: 'an injected fault' };
  }

  ended(connection: StreamConnection): void {
    this.#connections.delete(connection);
  }

  #onChange(change: Change | undefined, events: readonly ExchangeEvent[]): void {
    const { world } = this.#face.context;
    const { books, markets, orders, forgotten, events: moved } = summarizeChange(world, change, events);
    for (const market of forgotten) this.#forget(market);
    for (const market of [...books, ...shownBy(change)]) if (this.#pictures.isWatched(market)) this.#books.add(market);
    for (const market of markets) this.#facts.add(market);
    if (moved.size > 0)
      for (const { market, event } of world.catalogue.markets.values()) if (moved.has(event)) this.#facts.add(market);
    if (this.#accounts.size > 0) for (const order of orders) this.#touch(order);
    if (this.#books.size + this.#facts.size + this.#orders.size === 0 || this.#isTurnDue) return;
    this.#isTurnDue = true;
    this.#timer = this.clock.schedule(() => this.#takeTurn());
  }

  #touch(order: number): void {
    const account = this.#accounts.get(this.#face.context.world.exchange.order(order)?.wallet ?? -1);
    if (account === undefined) return;
    this.#orders.set(account, (this.#orders.get(account) ?? new Set()).add(order));
  }

  #forget(market: number): void {
    this.#pictures.forget(market);
    for (const account of this.#accounts.values()) account.forget(market);
    for (const feed of this.#feeds()) feed.forget(market);
  }

  #takeTurn(): void {
    this.#isTurnDue = false;
    try {
      currentWorld(this.#face.context);
      this.#settle();
      for (const connection of [...this.#connections]) connection.flush();
    } catch (error) {
      this.#onBug(error);
    }
  }

  /** Notes in all feeds what was touched since the last turn. */
  #settle(): void {
    if (this.#books.size + this.#facts.size + this.#orders.size === 0) return;
    this.#turn += 1;
    this.#texts.clear();
    const feeds = [...this.#feeds()];
    for (const market of new Set([...this.#books, ...this.#facts]))
      if (this.#pictures.isWatched(market) && this.#pictures.look(market, this.#turn))
        for (const feed of feeds) if (feed.op === 'mcm') feed.note(market);
    for (const market of this.#facts) this.#offer(market, feeds);
    for (const account of this.#accounts.values()) {
      const changes = account.changed(this.#orders.get(account) ?? [], this.#turn);
      const closed = [...this.#facts].flatMap((market) => account.closed(market, this.#turn));
      for (const feed of feeds) if (feed.op === 'ocm') feed.note(account, [...changes, ...closed]);
    }
    for (const touched of [this.#books, this.#facts, this.#orders]) touched.clear();
  }

  /** A market whose own facts changed may be wanted from now on. */
  #offer(market: number, feeds: readonly (MarketFeed | OrderFeed)[]): void {
    const { world } = this.#face.context;
    const record = world.catalogue.markets.get(market);
    const facts = record === undefined ? undefined : factsOfRecord(world, record);
    if (facts === undefined) return;
    for (const feed of feeds) if (feed.op === 'mcm') feed.consider(facts, this.#turn);
  }

  *#feeds(): IterableIterator<MarketFeed | OrderFeed> {
    for (const { feeds } of this.#connections)
      for (const feed of feeds) if (feed instanceof MarketFeed || feed instanceof OrderFeed) yield feed;
  }
}

export function streamErrorOf(code: string | undefined): StreamErrorCode | undefined {
  return STREAM_ERRORS.find((each) => each === code);
}

/** The market of which a change may have no event: what is shown beside its prices, and its last prices. */
function shownBy(change: Change | undefined): readonly number[] {
  if (change?.kind === 'showMarket') return [change.market];
  if (change?.kind === 'command' && change.command.kind === 'setLastPrice') return [change.command.market];
  return [];
}
