/** Updates the records from the exchange machine's events: new wallets, transactions, versions of markets. */

import { defined } from '../../core/checks/assert.ts';
import type { Exchange } from '../../matching/exchange.ts';
import type { ExchangeEvent } from '../../matching/messages/event.ts';
import type { AppRegistry } from './app-registry.ts';
import type { Catalogue } from './catalogue.ts';
import type { Change } from './change.ts';
import type { ClearedOrders } from './cleared-orders.ts';

export class RecordKeeper {
  readonly #exchange: Exchange;
  readonly #catalogue: Catalogue;
  readonly #registry: AppRegistry;

  readonly #cleared: ClearedOrders | undefined;

  constructor(parts: {
    readonly exchange: Exchange;
    readonly catalogue: Catalogue;
    readonly registry: AppRegistry;
    readonly cleared: ClearedOrders | undefined;
  }) {
    this.#exchange = parts.exchange;
    this.#catalogue = parts.catalogue;
    this.#registry = parts.registry;
    this.#cleared = parts.cleared;
  }

  /**
   * Processes the machine's events since its log was last cleared. `change` caused them; undefined: they became due.
   */
  book(change: Change | undefined): void {
    const { events } = this.#exchange;
    const place = change?.kind === 'command' && change.command.kind === 'place' ? change.command : undefined;
    // Fast path: orders match within the market of their request, so the events of single orders need not be read.
    for (const { market } of place?.requests ?? []) this.#touch(market);
    for (let index = 0; index < events.length; index += 1) {
      const kind = events.kindAt(index);
      if (kind === 'transaction') this.#bookTransaction(index);
      else if (place === undefined && !isPart(kind)) this.#bookEvent(events.read(index), change);
    }
  }

  #bookTransaction(index: number): void {
    const { events } = this.#exchange;
    const transaction = this.#registry.countTransaction();
    if (!this.#registry.keepsHistory(events.walletAt(index))) return;
    const event = events.read(index);
    if (event.kind !== 'transaction') return;
    const { kind, at, ...posting } = event;
    this.#registry.wallet(event.wallet).transactions.push({ transaction, ...posting, createdAt: at });
  }

  #bookEvent(event: ExchangeEvent, change: Change | undefined): void {
    switch (event.kind) {
      case 'orderChanged':
        this.#touch(this.#exchange.marketOfOrder(event.order));
        return;
      case 'tradeRepriced':
        this.#cleared?.repriced(event.trade);
        return;
      case 'marketChanged':
      case 'outcomeRemoved':
        this.#touch(event.market);
        return;
      case 'walletCreated': {
        // An escrow is added at marketCreated, which knows its market.
        if (event.type === 'MarketEscrow') return;
        const texts = change?.kind === 'createWallet' ? textsOf(change) : {};
        const { app, wallet, type, at } = event;
        this.#registry.addWallet({ wallet, app, type, createdAt: at, ...texts });
        return;
      }
      case 'marketCreated': {
        const { market, escrowWallet: wallet, at } = event;
        const app = defined(this.#exchange.market(market), 'a market was made').app;
        this.#registry.addWallet({ wallet, app, type: 'MarketEscrow', market, createdAt: at });
        return;
      }
      case 'eventChanged':
        return this.#eventChanged(event.event, event.at);
      case 'marketForgotten':
        return this.#forget(event.market);
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

  #forget(market: number): void {
    const record = this.#catalogue.markets.get(market);
    if (record === undefined) return;
    this.#registry.dropEscrow(record.app, market);
    this.#catalogue.forgetMarket(market);
  }
}

function textsOf({ reference, description }: Extract<Change, { kind: 'createWallet' }>) {
  return {
    ...(reference === undefined ? {} : { reference }),
    ...(description === undefined ? {} : { description }),
  };
}

/** Kinds of events that always come with another event about the same order or market, which is processed instead. */
function isPart(kind: ExchangeEvent['kind']): boolean {
  return kind === 'orderMatched' || kind === 'tradeSettled';
}
