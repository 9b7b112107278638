/** What the port's indexes stand for, in the words of the configuration: those are what a journal keeps. */

/** The strategy of orders that no strategy of this process placed. */
export const ADOPTED = '(adopted)';

export interface RunNames {
  /** By the index of the seat; each once. */
  readonly strategies: readonly string[];
  /** By the port's wallet. */
  readonly wallets: readonly string[];
}

export const NO_NAMES: RunNames = { strategies: [], wallets: [] };

export function strategyName(names: RunNames, index: number): string {
  return names.strategies[index] ?? ADOPTED;
}

/** Orders of a strategy that is not seated count for the market, the event and the wallet, under an index of their own. */
export function strategyIndex(names: RunNames, name: string): number {
  const index = names.strategies.indexOf(name);
  return index < 0 ? names.strategies.length : index;
}

export function walletName(names: RunNames, index: number): string {
  return names.wallets[index] ?? String(index);
}
