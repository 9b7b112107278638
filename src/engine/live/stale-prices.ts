/** Tells the strategies of a market that its prices are older than they may be. */

import type { Ledger } from '../ledger/ledger.ts';
import type { MarketDesk } from '../ledger/runtime.ts';
import type { Turn } from '../ledger/turn.ts';
import type { NoteLog } from '../log/run-log.ts';

export interface PriceWatch {
  readonly ledger: Ledger;
  readonly log: NoteLog;
  readonly budgetMs: number;
}

/** Markets that are over or not open yet have no prices to wait for. Risk refuses by the age itself. */
export function watchPrices({ ledger, log, budgetMs }: PriceWatch, turn: Turn): void {
  for (const desk of ledger.desks()) {
    const ageMs = turn.at - desk.freshAt;
    const isLate = ageMs > budgetMs && hasPrices(desk);
    if (isLate === desk.isStale) continue;
    desk.isStale = isLate;
    log.noted(turn.at, { kind: 'freshness', feed: 'prices', market: desk.state.facts.id, isLate, ageMs, budgetMs });
    if (isLate) for (const runtime of desk.watchers) turn.call(runtime, 'stale');
  }
}

function hasPrices({ state }: MarketDesk): boolean {
  return state.status === 'Open' || state.status === 'Locking' || state.status === 'Locked';
}
