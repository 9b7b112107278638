/** Which results were reported before: a second report of a market's result in a wallet is a correction of the first. */

export class ReportedResults {
  readonly #walletsByMarket = new Map<string, Set<number>>();

  /** Notes that the wallet's result in the market was reported, and says whether it had been before. */
  add(market: string, wallet: number): boolean {
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
