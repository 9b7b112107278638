/** What a live or paper run must still learn before it may trade. */

import type { Ledger } from '../ledger/ledger.ts';
import type { OrderTerms, OwnOrder } from '../ledger/own-order.ts';
import type { FeedAges } from './feed-ages.ts';
import { OWN_FEEDS, ownAgeMs } from './stale-parts.ts';

export interface KnownSoFar {
  readonly feeds: FeedAges;
  /** Why the run's clock is not trusted. */
  readonly clockDoubt: string | undefined;
  /** When the last comparison of ledger and exchange was asked for that found nothing new, ms UTC. */
  readonly provenSince: number;
  /** Comparisons that were asked for before this prove nothing. */
  readonly resyncRequiredAt: number;
}

/** Text of the first thing that is missing; undefined where nothing is. */
export function missingForTrading(ledger: Ledger, known: KnownSoFar): string | undefined {
  const { feeds, clockDoubt, provenSince, resyncRequiredAt } = known;
  if (clockDoubt !== undefined) return `a clock that is right: ${clockDoubt}`;
  if (!feeds.hasAll) return 'a first whole reading of all feeds';
  const late = feeds.late.filter((feed) => feed !== 'prices');
  if (late.length > 0) return `a reading of ${late.join(', ')}`;
  const [market] = ledger.restored.markets;
  if (market !== undefined) return `market ${market}, in which the run has orders`;
  for (const order of ledger.liveOrders()) if (order.unknown) return `the fate of order ${order.id}`;
  if (provenSince < resyncRequiredAt) return 'a comparison of ledger and exchange';
  return undefined;
}

export interface Approval {
  readonly ledger: Ledger;
  readonly feeds: FeedAges;
  /** When trading moved, or a resync was required. */
  readonly movedAt: number;
}

/** Whether what let orders pass still holds after they waited to be sent. */
export function areStillApproved(approval: Approval, orders: readonly OwnOrder[], now: number): boolean {
  return orders.every(({ terms }) => isStillApproved(approval, terms, now));
}

function isStillApproved({ ledger, feeds, movedAt }: Approval, order: OrderTerms, now: number): boolean {
  const { market, strategy, wallet, sentAt } = order;
  const { risk } = ledger;
  if (sentAt < movedAt || risk.marketsOff.has(market) || risk.haltedStrategies.has(strategy)) return false;
  const entry = ledger.entryAt(market);
  if (entry === undefined || feeds.isWalletLate(wallet, now)) return false;
  return OWN_FEEDS.every((feed) => ownAgeMs(entry, feed, now) <= feeds.budgetMs(feed));
}
