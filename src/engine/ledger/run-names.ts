/** The configuration's names of strategies and wallets: a journal names things by them, never by an index. */

/** Name under which orders count that no strategy of this process placed. */
export const ADOPTED = '(adopted)';

export interface RunNames {
  /** The strategies' names, by the strategy's index; no name twice. */
  readonly strategies: readonly string[];
  /** The wallets' names, by the wallet's index. */
  readonly wallets: readonly string[];
}

export const NO_NAMES: RunNames = { strategies: [], wallets: [] };

export function strategyName(names: RunNames, index: number): string {
  return names.strategies[index] ?? ADOPTED;
}

/**
 * The index under which a strategy's orders count. Those of a strategy that is not configured any more share one of their own,
 * and count in the limits of market, event and wallet.
 */
export function strategyIndex(names: RunNames, name: string): number {
  const index = names.strategies.indexOf(name);
  return index < 0 ? names.strategies.length : index;
}

export function walletName(names: RunNames, index: number): string {
  return names.wallets[index] ?? String(index);
}
