/** The limits on orders as such, whatever they would risk: how many, how fast, and never against ourselves. */

import { decimalOfTick, NO_TICK, tick } from '../core/number/ladder.ts';
import type { Refusal, RefusalCode } from '../core/refusal.ts';
import { crosses, oppositeIndex, sideIndex } from '../core/side.ts';
import type { JudgeContext, JudgedOrder } from './judged-order.ts';
import type { OrderToMatchLimit } from './limits/limits.ts';
import { riseOf } from './reducing.ts';

/** None of them lets reducing orders pass: a cancellation, which always passes, makes room. */
export function orderRefusal(order: JudgedOrder, context: JudgeContext): Refusal | undefined {
  const { state, exposure, now } = context;
  const { selfMatch, ordersPerMarket, liveOrders, ordersPerSecond } = state.limits;
  if (selfMatch === 'refuse') {
    const refusal = selfMatchRefusal(order, context);
    if (refusal !== undefined) return refusal;
  }
  if (ordersPerMarket !== undefined) {
    const live = exposure.liveOrdersInMarket(order.market);
    if (live >= ordersPerMarket) return oneMore('LIMIT_ORDERS_PER_MARKET', ordersPerMarket, live);
  }
  if (liveOrders !== undefined && exposure.liveOrders >= liveOrders) {
    return oneMore('LIMIT_LIVE_ORDERS', liveOrders, exposure.liveOrders);
  }
  if (ordersPerSecond === undefined) return undefined;
  const sent = state.history.ordersInSecond(now);
  return sent >= ordersPerSecond ? oneMore('LIMIT_RATE', ordersPerSecond, sent) : undefined;
}

function oneMore(code: RefusalCode, limit: number, value: number): Refusal {
  return { code, limit, value, wouldBe: value + 1 };
}

/**
 * The exchange lets us match ourselves (profile section 6), which costs and moves no risk, and which others may take
 * for manipulation. Each of our orders counts as long as it may match, its cancellation on its way or not.
 */
function selfMatchRefusal(order: JudgedOrder, context: JudgeContext): Refusal | undefined {
  const side = sideIndex(order.side);
  const own = context.exposure.bestOwnTick(order.market, order.outcome, oppositeIndex(side));
  if (own === NO_TICK || !crosses(side, order.tick, own)) return undefined;
  const price = decimalOfTick(tick(own));
  return { code: 'SELF_MATCH', limit: price, value: price, wouldBe: decimalOfTick(order.tick) };
}

/** The exchange's patience with orders that never match; closing a position does not wait for it. */
export function orderToMatchRefusal(order: JudgedOrder, context: JudgeContext): Refusal | undefined {
  const limit = context.state.limits.orderToMatch;
  if (limit === undefined) return undefined;
  const refusal = ratioRefusal(limit, context);
  return refusal === undefined || riseOf(order, context.exposure) === undefined ? undefined : refusal;
}

function ratioRefusal({ ratio, minimumOrders, hours }: OrderToMatchLimit, context: JudgeContext): Refusal | undefined {
  const { history } = context.state;
  const sent = history.ordersSent(context.now, hours);
  if (sent < minimumOrders) return undefined;
  const matched = Math.max(1, history.ordersMatched(context.now, hours));
  if (sent + 1 <= ratio * matched) return undefined;
  return { code: 'ORDER_TO_MATCH', limit: ratio, value: sent / matched, wouldBe: (sent + 1) / matched };
}
