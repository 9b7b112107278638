/**
 * Restores what an earlier process of the run knew into the parts of the gateway, so that nothing is lost and nothing is
 * reported twice.
 */

import type { RunState } from '../../core/run/run-state.ts';
import type { MarketTable } from '../markets/market-table.ts';
import type { KnownOrders } from './known-orders.ts';
import type { OrderUpdates } from './order-updates.ts';
import type { UnknownOrders } from './unknown-orders.ts';

/**
 * Every order without a result whose exchange id is known is reported once, changed or not; the others are looked up by their references. The
 * markets of all these orders are followed, and so are the markets whose reported result may still change.
 */
export function resume(
  { orders, results }: RunState,
  parts: {
    readonly table: MarketTable;
    readonly known: KnownOrders;
    readonly unknown: UnknownOrders;
    readonly updates: OrderUpdates;
  },
): void {
  for (const order of orders) {
    parts.updates.restore(order.terms.client);
    const isNamed = order.report !== undefined || order.foreignOrder !== undefined;
    if (isNamed) parts.known.restore(order);
    else parts.unknown.restore(order);
  }
  parts.table.follow([...orders.map(({ terms }) => terms.market), ...results.map(({ market }) => market)]);
}
