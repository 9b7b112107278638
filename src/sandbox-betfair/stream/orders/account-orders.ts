/** One account's bets as its order streams see them, with a bounded log of what changed for clients that come back with a clock. */

import { defined } from '../../../core/checks/assert.ts';
import type { OrderView } from '../../../matching/state/views.ts';
import type { World } from '../../../sandbox/world/world.ts';
import type { Account } from '../../state/accounts.ts';
import type { Bets } from '../../state/bets.ts';
import { factsOfRecord, type MarketFacts } from '../../state/market-facts.ts';
import { type MatchedBet, type Matches, matchesOf } from './matches.ts';
import { streamOrder } from './order-document.ts';

/** A bet that clients may see. Its text is what they are sent. */
export interface SeenOrder extends MatchedBet {
  readonly id: number;
  readonly outcome: number;
  readonly isLive: boolean;
  readonly text: string;
}

export interface SeenMarket {
  readonly market: number;
  readonly facts: MarketFacts;
  readonly orders: Map<number, SeenOrder>;
  /** By outcome. */
  readonly matches: Map<number, Matches>;
  /** Outcomes whose matches are to be summed up again. */
  readonly moved: Set<number>;
  isClosed: boolean;
}

/** That a bet changed, or without one that its market is over. */
export interface OrderChange {
  readonly turn: number;
  readonly market: number;
  readonly order: SeenOrder | undefined;
}

export interface AccountOrdersParts {
  readonly world: World;
  readonly bets: Bets;
  readonly account: Account;
  readonly turn: number;
  /** The most changes in the log. */
  readonly logMax: number;
}

export class AccountOrders {
  readonly wallet: number;
  readonly #parts: AccountOrdersParts;
  readonly #markets = new Map<number, SeenMarket>();
  readonly #log: OrderChange[] = [];
  /** The last turn of which the log does not know everything that came later. */
  #lostTurn: number;

  constructor(parts: AccountOrdersParts) {
    this.#parts = parts;
    this.wallet = parts.account.wallet;
    this.#lostTurn = parts.turn - 1;
    for (const { order } of parts.bets.ofWallet(this.wallet)) this.#look(order.id);
    this.#refreshMatches();
    for (const seen of this.#markets.values()) seen.isClosed = this.#isOver(seen.market);
  }

  get markets(): ReadonlyMap<number, SeenMarket> {
    return this.#markets;
  }

  /** Looks again at bets that were touched, and tells what clients see of it. */
  changed(orders: Iterable<number>, turn: number): readonly OrderChange[] {
    const changes: OrderChange[] = [];
    for (const id of orders) {
      const found = this.#look(id);
      if (found !== undefined) changes.push({ turn, ...found });
    }
    this.#refreshMatches();
    return this.#logged(changes);
  }

  /** The market may be over now. */
  closed(market: number, turn: number): readonly OrderChange[] {
    const seen = this.#markets.get(market);
    if (seen === undefined || seen.isClosed || !this.#isOver(market)) return [];
    seen.isClosed = true;
    return this.#logged([{ turn, market, order: undefined }]);
  }

  forget(market: number): void {
    this.#markets.delete(market);
  }

  /** What changed after a turn; undefined where the log does not reach back so far. */
  since(turn: number): readonly OrderChange[] | undefined {
    if (turn <= this.#lostTurn) return undefined;
    return this.#log.filter((change) => change.turn > turn && this.#markets.has(change.market));
  }

  #logged(changes: readonly OrderChange[]): readonly OrderChange[] {
    this.#log.push(...changes);
    const surplus = this.#log.length - this.#parts.logMax;
    if (surplus > 0) this.#lostTurn = defined(this.#log.splice(0, surplus).at(-1), 'something was cut off').turn - 1;
    return changes;
  }

  #look(id: number): Omit<OrderChange, 'turn'> | undefined {
    const bet = this.#parts.bets.get(id);
    if (bet === undefined || bet.order.wallet !== this.wallet || !isPlaced(bet.order)) return undefined;
    const { market, outcome } = bet.order;
    const seen = this.#markets.get(market) ?? this.#addMarket(market);
    if (seen === undefined) return undefined;
    const document = streamOrder(bet);
    const before = seen.orders.get(id);
    const { side, status } = bet.order;
    // What was matched of a void bet is void as well.
    const trades = status === 'Voided' ? [] : [...this.#parts.world.exchange.tradesOfOrder(id)];
    const isLive = document.status === 'E';
    const order = { id, outcome, side, strategy: document.rfs, isLive, text: JSON.stringify(document), trades };
    if (before?.text === order.text) return undefined;
    seen.orders.set(id, order);
    if (trades.length > 0 || (before?.trades.length ?? 0) > 0) seen.moved.add(outcome);
    return { market, order };
  }

  /** Sums up what was matched on the runners whose bets were touched. */
  #refreshMatches(): void {
    const { penny } = this.#parts.account;
    for (const { orders, matches, moved } of this.#markets.values()) {
      for (const outcome of moved)
        matches.set(
          outcome,
          matchesOf(
            [...orders.values()].filter((order) => order.outcome === outcome),
            penny,
          ),
        );
      moved.clear();
    }
  }

  #addMarket(market: number): SeenMarket | undefined {
    const { world } = this.#parts;
    const record = world.catalogue.markets.get(market);
    const facts = record === undefined ? undefined : factsOfRecord(world, record);
    if (facts === undefined) return undefined;
    const seen: SeenMarket = {
      market,
      facts,
      orders: new Map(),
      matches: new Map(),
      moved: new Set(),
      isClosed: false,
    };
    this.#markets.set(market, seen);
    return seen;
  }

  #isOver(market: number): boolean {
    const record = this.#parts.world.catalogue.markets.get(market);
    return record !== undefined && factsOfRecord(this.#parts.world, record)?.status === 'CLOSED';
  }
}

/** An order that waits for the end of its delay is not visible yet, and one that the delay ended badly never is. */
function isPlaced({ status }: OrderView): boolean {
  return status !== 'Pending' && status !== 'Failed';
}
