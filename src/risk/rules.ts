/** All rules of risk, in the order in which they are asked: the first that refuses an order is the answer. */

import type { MarketState } from '../core/market-state.ts';
import { isTooSmall, stakeStepOf } from '../core/minimum-stake.ts';
import { decimalOfTick, NO_TICK, tick } from '../core/number/ladder.ts';
import { type Instant, type Money, moneyToDecimal, ZERO } from '../core/number/units.ts';
import type { RefusalCode } from '../core/refusal.ts';
import { crosses, oppositeIndex, sideIndex } from '../core/side.ts';
import type { JudgedOrder } from './exposure/exposed.ts';
import type { LossChange } from './exposure/order-effect.ts';
import type { LimitKey } from './limits/limits.ts';
import { ticksOutsideBook } from './price-sanity.ts';
import { always, moneyRefusal, type RefusalBy, type Rule, type RuleContext, under } from './rule.ts';
import type { StopKey } from './stops.ts';

/** 8.8 million units: above any market's money, and low enough that the sums of a thousand such orders stay exact. */
const ORDER_LOSS_MAX = (2 ** 43) as Money;

/**
 * An order that does not raise a loss is never refused for that loss, not even above the limit, and a hedge is never
 * refused for its own size, so risk can always be reduced. Of the limits on the number of orders, those over hours let such
 * an order pass too. The others let none pass: a cancellation, which is never judged, makes room, or the next second does.
 *
 * By our orders, fills and cancellations a loss that is within its limit stays within. What can lift it over the limit is not
 * ours: an outcome is removed, the number of winners changes, the exchange corrects a bet, revives an order or brings one of
 * others, a limit is lowered, or a cross match is rounded against its taker. Nothing of ours raises it further then.
 */
