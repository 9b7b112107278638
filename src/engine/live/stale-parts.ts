/** Finds the markets and wallets that are older than allowed by themselves, while their feed is read. */

import type { Ledger } from '../ledger/ledger.ts';
import type { Step } from '../ledger/step.ts';
import type { MarketEntry } from '../ledger/strategy-in-market.ts';
import type { NoteLog } from '../log/run-log.ts';
import type { FeedAges } from './feed-ages.ts';

export interface StaleWatch {
  readonly ledger: Ledger;
  readonly log: NoteLog;
  readonly feeds: FeedAges;
}

/** What each market says the age of by itself. */
export const OWN_FEEDS = ['markets', 'prices'] as const;

/** Calls the strategies of the market. Risk refuses orders by these ages at each approval, whatever this does. */
export function watchStale({ ledger, log, feeds }: StaleWatch, step: Step): void {
  for (const entry of ledger.marketEntries()) {
    const { stale, state } = entry;
    for (const feed of OWN_FEEDS) {
      const ageMs = takesMatches(entry) ? ownAgeMs(entry, feed, step.at) : 0;
      const budgetMs = feeds.budgetMs(feed);
      const wasLate = stale.has(feed);
      // Where the whole feed of markets is late, that is noted once for all, and stops orders everywhere.
      const isLate = ageMs > budgetMs && (wasLate || feed === 'prices' || !feeds.isLate(feed));
      if (isLate === wasLate) continue;
      if (isLate) stale.add(feed);
      else stale.delete(feed);
      log.noted(step.at, { kind: 'freshness', feed, market: state.facts.id, isLate, ageMs, budgetMs });
      if (isLate) for (const inMarket of entry.watchers) step.call(inMarket, 'stale');
    }
  }
}

/** Stops new orders from a wallet of which nothing is known. Strategies are not called for it: it says nothing about a market. */
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

/** How long ago the prices of a market were known, or its status; 0 where the market says nothing of that. */
export function ownAgeMs({ state, freshAt }: MarketEntry, feed: (typeof OWN_FEEDS)[number], now: number): number {
  return now - (feed === 'prices' ? freshAt : (state.statusFreshAt ?? now));
}

/** Whether orders may rest in the market and match. One that is over or not open yet has no prices either. */
export function takesMatches({ state }: MarketEntry): boolean {
  return state.status === 'Open' || state.status === 'Locking' || state.status === 'Locked';
}
