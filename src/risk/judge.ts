/** Decides of one order, in the order of intents, whether it may be sent. */

import { assert } from '../core/assert.ts';
import { unmatchedRisk } from '../core/exposure.ts';
import { priceOfTick } from '../core/ladder.ts';
import type { Refusal, RefusalCode } from '../core/refusal.ts';
import { sideIndex } from '../core/side.ts';
import { type Money, moneyToDecimal, ZERO } from '../core/units.ts';
import type { ExposureBook, ExposureOrder, Losses } from './exposure-book.ts';
import { type GuardContext, guard } from './guards.ts';
import type { Limits } from './limits.ts';

/** An order as it would be sent; an `OrderRequest` of the gateway is one. */
export interface JudgedOrder extends ExposureOrder {
  readonly stake: Money;
}

/** The engine may keep one such object and change it between calls; nothing of it is retained. */
export interface JudgeContext extends GuardContext {
  readonly exposure: ExposureBook;
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
 * why not, and changes nothing. Cancels are never judged.
 *
 * Checked in this order, the first failure being the answer: kill switch, strategy halted, market open, not suspended,
 * outcome active, prices fresh, heartbeat, price near the book; then the limits per order, outcome, market, event,
 * strategy and wallet, funds, rate, daily loss. An order that does not raise a loss is never refused for that
 * loss, not even above the limit, and a hedge (matched in full it lowers what the strategy's matched bets can lose) is
 * never refused for its own size, so risk can always be reduced. The stake must be positive.
 */
export function judge<Order extends JudgedOrder>(order: Order, context: JudgeContext): Approved<Order> | Refusal {
  assert(order.stake > 0, `a stake is positive, got ${order.stake}`);
  const refusal = guard(order, context) ?? limitRefusal(order, context);
  if (refusal !== undefined) return refusal;
  context.exposure.reserve(order, order.stake);
  context.state.rate?.take(context.now);
  return new ApprovedOrder(order);
}

/** 8.8 million units: above any market's money, and low enough that the sums of a thousand such orders stay exact. */
const ORDER_LOSS_MAX = (2 ** 43) as Money;

function limitRefusal(order: JudgedOrder, context: JudgeContext): Refusal | undefined {
  const { limits, exposure, state, now } = context;
  const loss = unmatchedRisk(sideIndex(order.side), order.stake, priceOfTick(order.tick));
  const most = Math.min(limits.order ?? ORDER_LOSS_MAX, ORDER_LOSS_MAX) as Money;
  const isTooLarge = loss > ORDER_LOSS_MAX || (loss > most && !exposure.isHedge(order, order.stake));
  if (isTooLarge) return amounts('LIMIT_ORDER', { limit: most, value: ZERO, wouldBe: loss });
  const before = exposure.losses(order);
  const after = exposure.lossesWith(order, order.stake);
  const tooMuch = lossRefusal(limits, before, after) ?? fundsRefusal(order.wallet, context, before, after);
  if (tooMuch !== undefined) return tooMuch;
  if (state.rate?.hasRoom(now) === false) {
    return { code: 'LIMIT_RATE', limit: state.rate.limit, value: state.rate.limit, wouldBe: state.rate.limit + 1 };
  }
  const lost = state.daily.loss(now);
  if (limits.dailyLoss === undefined || lost < limits.dailyLoss || after.market <= before.market) return undefined;
  return amounts('LIMIT_DAILY_LOSS', { limit: limits.dailyLoss, value: lost, wouldBe: lost });
}

function lossRefusal(limits: Limits, before: Losses, after: Losses): Refusal | undefined {
  return (
    overLimit('LIMIT_OUTCOME', limits.outcome, before.outcome, after.outcome) ??
    overLimit('LIMIT_MARKET', limits.market, before.market, after.market) ??
    overLimit('LIMIT_EVENT', limits.event, before.event, after.event) ??
    overLimit('LIMIT_STRATEGY', limits.strategy, before.strategy, after.strategy) ??
    overLimit('LIMIT_WALLET', limits.wallet, before.wallet, after.wallet)
  );
}

function overLimit(code: RefusalCode, limit: Money | undefined, value: Money, wouldBe: Money): Refusal | undefined {
  if (limit === undefined || wouldBe <= limit || wouldBe <= value) return undefined;
  return amounts(code, { limit, value, wouldBe });
}

/** The exchange's own rule (profile section 6): only a rise of R needs funds. */
function fundsRefusal(wallet: number, context: JudgeContext, before: Losses, after: Losses): Refusal | undefined {
  const exposure = { required: before.wallet, matched: context.exposure.matchedOfWallet(wallet) };
  const available = context.state.funds.available(wallet, exposure);
  const rise = after.wallet - before.wallet;
  if (available === undefined || rise <= 0 || rise <= available) return undefined;
  const limit = (before.wallet + available) as Money;
  return amounts('INSUFFICIENT_FUNDS', { limit, value: before.wallet, wouldBe: after.wallet });
}

function amounts(
  code: RefusalCode,
  figures: { readonly limit: Money; readonly value: Money; readonly wouldBe: Money },
): Refusal {
  return {
    code,
    limit: moneyToDecimal(figures.limit),
    value: moneyToDecimal(figures.value),
    wouldBe: moneyToDecimal(figures.wouldBe),
  };
}
