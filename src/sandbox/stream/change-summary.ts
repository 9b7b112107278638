/** Collects what one change of the world touched: each market, order and wallet once. */

import type { Money } from '../../core/number/units.ts';
import type { ExchangeEvent } from '../../matching/messages/event.ts';
import type { Change } from '../world/change.ts';
import type { World } from '../world/world.ts';

export type MarketChanged = Extract<ExchangeEvent, { readonly kind: 'marketChanged' }>;

export interface WalletMove {
  readonly wallet: number;
  readonly currency: number;
  readonly change: Money;
}

/** What a change touched, by the exchange machine's numbers, in the order of the first touch. */
export interface ChangeSummary {
  readonly events: ReadonlySet<number>;
  /** Every step of a market's status, including intermediate ones. */
  readonly statuses: readonly MarketChanged[];
  /** Markets whose own facts changed. */
  readonly markets: ReadonlySet<number>;
  /** Markets whose prices may have changed. */
  readonly books: ReadonlySet<number>;
  readonly forgotten: ReadonlySet<number>;
  readonly orders: ReadonlySet<number>;
  /** Wallets whose balance changed. */
  readonly wallets: readonly WalletMove[];
}

export function summarizeChange(
  world: World,
  change: Change | undefined,
  happened: readonly ExchangeEvent[],
): ChangeSummary {
  const gathering = new SummaryBuilder(world);
  if (change?.kind === 'setEventTimes') gathering.events.add(change.event);
  for (const event of happened) gathering.add(event);
  return gathering.build();
}

class SummaryBuilder {
  readonly events = new Set<number>();
  readonly #world: World;
  readonly #statuses: MarketChanged[] = [];
  readonly #markets = new Set<number>();
  readonly #books = new Set<number>();
  readonly #forgotten = new Set<number>();
  readonly #orders = new Set<number>();
  readonly #moves = new Map<string, WalletMove>();

  constructor(world: World) {
    this.#world = world;
  }

  add(event: ExchangeEvent): void {
    switch (event.kind) {
      case 'eventCreated':
      case 'eventChanged':
        this.events.add(event.event);
        return;
      case 'marketCreated':
        this.#markets.add(event.market);
        return;
      case 'marketChanged':
        this.#statuses.push(event);
        this.#markets.add(event.market);
        this.#books.add(event.market);
        return;
      case 'outcomeRemoved':
        this.#markets.add(event.market);
        this.#books.add(event.market);
        return;
      case 'marketForgotten':
        this.#forgotten.add(event.market);
        return;
      case 'orderAccepted':
      case 'orderMatched':
      case 'orderChanged':
      case 'orderReduced':
        this.#addOrder(event.order);
        return;
      case 'tradeRepriced':
      case 'tradeSettled':
        this.#addOrder(this.#world.exchange.trade(event.trade)?.order);
        return;
      case 'transaction':
        this.#addMove(event.wallet, event.currency, event.amount);
        return;
      default:
        return;
    }
  }

  build(): ChangeSummary {
    for (const market of this.#forgotten) {
      this.#markets.delete(market);
      this.#books.delete(market);
    }
    return {
      events: this.events,
      statuses: this.#statuses.filter(({ market }) => !this.#forgotten.has(market)),
      markets: this.#markets,
      books: this.#books,
      forgotten: this.#forgotten,
      orders: this.#orders,
      wallets: [...this.#moves.values()].filter(({ change }) => change !== 0),
    };
  }

  #addOrder(order: number | undefined): void {
    const market = order === undefined ? undefined : this.#world.exchange.marketOfOrder(order);
    if (order === undefined || market === undefined) return;
    this.#orders.add(order);
    this.#books.add(market);
  }

  #addMove(wallet: number, currency: number, amount: Money): void {
    const key = `${wallet} ${currency}`;
    const change = ((this.#moves.get(key)?.change ?? 0) + amount) as Money;
    this.#moves.set(key, { wallet, currency, change });
  }
}
