/** Decides of one order, in the order of intents, whether it may be sent. */

import { assert, fail } from '../core/checks/assert.ts';
import type { Refusal } from '../core/refusal.ts';
import type { JudgedOrder } from './exposure/exposed.ts';
import type { RiskState } from './risk-state.ts';
import type { RuleContext } from './rule.ts';

/** The caller may keep one such object and change it between calls; nothing of it is retained. */
interface JudgeContext extends RuleContext {
  readonly state: RiskState;
}

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
 * why not, and changes nothing. The stake must be positive. Cancels are never judged.
 */
export function judge<Order extends JudgedOrder>(order: Order, context: JudgeContext): Approved<Order> | Refusal {
  if (!(order.stake > 0)) fail(`a stake is positive, got ${order.stake}`);
  const effect = context.exposure.effectOf(order);
  for (const { refuse, limit } of context.state.rules) {
    const refusal = refuse(order, effect, context, limit);
    if (refusal !== undefined) return refusal;
  }
  context.exposure.reserve(order, order.stake);
  context.state.history.sent(context.now);
  return new ApprovedOrder(order);
}
