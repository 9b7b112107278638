/** Turns each change of the world into stream messages. Each message is encoded once and sent to all who may see it. */

import type { SubscriptionType } from '../../betdex/wire/basics/enums.ts';
import { amountToWire } from '../../betdex/wire/codec/decimals.ts';
import type { Money } from '../../core/number/units.ts';
import type { ExchangeEvent } from '../../matching/messages/event.ts';
import type { OrderView } from '../../matching/state/views.ts';
import { isVisible } from '../operations/catalogue/visible-market.ts';
import { mayUse } from '../operations/shared/scope.ts';
import type { Change } from '../world/change.ts';
import { countOfId, numericId } from '../world/ids.ts';
import type { World } from '../world/world.ts';
import { summarizeChange, type WalletMove } from './change-summary.ts';
import { frame } from './frame.ts';
import { eventUpdate, marketUpdate, statusUpdate } from './market-messages.ts';
import { foreignOrderUpdate, orderUpdate } from './order-messages.ts';
import type { Peer } from './peer.ts';
import type { PriceBooks } from './price-books.ts';
import type { SnapshotQueues } from './snapshot-queues.ts';
import { ALL, type Subscriptions } from './subscriptions.ts';
import { orderTopics, orderViewFor } from './visibility.ts';

/** The last known state of a market, to recognise what a change altered. */
interface MarketFlags {
  readonly published: boolean;
  readonly open: boolean;
}

const UNKNOWN: MarketFlags = { published: false, open: false };

export class Feed {
  readonly books: PriceBooks;
  readonly #world: World;
  readonly #subscriptions: Subscriptions<Peer>;
  readonly #snapshots: SnapshotQueues;
  readonly #flagsByMarket = new Map<number, MarketFlags>();

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
    for (const market of this.#world.exchange.marketIds()) this.#flagsByMarket.set(market, this.#currentFlags(market));
  }

