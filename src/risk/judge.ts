/** Decides of one order, in the order of intents, whether it may be sent. */

import { assert, fail } from '../core/checks/assert.ts';
import { unmatchedRisk } from '../core/exposure.ts';
import { priceOfTick } from '../core/number/ladder.ts';
import { type Money, ZERO } from '../core/number/units.ts';
import type { Refusal } from '../core/refusal.ts';
import { sideIndex } from '../core/side.ts';
import { guard } from './guards.ts';
import type { JudgeContext, JudgedOrder } from './judged-order.ts';
import {
  amounts,
  coolDownRefusal,
  fundsRefusal,
  limitsLosses,
  lossRefusal,
  reduceOnlyRefusal,
  settledLossRefusal,
} from './loss-limits.ts';
import { orderRefusal, orderToMatchRefusal } from './order-limits.ts';

/** Made by `judge` alone, so that only a judged order can be sent. Its stake is reserved already. */
class ApprovedOrder<Order extends JudgedOrder> {
  readonly kind = 'approved';
  readonly order: Order;
  readonly #isJudged = true;

  constructor(order: Order) {
    this.order = order;
    assert(this.#isJudged, 'an approval is of a judged order');
  }
}

export type Approved<Order extends JudgedOrder = JudgedOrder> = ApprovedOrder<Order>;

export function isApproved<Order extends JudgedOrder>(verdict: Approved<Order> | Refusal): verdict is Approved<Order> {
  return verdict instanceof ApprovedOrder;
}

/**
 * Approves an order and reserves its whole stake at once, so that the next order is judged with it included; or says
 * why not, and changes nothing. Cancels are never judged.
 *
 * Checked in this order, the first failure being the answer: halted, not ready, state unknown, strategy halted,
 * heartbeat, market's risk off, market open, not suspended, outcome active, not below the exchange's minimum, prices fresh, price near the book; then the
 * limit per order, reduce-only, the limits per outcome, market, event, strategy and wallet, funds, self-match, live
 * orders per market and in all, rate, daily and rolling loss, cool-down, order-to-match. An order that does not raise a
 * loss is never refused for that loss, not even above the limit, and a hedge (matched in full it lowers what the
 * strategy's matched bets can lose) is never refused for its own size, so risk can always be reduced. The stake must be
 * positive.
 */
export function judge<Order extends JudgedOrder>(order: Order, context: JudgeContext): Approved<Order> | Refusal {
  if (!(order.stake > 0)) fail(`a stake is positive, got ${order.stake}`);
  const refusal = guard(order, context) ?? limitRefusal(order, context);
  if (refusal !== undefined) return refusal;
  context.exposure.reserve(order, order.stake);
  context.state.orderSent(context.now);
  return new ApprovedOrder(order);
}

/** 8.8 million units: above any market's money, and low enough that the sums of a thousand such orders stay exact. */
const ORDER_LOSS_MAX = (2 ** 43) as Money;

function limitRefusal(order: JudgedOrder, context: JudgeContext): Refusal | undefined {
  const { exposure } = context;
  const { limits } = context.state;
  const loss = unmatchedRisk(sideIndex(order.side), order.stake, priceOfTick(order.tick));
  const most = Math.min(limits.order ?? ORDER_LOSS_MAX, ORDER_LOSS_MAX) as Money;
  const isTooLarge = loss > ORDER_LOSS_MAX || (loss > most && !exposure.isHedge(order, order.stake));
  if (isTooLarge) return amounts('LIMIT_ORDER', { limit: most, value: ZERO, wouldBe: loss });
  return (
    reduceOnlyRefusal(order, context) ??
    (limitsLosses(limits) ? lossRefusal(order, context) : undefined) ??
    fundsRefusal(order, context, loss) ??
    orderRefusal(order, context) ??
    settledLossRefusal(order, context) ??
    coolDownRefusal(order, context) ??
    orderToMatchRefusal(order, context)
  );
}
