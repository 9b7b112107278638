/** The limits on what orders can lose, on what has been lost, and on the wallet's funds. */

import { type Money, moneyToDecimal } from '../core/number/units.ts';
import type { Refusal, RefusalCode } from '../core/refusal.ts';
import type { JudgeContext, JudgedOrder } from './judged-order.ts';
import type { Limits } from './limits/limits.ts';
import { riseOf } from './reducing.ts';

/** Whether any of the losses that `lossRefusal` reckons is limited. */
export function limitsLosses({ outcome, market, event, strategy, wallet }: Limits): boolean {
  return (outcome ?? market ?? event ?? strategy ?? wallet) !== undefined;
}

/** An order that does not raise a loss is never refused for that loss, not even above the limit. */
export function lossRefusal(order: JudgedOrder, { state, exposure }: JudgeContext): Refusal | undefined {
  const { limits } = state;
  const before = exposure.losses(order);
  const after = exposure.lossesWith(order, order.stake);
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

/** The exchange's own rule (profile section 6): only a rise of R needs funds. `loss`: what the order by itself can lose. */
export function fundsRefusal(order: JudgedOrder, context: JudgeContext, loss: Money): Refusal | undefined {
  const { state, exposure } = context;
  const { wallet } = order;
  const required = exposure.requiredOfWallet(wallet);
  const available = state.funds.available(wallet, { required, matched: exposure.matchedOfWallet(wallet) });
  // R rises by no more than that.
  if (available === undefined || loss <= available) return undefined;
  const rise = exposure.walletRise(order, order.stake);
  if (rise <= 0 || rise <= available) return undefined;
  const limit = (required + available) as Money;
  return amounts('INSUFFICIENT_FUNDS', { limit, value: required, wouldBe: (required + rise) as Money });
}

/** While trading is reduced. */
export function reduceOnlyRefusal(order: JudgedOrder, { state, exposure }: JudgeContext): Refusal | undefined {
  if (state.trading !== 'reduceOnly') return undefined;
  const rise = riseOf(order, exposure);
  return rise === undefined ? undefined : amounts('REDUCE_ONLY', rise);
}

/** Money already lost forbids what could lose more on a market: what neither raises R nor what can be lost passes. */
export function settledLossRefusal(order: JudgedOrder, context: JudgeContext): Refusal | undefined {
  const { dailyLoss, rollingLoss } = context.state.limits;
  if ((dailyLoss ?? rollingLoss) === undefined || context.exposure.marketRise(order, order.stake) <= 0)
    return undefined;
  const refusal = reachedRefusal(context);
  return refusal === undefined || riseOf(order, context.exposure) === undefined ? undefined : refusal;
}

function reachedRefusal({ state, now }: JudgeContext): Refusal | undefined {
  const { dailyLoss, rollingLoss } = state.limits;
  const today = state.history.dayLoss(now);
  if (dailyLoss !== undefined && today >= dailyLoss) {
    return amounts('LIMIT_DAILY_LOSS', { limit: dailyLoss, value: today, wouldBe: today });
  }
  if (rollingLoss === undefined) return undefined;
  const lost = state.history.rollingLoss(now, rollingLoss.hours);
  if (lost < rollingLoss.amount) return undefined;
  return amounts('LIMIT_ROLLING_LOSS', { limit: rollingLoss.amount, value: lost, wouldBe: lost });
}

/** After a losing run. */
export function coolDownRefusal(order: JudgedOrder, { state, exposure, now }: JudgeContext): Refusal | undefined {
  const { cooldown } = state.limits;
  if (cooldown === undefined) return undefined;
  const until = state.coolingUntil(now);
  if (until === undefined || riseOf(order, exposure) === undefined) return undefined;
  const value = state.history.losingRun;
  return { code: 'COOLING_DOWN', limit: cooldown.losses, value, wouldBe: value, until };
}

export function amounts(
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
