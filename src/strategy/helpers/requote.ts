/** Turns the live orders into the wanted quotes with as few intents as possible. */

import type { Intent, PlaceIntent } from '../../core/intent.ts';
import { isBelowMinimum } from '../decision/below-minimum.ts';
import type { OrderView } from '../views/views.ts';
import { cancel, replace } from './place.ts';

/**
 * Orders at a wanted price stay and keep their place in the queue. Other orders on the same side of the same outcome
 * are moved to the wanted price. Quotes without an order are placed, orders without a quote are cancelled. Only prices
 * are compared, not stakes: a partly matched order still counts as its quote, until less is left of it than the exchange accepts as an order:
 * such a remainder is cancelled, and its quote placed anew. Orders on their way, being cancelled or of unknown fate
 * are left alone and count as their quote, so nothing is sent twice. An order
 * that is moved takes the note of its quote.
 *
 * @example
 * decide: ({ market, orders }) =>
 *   requote(orders, favourites(market, 1).map((o) => back(o, { stake: 5, price: o.bestFor?.price })))
 */
export function requote(orders: readonly OrderView[], quotes: readonly PlaceIntent[]): readonly Intent[] {
  const loose = new Set(orders.filter((order) => !isRemainder(order)));
  const unmet = quotes.filter((quote) => !takeOut(loose, quote, (order) => order.price === quote.price));
  const intents: Intent[] = [];
  for (const quote of unmet) {
    const order = takeOut(loose, quote, () => true);
    if (order === undefined) intents.push(quote);
    else if (isStanding(order)) intents.push(replace(order, { price: quote.price, note: quote.note }));
  }
  for (const order of orders) {
    if ((loose.has(order) || isRemainder(order)) && isStanding(order)) intents.push(cancel(order));
  }
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

/** Too little to be placed again somewhere else, and hardly a quote: nobody waits behind it. */
function isRemainder(order: OrderView): boolean {
  return isBelowMinimum(order, { stake: order.stakeUnmatched, price: order.price });
}

function isStanding(order: OrderView): boolean {
  return order.inFlight === undefined && !order.unknown && !order.cancelling;
}