const IN_ORDER = [
  // Whether anything may be placed now.
  always((_order, _effect, { state }) => refusedIf(state.trading === 'halted', 'HALTED')),
  always((_order, _effect, { state }) => refusedIf(state.notReady !== undefined, 'NOT_READY')),
  always(({ wallet }, _effect, { state }) =>
    refusedIf(state.stateUnknown !== undefined || state.walletsStale.has(wallet), 'STATE_UNKNOWN'),
  ),
  always(({ strategy }, _effect, { state }) => refusedIf(state.haltedStrategies.has(strategy), 'STRATEGY_HALTED')),
  under('heartbeat', (_order, _effect, { state, now }, isNeeded) =>
    refusedIf(isNeeded && !state.isHeartbeatActive(now), 'HEARTBEAT_NOT_ACTIVE'),
  ),

  // Whether the market and the outcome take this order, and whether its price can be trusted.
  always((order, _effect, { state }) => refusedIf(state.marketsOff.has(order.market), 'MARKET_RISK_OFF')),
  always((_order, _effect, { market, now }) => refusedIf(!isOpen(market, now), 'MARKET_NOT_OPEN')),
  always((_order, _effect, { market }) => refusedIf(market.suspended, 'MARKET_SUSPENDED')),
  always(({ outcome }, _effect, { market }) =>
    refusedIf(market.outcomeStatus(outcome) !== 'Active', 'OUTCOME_NOT_ACTIVE'),
  ),
  always((order, _effect, { market }) => refusedIf(isOffStep(order, market), 'STAKE_INVALID')),
  always((order, _effect, { market }) => belowMinimum(order, market)),
  always((order, _effect, { state, market, now }) =>
    refusedIf(
      state.statusStale.has(order.market) || now - (market.statusFreshAt ?? now) > state.statusBudgetMs,
      'FEED_STALE',
    ),
  ),
  under('staleMs', (_order, _effect, { now, freshAt }, limit) => {
    const age = now - freshAt;
    return age > limit ? { code: 'FEED_STALE', limit, value: age, wouldBe: age } : undefined;
  }),
  under('ticksFromBook', (order, _effect, { market }, limit) => farFromBook(order, market, limit)),

  // What the order could lose by itself.
  always((_order, { ownLoss }, { state }) => {
    const limit = Math.min(state.limits.order ?? ORDER_LOSS_MAX, ORDER_LOSS_MAX) as Money;
    return ownLoss > ORDER_LOSS_MAX ? orderTooLarge(limit, ownLoss) : undefined;
  }),
  under('order', (_order, effect, _context, limit) =>
    effect.ownLoss > limit && !effect.isHedge ? orderTooLarge(limit, effect.ownLoss) : undefined,
  ),

  // What the bot could lose with it.
  always((_order, effect, { state }) => {
    const increase = state.trading === 'reduceOnly' ? effect.lossIncrease : undefined;
    return increase && moneyRefusal('REDUCE_ONLY', increase);
  }),
  under('outcome', (_order, { losses }, _context, limit) => overLimit('LIMIT_OUTCOME', limit, losses.outcome)),
  under('market', (_order, { losses }, _context, limit) => overLimit('LIMIT_MARKET', limit, losses.market)),
  under('event', (_order, { losses }, _context, limit) => overLimit('LIMIT_EVENT', limit, losses.event)),
  under('strategy', (_order, { losses }, _context, limit) => overLimit('LIMIT_STRATEGY', limit, losses.strategy)),
  under('wallet', (_order, { losses }, _context, limit) => overLimit('LIMIT_WALLET', limit, losses.wallet)),
  // The exchange's own rule (profile section 6): only a rise of R needs funds.
  always((order, effect, context) => {
    const available = fundsOf(order.wallet, context);
    if (available === undefined || effect.ownLoss <= available) return undefined;
    const { before, after } = effect.required;
    if (after <= before || after - before <= available) return undefined;
    return moneyRefusal('INSUFFICIENT_FUNDS', { limit: (before + available) as Money, value: before, wouldBe: after });
  }),

  // How many orders there are, how fast they come, and that they never meet each other.
  under('selfMatch', (order, _effect, context) => meetsOwnOrder(order, context)),
  under('ordersPerMarket', (order, _effect, { exposure }, limit) =>
    oneMore('LIMIT_ORDERS_PER_MARKET', limit, exposure.liveOrdersInMarket(order.market)),
  ),
  under('liveOrders', (_order, _effect, { exposure }, limit) =>
    oneMore('LIMIT_LIVE_ORDERS', limit, exposure.liveOrders),
  ),
  under('ordersPerSecond', (_order, _effect, { state, now }, limit) =>
    oneMore('LIMIT_RATE', limit, state.history.ordersInSecond(now)),
  ),
  under('ordersPerHour', (_order, effect, { state, now }, limit) =>
    effect.lossIncrease === undefined
      ? undefined
      : oneMore('LIMIT_ORDERS_PER_HOUR', limit, state.history.ordersSent(now, 1)),
  ),

  // Money lost already, and orders that did not match, forbid what does not reduce.
  under('dailyLoss', (_order, effect, { state, now }, limit) => {
    const lost = state.history.dayLoss(now);
    if (lost < limit || effect.lossIncrease === undefined) return undefined;
    return moneyRefusal('LIMIT_DAILY_LOSS', { limit, value: lost, wouldBe: lost });
  }),
  under('rollingLoss', (_order, effect, { state, now }, { amount: limit, hours }) => {
    const lost = state.history.rollingLoss(now, hours);
    if (lost < limit || effect.lossIncrease === undefined) return undefined;
    return moneyRefusal('LIMIT_ROLLING_LOSS', { limit, value: lost, wouldBe: lost });
  }),
  under('cooldown', (_order, effect, { state, now }, { losses }) => {
    const until = state.coolingUntil(now);
    if (until === undefined || effect.lossIncrease === undefined) return undefined;
    const value = state.history.losingRun;
    return { code: 'COOLING_DOWN', limit: losses, value, wouldBe: value, until };
  }),
  under('orderToMatch', (_order, effect, { state, now }, { ratio, minimumOrders, hours }) => {
    const sent = state.history.ordersSent(now, hours);
    if (sent < minimumOrders) return undefined;
    const matched = Math.max(1, state.history.ordersMatched(now, hours));
    if (sent + 1 <= ratio * matched || effect.lossIncrease === undefined) return undefined;
    return { code: 'ORDER_TO_MATCH', limit: ratio, value: sent / matched, wouldBe: (sent + 1) / matched };
  }),
] as const;

