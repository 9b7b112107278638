/** Books what the machine did into the records: wallets that came, money that moved, orders taken, prices changed. */

import { present } from '../../core/assert.ts';
import type { ExchangeEvent } from '../../matching/event.ts';
import type { Exchange } from '../../matching/exchange.ts';
import type { Catalogue } from './catalogue.ts';
import type { Change, MachineCommand } from './change.ts';
import type { Holders } from './holders.ts';

type Place = Extract<MachineCommand, { kind: 'place' }>;

/** What a market that is to be forgotten leaves behind in the records. */
export interface MarketTrace {
  readonly escrowWallet: number;
  /** Wallets with orders in it whose orders are on record. */
  readonly wallets: ReadonlySet<number>;
}

export class Chronicle {
  readonly #exchange: Exchange;
  readonly #catalogue: Catalogue;
  readonly #holders: Holders;

  constructor(exchange: Exchange, catalogue: Catalogue, holders: Holders) {
    this.#exchange = exchange;
    this.#catalogue = catalogue;
    this.#holders = holders;
  }

  /** Books what the machine has told since its log was last cleared; `change` made it, or it fell due. */
  book(change: Change | undefined, trace: MarketTrace | undefined): void {
    const { events } = this.#exchange;
    const place = change?.kind === 'command' && change.command.kind === 'place' ? change.command : undefined;
    const keepsOrders = place !== undefined && !this.#holders.app(place.app).isHouse;
    for (let index = 0; index < events.length; index += 1) {
      const kind = events.kindAt(index);
      // Orders match within one market: that of the request. So placing needs no look at what was matched.
      if (place !== undefined && (kind === 'orderMatched' || kind === 'orderChanged' || kind === 'orderRefused'))
        continue;
      if (kind === 'orderMatched' || kind === 'tradeSettled' || kind === 'tradeRepriced') continue;
      if (place !== undefined && kind === 'orderAccepted') this.#accept(events.read(index), place, keepsOrders);
      else this.#bookRare(events.read(index), change, trace);
    }
  }

  /** Looks at a market before the machine forgets it. */
  traceOf(market: number): MarketTrace | undefined {
    const known = this.#exchange.market(market);
    if (known === undefined) return undefined;
    const wallets = new Set<number>();
    for (const { wallet, app } of this.#exchange.ordersOfMarket(market)) {
      if (!this.#holders.app(app).isHouse) wallets.add(wallet);
    }
    return { escrowWallet: known.escrowWallet, wallets };
  }

  #accept(event: ExchangeEvent, place: Place, keepsOrders: boolean): void {
    if (event.kind !== 'orderAccepted') return;
    const request = present(place.requests[event.item], 'an order is accepted where one was placed');
    if (keepsOrders) this.#holders.wallet(request.wallet).orders.push(event.order);
    this.#touch(request.market);
  }

  #bookRare(event: ExchangeEvent, change: Change | undefined, trace: MarketTrace | undefined): void {
    switch (event.kind) {
      case 'transaction': {
        const { kind, at, ...posting } = event;
        this.#holders.addTransaction({ ...posting, createdAt: at });
        return;
      }
      case 'orderChanged':
        this.#touch(this.#exchange.marketOfOrder(event.order));
        return;
      case 'marketChanged':
      case 'outcomeRemoved':
        this.#touch(event.market);
        return;
      case 'walletCreated': {
        // An escrow is told by marketCreated, which knows whose it is.
        if (event.type === 'MarketEscrow') return;
        const texts = change?.kind === 'createWallet' ? textsOf(change) : {};
        const { app, wallet, type, at } = event;
        this.#holders.addWallet({ wallet, app, type, createdAt: at, ...texts });
        return;
      }
      case 'marketCreated': {
        const { market, escrowWallet: wallet, at } = event;
        const app = present(this.#exchange.market(market), 'a market was made').app;
        this.#holders.addWallet({ wallet, app, type: 'MarketEscrow', market, createdAt: at });
        return;
      }
      case 'eventChanged':
        return this.#eventChanged(event.event, event.at);
      case 'marketForgotten':
        this.#forget(event.market, present(trace, 'a market is looked at before it is forgotten'));
        return;
      default:
        return;
    }
  }

  #eventChanged(event: number, at: Extract<ExchangeEvent, { kind: 'eventChanged' }>['at']): void {
    const record = this.#catalogue.events.get(event);
    if (record !== undefined) record.modifiedAt = at;
    for (const market of this.#exchange.event(event)?.markets ?? []) this.#touch(market);
  }

  #touch(market: number | undefined): void {
    const record = market === undefined ? undefined : this.#catalogue.markets.get(market);
    if (record !== undefined) record.version += 1;
  }

  #forget(market: number, { escrowWallet, wallets }: MarketTrace): void {
    this.#holders.dropWallet(escrowWallet);
    for (const wallet of wallets) {
      this.#holders.keepOrders(wallet, (order) => this.#exchange.marketOfOrder(order) !== undefined);
    }
    this.#catalogue.forgetMarket(market);
  }
}

function textsOf({ reference, description }: Extract<Change, { kind: 'createWallet' }>) {
  return {
    ...(reference === undefined ? {} : { reference }),
    ...(description === undefined ? {} : { description }),
  };
}
