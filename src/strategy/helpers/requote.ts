/** Turns the orders that stand into the quotes that are wanted, with as few intents as that takes. */

import type { Intent, PlaceIntent } from '../../core/intent.ts';
import type { OrderView } from '../views/views.ts';
import { cancel, replace } from './place.ts';

/**
 * Own orders at a wanted price stay, with their place in the queue; others on the same side of the same outcome move
 * there; quotes without an order are placed; orders without a quote are cancelled. Prices are compared, stakes are
 * not: an order that has matched in part still is its quote. What is on its way, or of unknown fate, is left alone
 * and counts as its quote meanwhile, so nothing is sent twice.
 *
 * @example
 * decide: ({ market, orders }) =>
 *   requote(orders, favourites(market, 1).map((o) => back(o, { stake: 5, price: o.bestFor?.price })))
 */
export function requote(orders: readonly OrderView[], quotes: readonly PlaceIntent[]): readonly Intent[] {
  const loose = new Set(orders);
  const unmet = quotes.filter((quote) => !takeOut(loose, quote, (order) => order.price === quote.price));
  const intents: Intent[] = [];
  for (const quote of unmet) {
    const order = takeOut(loose, quote, () => true);
    if (order === undefined) intents.push(quote);
    else if (isStanding(order)) intents.push(replace(order, { price: quote.price }));
  }
  for (const order of loose) if (isStanding(order)) intents.push(cancel(order));
  return intents;
}

function takeOut(
  loose: Set<OrderView>,
  quote: PlaceIntent,
  suits: (order: OrderView) => boolean,
): OrderView | undefined {
  for (const order of loose) {
    if (order.outcomeId !== quote.outcome || order.side !== quote.side || order.marketId !== quote.market) continue;
    if (!suits(order)) continue;
    loose.delete(order);
    return order;
  }
  return undefined;
}

function isStanding(order: OrderView): boolean {
  return order.inFlight === undefined && !order.unknown;
}
