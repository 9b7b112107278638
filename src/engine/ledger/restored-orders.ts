/** Orders of an earlier process of the run, until the markets they are in are heard of again. */

import { defined } from '../../core/checks/assert.ts';
import type { Tick } from '../../core/number/ladder.ts';
import { instant } from '../../core/number/units.ts';
import type { SentOrder } from '../../core/run/kept-order.ts';
import type { RestoredOrder } from '../../core/run/run-state.ts';
import type { OrderReport } from '../../exchange/gateway.ts';
import type { OrderTerms } from './own-order.ts';
import { type RunNames, strategyIndex } from './run-names.ts';
import type { MarketEntry } from './strategy-in-market.ts';

/** What was said of an order before its market was heard of. */
export type PendingReport = OrderReport | 'absent';

export interface Returning {
  readonly order: RestoredOrder;
  /** In the order in which it came. */
  readonly news: readonly PendingReport[];
}

export class RestoredOrders {
  readonly #byMarket = new Map<string, RestoredOrder[]>();
  readonly #newsByClient = new Map<number, PendingReport[]>();

  constructor(orders: readonly RestoredOrder[]) {
    for (const order of orders) {
      const { market, client } = order.terms;
      this.#byMarket.set(market, [...(this.#byMarket.get(market) ?? []), order]);
      this.#newsByClient.set(client, []);
    }
  }

  /** Markets that are still waited for. */
  get markets(): readonly string[] {
    return [...this.#byMarket.keys()];
  }

  get count(): number {
    return this.#newsByClient.size;
  }

  /** Whether the order waits for its market. */
  has(client: number): boolean {
    return this.#newsByClient.has(client);
  }

  /** Keeps what is said of an order that waits; says whether there is one. */
  hear(client: number, news: PendingReport): boolean {
    const known = this.#newsByClient.get(client);
    known?.push(news);
    return known !== undefined;
  }

  /** The market is here: its orders wait no more. */
  take(market: string): readonly Returning[] {
    const orders = this.#byMarket.get(market) ?? [];
    this.#byMarket.delete(market);
    return orders.map((order) => {
      const { client } = order.terms;
      const news = this.#newsByClient.get(client) ?? [];
      this.#newsByClient.delete(client);
      return { order, news };
    });
  }
}

/** Kept terms with this process's indexes. */
export function termsOf(kept: SentOrder, sentAt: number, entry: MarketEntry, names: RunNames): OrderTerms {
  const { client, marketName, outcome, outcomeTitle, side, stake, keepWhenInPlay, matchBehavior } = kept;
  return {
    ...{ client, marketName, outcomeTitle, side, keepWhenInPlay, matchBehavior },
    marketId: kept.market,
    outcomeId: outcome,
    strategy: strategyIndex(names, kept.strategy),
    wallet: Math.max(0, names.wallets.indexOf(kept.wallet)),
    market: entry.state.index,
    outcome: defined(entry.outcomeById.get(outcome), `market ${kept.market} has no outcome ${outcome} any more`),
    tick: kept.tick as Tick,
    stake,
    sentAt: instant(sentAt),
  };
}
