/** In which market each order is: a cancellation names one market, and the port's orders come without theirs. */

export class OrderMarkets {
  readonly #markets = new Map<number, string>();

  note(order: number, marketId: string): void {
    this.#markets.set(order, marketId);
  }

  marketOf(order: number): string | undefined {
    return this.#markets.get(order);
  }

  ordersIn(marketId: string): readonly number[] {
    return [...this.#markets].flatMap(([order, market]) => (market === marketId ? [order] : []));
  }

  /** Forgets the orders of a market that is closed for good. */
  drop(marketId: string): void {
    for (const order of this.ordersIn(marketId)) this.#markets.delete(order);
  }
}
