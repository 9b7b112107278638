/** Tells the feed of orders, each after the market that it is in: what comes before is held until that is listed. */

import { ignoreElements, type Observable, tap } from 'rxjs';
import type { OrderReport } from '../../exchange/gateway.ts';
import type { MarketTable } from './market-table.ts';
import type { Wiring } from './wiring.ts';

export class OrderNews {
  /** Does the work; emits nothing. */
  readonly run$: Observable<never>;
  readonly #wiring: Wiring;
  readonly #table: MarketTable;
  /** By market id and order: the newest report of each, in the order in which the orders were first heard of. */
  readonly #held = new Map<string, Map<number, OrderReport>>();

  constructor(wiring: Wiring, table: MarketTable) {
    this.#wiring = wiring;
    this.#table = table;
    this.run$ = table.listed$.pipe(
      tap(({ facts }) => this.#release(facts.id)),
      ignoreElements(),
    );
  }

  /** A market that nobody follows yet is followed from now on. */
  tell(report: OrderReport, marketId: string): void {
    if (this.#table.wasListed(marketId)) return this.#wiring.tell({ kind: 'order', order: report });
    const held = this.#held.get(marketId) ?? new Map<number, OrderReport>();
    this.#held.set(marketId, held.set(report.order, report));
    this.#table.follow([marketId]);
  }

  #release(marketId: string): void {
    const held = this.#held.get(marketId);
    this.#held.delete(marketId);
    for (const order of held?.values() ?? []) this.#wiring.tell({ kind: 'order', order });
  }
}
