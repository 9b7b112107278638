/** Calls the strategies of a market when its prices are older than allowed. */

import type { Ledger } from '../ledger/ledger.ts';
import type { Step } from '../ledger/step.ts';
import type { MarketEntry } from '../ledger/strategy-in-market.ts';
import type { NoteLog } from '../log/run-log.ts';

export interface PriceWatch {
  readonly ledger: Ledger;
  readonly log: NoteLog;
  readonly budgetMs: number;
}

/** Markets that are over or not open yet are left out: they have no prices. Risk refuses orders by the age of prices, whatever this does. */
export function watchPrices({ ledger, log, budgetMs }: PriceWatch, step: Step): void {
  for (const entry of ledger.marketEntries()) {
    const ageMs = step.at - entry.freshAt;
    const isLate = ageMs > budgetMs && hasPrices(entry);
    if (isLate === entry.isStale) continue;
    entry.isStale = isLate;
    log.noted(step.at, { kind: 'freshness', feed: 'prices', market: entry.state.facts.id, isLate, ageMs, budgetMs });
    if (isLate) for (const inMarket of entry.watchers) step.call(inMarket, 'stale');
  }
}

function hasPrices({ state }: MarketEntry): boolean {
  return state.status === 'Open' || state.status === 'Locking' || state.status === 'Locked';
}
