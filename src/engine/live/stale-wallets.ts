/** Stops new orders from a wallet of the run that could not be read for longer than wallets may be old, while others are read. */

import type { Step } from '../ledger/step.ts';
import type { StaleWatch } from './stale-markets.ts';

/** Strategies are not called for it: no wallet that is late says anything about a market. */
export function watchWallets({ ledger, log, feeds }: StaleWatch, { at }: Step): void {
  const { risk, names } = ledger;
  const budgetMs = feeds.budgetMs('wallets');
  for (const [wallet, name] of names.wallets.entries()) {
    const isLate = feeds.isWalletLate(wallet, at);
    if (isLate === risk.walletsStale.has(wallet)) continue;
    risk.setWalletStale(wallet, isLate);
    const ageMs = feeds.walletAgeMs(wallet, at);
    log.noted(at, { kind: 'freshness', feed: 'wallets', wallet: name, isLate, ageMs, budgetMs });
  }
}
