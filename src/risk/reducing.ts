/** Which orders can only reduce what may be lost: they pass where, and while, others do not. */

import type { Money } from '../core/number/units.ts';
import type { ExposureBook } from './exposure/exposure-book.ts';
import type { JudgedOrder } from './judged-order.ts';

/** Why an order does not reduce: a loss before and with it, and what it may not exceed. Below zero it is a profit. */
export interface Rise {
  readonly limit: Money;
  readonly value: Money;
  readonly wouldBe: Money;
}

/**
 * An order reduces where both hold:
 * 1. What can be lost at most, whatever is filled and whoever wins, rises neither for its market over all strategies nor
 *    for its strategy or its wallet there. It is not R: by R an order that closes a back at longer odds, or a lay at
 *    short ones, raises what the exchange asks for, although it can only lower the loss.
 * 2. Matched in full at its limit it betters the worst result of the strategy's matched bets there, and half of it would
 *    not better that more. So nothing new grows behind a resting order that risks more, no profit that is certain is
 *    risked again, and what closes a position does not turn it round.
 *
 * No fill, in part or at a better price, and no cancellation raises what can be lost at most: what is accepted now
 * cannot raise it later either. Answers the first figure that stands against it; undefined where the order reduces.
 */
export function riseOf(order: JudgedOrder, exposure: ExposureBook): Rise | undefined {
  const rise = exposure.possibleRise(order, order.stake);
  if (rise !== undefined) return { ...rise, limit: rise.value };
  const value = exposure.lossAtWorst(order);
  const wouldBe = exposure.lossAtWorstWith(order, order.stake);
  if (wouldBe >= value) return { limit: value, value, wouldBe };
  const limit = exposure.lossAtWorstWith(order, Math.floor(order.stake / 2) as Money);
  return wouldBe > limit ? { limit, value, wouldBe } : undefined;
}
