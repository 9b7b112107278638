/** Books what the machine did into the records: wallets that came, money that moved, orders taken, prices changed. */

import { present } from '../../core/assert.ts';
import type { ExchangeEvent } from '../../matching/event.ts';
import type { Exchange } from '../../matching/exchange.ts';
import type { Catalogue } from './catalogue.ts';
import type { Change } from './change.ts';
import type { Holders } from './holders.ts';

export class Chronicle {
  readonly #exchange: Exchange;
  readonly #catalogue: Catalogue;
  readonly #holders: Holders;

  constructor(exchange: Exchange, catalogue: Catalogue, holders: Holders) {
    this.#exchange = exchange;
    this.#catalogue = catalogue;
    this.#holders = holders;
  }

  /** `change` is the one that made the event; absent where something fell due. */
  book(event: ExchangeEvent, change: Change | undefined): void {
    switch (event.kind) {
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
      case 'transaction': {
        const { kind, at, ...posting } = event;
        this.#holders.addTransaction({ ...posting, createdAt: at });
        return;
      }
      case 'orderAccepted':
        this.#orderAccepted(event, change);
        return;
      case 'orderMatched':
      case 'orderChanged':
        this.#touch(this.#exchange.marketOfOrder(event.order));
        return;
      case 'marketChanged':
      case 'outcomeRemoved':
        this.#touch(event.market);
        return;
      case 'marketForgotten':
        this.#forget(event.market);
        return;
      default:
        return;
    }
  }

  #orderAccepted(event: Extract<ExchangeEvent, { kind: 'orderAccepted' }>, change: Change | undefined): void {
    const command = change?.kind === 'command' && change.command.kind === 'place' ? change.command : undefined;
    const request = present(command?.requests[event.item], 'an order is accepted where one was placed');
    if (!this.#holders.app(event.app).isHouse) this.#holders.wallet(request.wallet).orders.push(event.order);
    this.#touch(request.market);
  }

  #touch(market: number | undefined): void {
    const record = market === undefined ? undefined : this.#catalogue.markets.get(market);
    if (record !== undefined) record.version += 1;
  }

  #forget(market: number): void {
    const holders = this.#holders;
    for (const { wallet, type, orders } of [...holders.wallets.values()]) {
      const isGone = type === 'MarketEscrow' && this.#exchange.wallet(wallet) === undefined;
      if (isGone) holders.dropWallet(wallet);
      const kept = orders.filter((order) => this.#exchange.order(order) !== undefined);
      if (kept.length < orders.length) orders.splice(0, orders.length, ...kept);
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
