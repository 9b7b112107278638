/** Turns each change of the world into the stream's messages: each is written once and sent to all who may see it. */

import type { SubscriptionType } from '../../betdex/wire/basics/enums.ts';
import { amountToWire } from '../../betdex/wire/codec/decimals.ts';
import type { Money } from '../../core/number/units.ts';
import type { ExchangeEvent } from '../../matching/messages/event.ts';
import type { OrderView } from '../../matching/state/views.ts';
import type { Change } from '../world/change.ts';
import { countOfId, numericId } from '../world/ids.ts';
import type { World } from '../world/world.ts';
import { foldChange, type WalletMove } from './fold.ts';
import { frame } from './frame.ts';
import { eventUpdate, marketUpdate, statusUpdate } from './market-news.ts';
import { foreignOrderUpdate, orderUpdate } from './order-news.ts';
import type { Peer } from './peer.ts';
import type { PriceBooks } from './price-books.ts';
import type { SnapshotQueues } from './snapshot-queues.ts';
import { ALL, type Subscriptions } from './subscriptions.ts';
import { orderTopics, orderViewFor, seesMarket, seesWallet } from './visibility.ts';

/** What was last known of a market, to tell what a change made of it. */
interface Standing {
  readonly published: boolean;
  readonly open: boolean;
}

const UNKNOWN: Standing = { published: false, open: false };

export class Feed {
  readonly books: PriceBooks;
  readonly #world: World;
  readonly #subscriptions: Subscriptions<Peer>;
  readonly #snapshots: SnapshotQueues;
  readonly #standings = new Map<number, Standing>();

