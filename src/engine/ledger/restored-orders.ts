/** Orders of an earlier process of the run, which wait until the feed brings their markets. */

import { defined } from '../../core/checks/assert.ts';
import type { Tick } from '../../core/number/ladder.ts';
import { instant } from '../../core/number/units.ts';
import type { SentOrder } from '../../core/run/kept-order.ts';
import type { RestoredOrder } from '../../core/run/run-state.ts';
import type { OrderReport } from '../../exchange/gateway.ts';
import type { OrderTerms } from './own-order.ts';
import { type RunNames, strategyIndex } from './run-names.ts';
import type { MarketEntry } from './strategy-in-market.ts';

/** What was reported of an order before the feed brought its market; `absent`: it is proven never to have been created. */
export type PendingReport = OrderReport | 'absent';

/** An order whose market has come. */
export interface ReturningOrder {
  readonly order: RestoredOrder;
  /** What was reported of it while it waited, oldest first. */
  readonly reports: readonly PendingReport[];
}

export class RestoredOrders {
  readonly #byMarket = new Map<string, RestoredOrder[]>();
  readonly #reportsByClient = new Map<number, PendingReport[]>();

  constructor(orders: readonly RestoredOrder[]) {
    for (const order of orders) {
      const { market, client } = order.terms;
      this.#byMarket.set(market, [...(this.#byMarket.get(market) ?? []), order]);
      this.#reportsByClient.set(client, []);
    }
  }

  /** Ids of the markets that orders wait for. */
  get markets(): readonly string[] {
    return [...this.#byMarket.keys()];
  }

  /** Whether the order waits for its market. */
  has(client: number): boolean {
    return this.#reportsByClient.has(client);
  }

  /** Keeps a report of an order until its market comes; of an order that does not wait, it does nothing. */
  keepReport(client: number, report: PendingReport): void {
    this.#reportsByClient.get(client)?.push(report);
  }

  /** The market has come: hands out its orders, which wait no more. */
  takeOrdersOf(market: string): readonly ReturningOrder[] {
    const orders = this.#byMarket.get(market) ?? [];
    this.#byMarket.delete(market);
    return orders.map((order) => {
      const { client } = order.terms;
      const reports = this.#reportsByClient.get(client) ?? [];
      this.#reportsByClient.delete(client);
      return { order, reports };
    });
  }
}

/** An order's terms as the journal keeps them, by name, with the indexes that this process uses. */
export function termsOf(kept: SentOrder, sentAt: number, entry: MarketEntry, names: RunNames): OrderTerms {
  const { client, marketName, outcome, outcomeTitle, side, stake, keepWhenInPlay, matchBehavior, note } = kept;
  return {
    client,
    marketName,
    outcomeTitle,
    side,
    keepWhenInPlay,
    matchBehavior,
    note,
    marketId: kept.market,
    eventId: kept.event ?? entry.state.facts.eventId,
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