  /** Listener of the world: sends the messages of one change. */
  onChange(change: Change | undefined, happened: readonly ExchangeEvent[]): void {
    const fold = summarizeChange(this.#world, change, happened);
    for (const market of fold.forgotten) this.#forget(market);
    const before = this.#updateFlags(fold.markets);
    for (const event of fold.events) this.#sendEvent(event);
    for (const step of fold.statuses) this.#sendStatus(step, before.get(step.market) ?? UNKNOWN);
    for (const market of fold.markets) this.#sendMarket(market, before.get(market) ?? UNKNOWN);
    for (const market of fold.books) this.#sendPrices(market, before.get(market));
    for (const order of fold.orders) this.#sendOrder(order);
    for (const move of fold.wallets) this.#sendWallet(move);
  }

  /** The markets whose snapshots start a new subscription to prices. */
  marketsOf(peer: Peer, id: string): readonly number[] {
    const { caller } = peer;
    if (caller === undefined) return [];
    const sees = (market: number): boolean => {
      const record = this.#world.catalogue.markets.get(market);
      return record !== undefined && isVisible({ app: record.app, published: this.#flagsOf(market).published }, caller);
    };
    if (id === ALL)
      return [...this.#flagsByMarket].flatMap(([market, { open }]) => (open && sees(market) ? [market] : []));
    const market = countOfId(id);
    return market !== undefined && sees(market) ? [market] : [];
  }

  #sendEvent(event: number): void {
    const peers = this.#subscribers('EventUpdate', event);
    if (peers.size > 0) sendAll(peers, frame(eventUpdate(this.#world, event)));
  }

  #sendStatus(step: Parameters<typeof statusUpdate>[2], before: MarketFlags): void {
    const record = this.#world.catalogue.markets.get(step.market);
    if (record === undefined) return;
    const peers = this.#viewersOf('MarketStatusUpdate', step.market, before);
    if (peers.length > 0) sendAll(peers, frame(statusUpdate(this.#world, record, step)));
  }

  #sendMarket(market: number, before: MarketFlags): void {
    const record = this.#world.catalogue.markets.get(market);
    if (record === undefined) return;
    const peers = this.#viewersOf('MarketUpdate', market, before);
    if (peers.length > 0) sendAll(peers, frame(marketUpdate(this.#world, record)));
  }

  /** `before` is undefined where only orders changed, not the market itself. */
  #sendPrices(market: number, before: MarketFlags | undefined): void {
    const peers = this.#subscribers('MarketPriceUpdate', market);
    if (peers.size === 0) return this.books.drop(market);
    const increment = this.books.increment(market);
    for (const peer of this.#viewersAmong(peers, market, this.#flagsOf(market))) {
      if (before !== undefined && this.#needsSnapshot(peer, market, before))
        this.#snapshots.requestSnapshots(peer, [market]);
      else if (increment !== undefined && !this.#snapshots.isWaiting(peer, market)) peer.send(increment);
    }
  }

  /**
   * Whether the subscriber needs a new snapshot: a market that opens or is published may hold older stake. `*` covers
   * open markets only.
   */
  #needsSnapshot(peer: Peer, market: number, before: MarketFlags): boolean {
    const { published, open } = this.#flagsOf(market);
    if (open && !before.open) return true;
    const isNamed = this.#subscriptions.has(peer, 'MarketPriceUpdate', numericId(market));
    return published && !before.published && (open || isNamed);
  }

  #sendOrder(id: number): void {
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

  /** How the connection sees an order. Foreign orders are shown only under `*` and only in published markets. */
  #orderView(peer: Peer, order: OrderView): 'own' | 'foreign' | undefined {
    const view = peer.caller === undefined ? undefined : orderViewFor(this.#world, peer.caller, order);
    if (view !== 'foreign') return view;
    const isPublic = this.#flagsOf(order.market).published;
    return isPublic && this.#subscriptions.has(peer, 'OrderUpdate', ALL) ? view : undefined;
  }

  #sendWallet({ wallet, currency, change }: WalletMove): void {
    if (!this.#subscriptions.hasAny('WalletUpdate')) return;
    const record = this.#world.registry.wallets.get(wallet);
    if (record === undefined) return;
    const peers = this.#subscriptions.of('WalletUpdate', [record.id, ALL]);
    const seeing = [...peers].filter(({ caller }) => caller !== undefined && mayUse(this.#world, caller, wallet));
    if (seeing.length === 0) return;
    const balance = this.#world.exchange.account(wallet, currency)?.balance ?? (0 as Money);
    const update = frame({
      type: 'WalletUpdate',
      walletId: record.id,
      currencyId: this.#world.catalogue.currencyId(currency),
      balance: amountToWire(balance),
      change: amountToWire(change),
    });
    sendAll(seeing, update);
  }

  #forget(market: number): void {
    this.#flagsByMarket.delete(market);
    this.books.drop(market);
    this.#snapshots.dropMarket(market);
  }

  /** Updates the known states of the markets; returns the states before. */
  #updateFlags(markets: ReadonlySet<number>): ReadonlyMap<number, MarketFlags> {
    const before = new Map<number, MarketFlags>();
    for (const market of markets) {
      before.set(market, this.#flagsOf(market));
      this.#flagsByMarket.set(market, this.#currentFlags(market));
    }
    return before;
  }

  #flagsOf(market: number): MarketFlags {
    return this.#flagsByMarket.get(market) ?? UNKNOWN;
  }

  #currentFlags(market: number): MarketFlags {
    const view = this.#world.exchange.market(market);
    return view === undefined ? UNKNOWN : { published: view.published, open: view.status === 'Open' };
  }

  #subscribers(type: SubscriptionType, count: number): ReadonlySet<Peer> {
    return this.#subscriptions.hasAny(type) ? this.#subscriptions.of(type, [numericId(count), ALL]) : NO_PEERS;
  }

  /**
   * The connections that receive a market's own change. The change that unpublishes a market is the last one for those
   * who are not its owner.
   */
  #viewersOf(type: SubscriptionType, market: number, before: MarketFlags): readonly Peer[] {
    const published = before.published || this.#flagsOf(market).published;
    return this.#viewersAmong(this.#subscribers(type, market), market, { published });
  }

  #viewersAmong(
    peers: ReadonlySet<Peer>,
    market: number,
    { published }: Pick<MarketFlags, 'published'>,
  ): readonly Peer[] {
    const owner = this.#world.catalogue.markets.get(market)?.app;
    if (peers.size === 0 || owner === undefined) return [];
    return [...peers].filter(({ caller }) => caller !== undefined && isVisible({ app: owner, published }, caller));
  }
}

const NO_PEERS: ReadonlySet<Peer> = new Set();

function sendAll(peers: Iterable<Peer>, text: Buffer): void {
  for (const peer of peers) peer.send(text);
}