  constructor(parts: {
    readonly world: World;
    readonly books: PriceBooks;
    readonly subscriptions: Subscriptions<Peer>;
    readonly snapshots: SnapshotQueues;
  }) {
    this.#world = parts.world;
    this.books = parts.books;
    this.#subscriptions = parts.subscriptions;
    this.#snapshots = parts.snapshots;
    for (const market of this.#world.exchange.marketIds()) this.#standings.set(market, this.#standingOf(market));
  }

  /** A listener of the world. */
  hear(change: Change | undefined, happened: readonly ExchangeEvent[]): void {
    const fold = foldChange(this.#world, change, happened);
    for (const market of fold.forgotten) this.#forget(market);
    const before = this.#moveStandings(fold.markets);
    for (const event of fold.events) this.#tellEvent(event);
    for (const step of fold.statuses) this.#tellStatus(step, before.get(step.market) ?? UNKNOWN);
    for (const market of fold.markets) this.#tellMarket(market, before.get(market) ?? UNKNOWN);
    for (const market of fold.books) this.#tellPrices(market, before.get(market));
    for (const order of fold.orders) this.#tellOrder(order);
    for (const move of fold.wallets) this.#tellWallet(move);
  }

  /** The markets whose snapshot a new subscription to prices begins with. */
  marketsOf(peer: Peer, id: string): readonly number[] {
    const { caller } = peer;
    if (caller === undefined) return [];
    const sees = (market: number): boolean => {
      const record = this.#world.catalogue.markets.get(market);
      return record !== undefined && seesMarket(caller, record.app, this.#standing(market).published);
    };
    if (id === ALL) return [...this.#standings].flatMap(([market, { open }]) => (open && sees(market) ? [market] : []));
    const market = countOfId(id);
    return market !== undefined && sees(market) ? [market] : [];
  }

  #tellEvent(event: number): void {
    const peers = this.#subscribers('EventUpdate', event);
    if (peers.size > 0) sendAll(peers, frame(eventUpdate(this.#world, event)));
  }

  #tellStatus(step: Parameters<typeof statusUpdate>[2], before: Standing): void {
    const record = this.#world.catalogue.markets.get(step.market);
    if (record === undefined) return;
    const peers = this.#watchers('MarketStatusUpdate', step.market, before);
    if (peers.length > 0) sendAll(peers, frame(statusUpdate(this.#world, record, step)));
  }

  #tellMarket(market: number, before: Standing): void {
    const record = this.#world.catalogue.markets.get(market);
    if (record === undefined) return;
    const peers = this.#watchers('MarketUpdate', market, before);
    if (peers.length > 0) sendAll(peers, frame(marketUpdate(this.#world, record)));
  }

  /** `before` only where the market itself changed. */
  #tellPrices(market: number, before: Standing | undefined): void {
    const peers = this.#subscribers('MarketPriceUpdate', market);
    if (peers.size === 0) return this.books.drop(market);
    const increment = this.books.increment(market);
    for (const peer of this.#whoSees(peers, market, this.#standing(market))) {
      if (before !== undefined && this.#isNewTo(peer, market, before)) this.#snapshots.ask(peer, [market]);
      else if (increment !== undefined && !this.#snapshots.isWaiting(peer, market)) peer.send(increment);
    }
  }

  /** A market that opens, or is published, may hold stake from before; `*` is about open markets. */
  #isNewTo(peer: Peer, market: number, before: Standing): boolean {
    const { published, open } = this.#standing(market);
    if (open && !before.open) return true;
    const isNamed = this.#subscriptions.has(peer, 'MarketPriceUpdate', numericId(market));
    return published && !before.published && (open || isNamed);
  }

  #tellOrder(id: number): void {
    if (!this.#subscriptions.hasAny('OrderUpdate')) return;
    const order = this.#world.exchange.order(id);
    if (order === undefined) return;
    const peers = this.#subscriptions.of('OrderUpdate', orderTopics(this.#world, order));
    if (peers.size === 0) return;
    const views = [...peers].map((peer) => ({ peer, view: this.#orderView(peer, order) }));
    const owners = views.filter(({ view }) => view === 'own').map(({ peer }) => peer);
    const others = views.filter(({ view }) => view === 'foreign').map(({ peer }) => peer);
    if (owners.length + others.length === 0) return;
    const update = orderUpdate(this.#world, order);
    if (owners.length > 0) sendAll(owners, frame(update));
    if (others.length > 0) sendAll(others, frame(foreignOrderUpdate(update)));
  }

  /** Foreign orders are shown under `*` alone, and only in markets that are published. */
  #orderView(peer: Peer, order: OrderView): 'own' | 'foreign' | undefined {
    const view = peer.caller === undefined ? undefined : orderViewFor(this.#world, peer.caller, order);
    if (view !== 'foreign') return view;
    const isPublic = this.#standing(order.market).published;
    return isPublic && this.#subscriptions.has(peer, 'OrderUpdate', ALL) ? view : undefined;
  }

  #tellWallet({ wallet, currency, change }: WalletMove): void {
    if (!this.#subscriptions.hasAny('WalletUpdate')) return;
    const record = this.#world.holders.wallets.get(wallet);
    if (record === undefined) return;
    const peers = this.#subscriptions.of('WalletUpdate', [record.id, ALL]);
    const seeing = [...peers].filter(({ caller }) => caller !== undefined && seesWallet(caller, record));
    if (seeing.length === 0) return;
    const balance = this.#world.exchange.account(wallet, currency)?.balance ?? (0 as Money);
    const update = {
      ...({
        type: 'WalletUpdate',
        walletId: record.id,
        currencyId: this.#world.catalogue.currencyId(currency),
      } as const),
      ...{ balance: amountToWire(balance), change: amountToWire(change) },
    };
    sendAll(seeing, frame(update));
  }

  #forget(market: number): void {
    this.#standings.delete(market);
    this.books.drop(market);
    this.#snapshots.dropMarket(market);
  }

  /** Answers how the markets stood before. */
  #moveStandings(markets: ReadonlySet<number>): ReadonlyMap<number, Standing> {
    const before = new Map<number, Standing>();
    for (const market of markets) {
      before.set(market, this.#standing(market));
      this.#standings.set(market, this.#standingOf(market));
    }
    return before;
  }

  #standing(market: number): Standing {
    return this.#standings.get(market) ?? UNKNOWN;
  }

  #standingOf(market: number): Standing {
    const view = this.#world.exchange.market(market);
    return view === undefined ? UNKNOWN : { published: view.published, open: view.status === 'Open' };
  }

  #subscribers(type: SubscriptionType, count: number): ReadonlySet<Peer> {
    return this.#subscriptions.hasAny(type) ? this.#subscriptions.of(type, [numericId(count), ALL]) : NOBODY;
  }

  /** Who may hear of a market's own change: the one that withdraws it is the last for those it was published to. */
  #watchers(type: SubscriptionType, market: number, before: Standing): readonly Peer[] {
    const published = before.published || this.#standing(market).published;
    return this.#whoSees(this.#subscribers(type, market), market, { published });
  }

  #whoSees(peers: ReadonlySet<Peer>, market: number, { published }: Pick<Standing, 'published'>): readonly Peer[] {
    const owner = this.#world.catalogue.markets.get(market)?.app;
    if (peers.size === 0 || owner === undefined) return [];
    return [...peers].filter(({ caller }) => caller !== undefined && seesMarket(caller, owner, published));
  }
}

const NOBODY: ReadonlySet<Peer> = new Set();

function sendAll(peers: Iterable<Peer>, text: Buffer): void {
  for (const peer of peers) peer.send(text);
}
