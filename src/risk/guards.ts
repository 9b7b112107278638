/** The conditions under which nothing may be placed, whatever it would risk. */

import type { MarketState } from '../core/market-state.ts';
import { isTooSmall } from '../core/minimum-stake.ts';
import { type Instant, type Money, moneyToDecimal } from '../core/number/units.ts';
import type { Refusal } from '../core/refusal.ts';
import type { ExposureOrder } from './exposure/exposed.ts';
import { ticksOutsideBook } from './price-sanity.ts';
import type { RiskState } from './risk-state.ts';

export interface GuardContext {
  /** Holds the limits too. */
  readonly state: RiskState;
  readonly market: MarketState;
  /**
   * When the market was last known to be as we see it: when the newest poll of it was asked for, or when the newest
   * message of the stream was published. What is heard late is no fresher for it.
   */
  readonly freshAt: Instant;
  readonly now: Instant;
}

/** The first guard that stands in the way, in the order written here. */
export function guard(order: ExposureOrder & { readonly stake: Money }, context: GuardContext): Refusal | undefined {
  const { state, market, now } = context;
  const { limits } = state;
  if (state.trading === 'halted') return { code: 'HALTED' };
  if (state.notReady !== undefined) return { code: 'NOT_READY' };
  if (state.stateUnknown !== undefined) return { code: 'STATE_UNKNOWN' };
  if (state.haltedStrategies.has(order.strategy)) return { code: 'STRATEGY_HALTED' };
  if (limits.heartbeat === true && !state.isHeartbeatActive(now)) return { code: 'HEARTBEAT_NOT_ACTIVE' };
  if (state.marketsOff.has(order.market)) return { code: 'MARKET_RISK_OFF' };
  if (!isOpen(market, now)) return { code: 'MARKET_NOT_OPEN' };
  if (market.suspended) return { code: 'MARKET_SUSPENDED' };
  if (market.outcomeStatus(order.outcome) !== 'Active') return { code: 'OUTCOME_NOT_ACTIVE' };
  const minimum = market.minimumStake;
  if (minimum !== undefined && isTooSmall(minimum, order)) {
    const wouldBe = moneyToDecimal(order.stake);
    return { code: 'STAKE_BELOW_MINIMUM', limit: moneyToDecimal(minimum.stake), value: 0, wouldBe };
  }
  const age = now - context.freshAt;
  if (limits.staleMs !== undefined && age > limits.staleMs) {
    return { code: 'FEED_STALE', limit: limits.staleMs, value: age, wouldBe: age };
  }
  return limits.ticksFromBook === undefined ? undefined : priceRefusal(order, market, limits.ticksFromBook);
}

/** The exchange takes orders before lockAt and on published markets only (profile section 6). */
function isOpen(market: MarketState, now: Instant): boolean {
  return market.status === 'Open' && market.published && (market.lockAt === undefined || now < market.lockAt);
}

/** A price that nothing vouches for is refused: whoever opens an empty market leaves `ticksFromBook` unset. */
function priceRefusal(order: ExposureOrder, market: MarketState, limit: number): Refusal | undefined {
  const ticks = ticksOutsideBook(market, order.outcome, order.tick);
  if (ticks === undefined) return { code: 'PRICE_FAR_FROM_BOOK', limit };
  if (ticks > limit) return { code: 'PRICE_FAR_FROM_BOOK', limit, value: 0, wouldBe: ticks };
  return undefined;
}