/** Limits that can be set and that nothing enforces: there is none. */
type NotEnforced = Exclude<LimitKey, NonNullable<(typeof IN_ORDER)[number]['limit']> | StopKey>;

/** A limit that has neither a rule above nor a stop does not compile here: the compiler names it as missing. */
export const RULES: readonly Rule[] & Readonly<Record<NotEnforced, never>> = IN_ORDER;

function refusedIf<Code extends RefusalCode>(isSo: boolean, code: Code): RefusalBy<Code> | undefined {
  return isSo ? { code } : undefined;
}

/** The exchange takes orders before lockAt and on published markets only (profile section 6). */
function isOpen(market: MarketState, now: Instant): boolean {
  return market.status === 'Open' && market.published && (market.lockAt === undefined || now < market.lockAt);
}

/** What every exchange refuses of a stake was refused before; here is what this one does. */
function isOffStep({ stake }: JudgedOrder, { minimumStake }: MarketState): boolean {
  return stake % stakeStepOf(minimumStake) !== 0;
}

function belowMinimum(order: JudgedOrder, { minimumStake }: MarketState): RefusalBy<'STAKE_BELOW_MINIMUM'> | undefined {
  if (minimumStake === undefined || !isTooSmall(minimumStake, order)) return undefined;
  const limit = moneyToDecimal(minimumStake.stake);
  return { code: 'STAKE_BELOW_MINIMUM', limit, value: 0, wouldBe: moneyToDecimal(order.stake) };
}

/** Without any price to compare with an order is refused: to open an empty market, leave `ticksFromBook` unset. */
function farFromBook(
  order: JudgedOrder,
  market: MarketState,
  limit: number,
): RefusalBy<'PRICE_FAR_FROM_BOOK'> | undefined {
  const ticks = ticksOutsideBook(market, order.outcome, order.tick);
  if (ticks === undefined) return { code: 'PRICE_FAR_FROM_BOOK', limit };
  return ticks > limit ? { code: 'PRICE_FAR_FROM_BOOK', limit, value: 0, wouldBe: ticks } : undefined;
}

function orderTooLarge(limit: Money, wouldBe: Money): RefusalBy<'LIMIT_ORDER'> {
  return moneyRefusal('LIMIT_ORDER', { limit, value: ZERO, wouldBe });
}

function overLimit<Code extends RefusalCode>(
  code: Code,
  limit: Money,
  { before, after }: LossChange,
): RefusalBy<Code> | undefined {
  if (after <= limit || after <= before) return undefined;
  return moneyRefusal(code, { limit, value: before, wouldBe: after });
}

/** What the wallet can still bear; undefined while its balance is not known, which limits nothing. */
function fundsOf(wallet: number, { state, exposure }: RuleContext): Money | undefined {
  const required = exposure.requiredOfWallet(wallet);
  return state.funds.available(wallet, { required, matched: exposure.matchedOfWallet(wallet) });
}

/**
 * The exchange lets us match ourselves (profile section 6), which costs and moves no risk, and which others may take
 * for manipulation. Each of our orders counts as long as it may match, its cancellation on its way or not.
 */
function meetsOwnOrder(order: JudgedOrder, { exposure }: RuleContext): RefusalBy<'SELF_MATCH'> | undefined {
  const side = sideIndex(order.side);
  const own = exposure.bestOwnTick(order.market, order.outcome, oppositeIndex(side));
  if (own === NO_TICK || !crosses(side, order.tick, own)) return undefined;
  const price = decimalOfTick(tick(own));
  return { code: 'SELF_MATCH', limit: price, value: price, wouldBe: decimalOfTick(order.tick) };
}

function oneMore<Code extends RefusalCode>(code: Code, limit: number, value: number): RefusalBy<Code> | undefined {
  return value >= limit ? { code, limit, value, wouldBe: value + 1 } : undefined;
}
