/** A wallet's orders of a period, counted and summed by their status (profile section 7). */

import type { Money } from '../../core/number/units.ts';
import { CANCELLED, FAILED, LOST, MATCHED, VOIDED, WON } from '../messages/codes.ts';
import { NONE } from '../records/order-columns.ts';
import type { State } from './state.ts';

/** `total` is the sum of stakes, `count` the number of orders. */
export interface Metric {
  readonly total: Money;
  readonly count: number;
}

/** A wallet's orders by how they stand. */
export interface WalletMetrics {
  readonly open: Metric;
  readonly matched: Metric;
  readonly cancelled: Metric;
  readonly settled: Metric;
  readonly voided: Metric;
}

/** Selects orders created from `from` to `to`, both included, in markets of the currency that are not forgotten. */
export interface MetricsQuery {
  readonly wallet: number;
  readonly currency: number;
  readonly from: number;
  readonly to: number;
}

/** Counts and sums a wallet's orders. Takes time in proportion to the wallet's remembered orders. */
export function walletMetrics(state: State, query: MetricsQuery): WalletMetrics {
  const counts = { open: none(), matched: none(), cancelled: none(), settled: none(), voided: none() };
  const { orders, positions } = state;
  let position = state.accounts.wallets.get(query.wallet)?.firstPosition ?? NONE;
  for (; position !== NONE; position = positions.walletNext[position] ?? NONE) {
    if (positions.markets[position]?.currency !== query.currency) continue;
    let slot = positions.firstOrder[position] ?? NONE;
    for (; slot !== NONE; slot = orders.positionNext(slot)) {
      const createdAt = orders.createdAt(slot);
      if (createdAt < query.from || createdAt > query.to) continue;
      const metric = counts[keyOf(orders.status(slot))];
      metric.total = (metric.total + orders.stake(slot)) as Money;
      metric.count += 1;
    }
  }
  return counts;
}

/**
 * Which metric counts orders of a status. Pending, Unmatched and PartiallyMatched are the statuses with unmatched
 * stake.
 */
function keyOf(status: number): keyof WalletMetrics {
  if (status === MATCHED) return 'matched';
  if (status === CANCELLED || status === FAILED) return 'cancelled';
  if (status === WON || status === LOST) return 'settled';
  return status === VOIDED ? 'voided' : 'open';
}

function none(): { total: Money; count: number } {
  return { total: 0 as Money, count: 0 };
}
