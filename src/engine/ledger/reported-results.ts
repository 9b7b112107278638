/** Which results were told before: another word on them is a difference, and no further result. */

export class ReportedResults {
  readonly #walletsByMarket = new Map<string, Set<number>>();

  /** Says whether this wallet's result in the market was told before, and from now on it was. */
  tell(market: string, wallet: number): boolean {
    const wallets = this.#walletsByMarket.get(market) ?? new Set();
    this.#walletsByMarket.set(market, wallets);
    const isKnown = wallets.has(wallet);
    wallets.add(wallet);
    return isKnown;
  }

  drop(market: string): void {
    this.#walletsByMarket.delete(market);
  }
}
