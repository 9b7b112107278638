/** What a rule of risk is: asked of one order, it refuses it or lets it pass to the next rule. */

import type { MarketState } from '../core/market-state.ts';
import { type Instant, type Money, moneyToDecimal } from '../core/number/units.ts';
import type { REFUSALS, Refusal, RefusalCode } from '../core/refusal.ts';
import type { RiskHistory } from '../core/run/risk-memory.ts';
import type { TradingState } from '../core/run/trading-state.ts';
import type { JudgedOrder } from './exposure/exposed.ts';
import type { ExposureBook } from './exposure/exposure-book.ts';
import type { OrderEffect } from './exposure/order-effect.ts';
import type { LimitKey, Limits } from './limits/limits.ts';
import type { WalletFunds } from './wallet-funds.ts';

/** What rules read of `RiskState`. */
export interface RiskFacts {
  readonly trading: TradingState;
  readonly notReady: string | undefined;
  readonly stateUnknown: string | undefined;
  readonly haltedStrategies: ReadonlySet<number>;
  readonly marketsOff: ReadonlyMap<number, string>;
  readonly statusStale: ReadonlySet<number>;
  readonly statusBudgetMs: number;
  readonly walletsStale: ReadonlySet<number>;
  readonly limits: Limits;
  readonly history: RiskHistory;
  readonly funds: WalletFunds;
  isHeartbeatActive(now: Instant): boolean;
  coolingUntil(now: Instant): Instant | undefined;
}

/** What an order is judged by. */
export interface RuleContext {
  readonly exposure: ExposureBook;
  readonly state: RiskFacts;
  readonly market: MarketState;
  /**
   * When the market was last known to be as we see it: when the newest poll of it was sent, or when the newest message of
   * the stream was published. A message that arrives late is no fresher for it.
   */
  readonly freshAt: Instant;
  readonly now: Instant;
}

/** A refusal with one of some codes. */
export type RefusalBy<Code extends RefusalCode> = Refusal & { readonly code: Code };

/** A rule that is always asked, or that is asked where the limit it names is set. */
export interface Rule<Limit = unknown, Code extends RefusalCode = RefusalCode> {
  readonly limit: LimitKey | undefined;
  refuse(order: JudgedOrder, effect: OrderEffect, context: RuleContext, limit: Limit): RefusalBy<Code> | undefined;
}

/** Codes that name the limit in the table of refusals. */
type CodeOf<Key extends LimitKey> = {
  [Code in RefusalCode]: (typeof REFUSALS)[Code] extends { readonly limit: Key } ? Code : never;
}[RefusalCode];

export interface LimitRule<Key extends LimitKey> extends Rule<NonNullable<Limits[Key]>, CodeOf<Key>> {
  readonly limit: Key;
}

export function always(refuse: Rule['refuse']): Rule & { readonly limit: undefined } {
  return { limit: undefined, refuse };
}

export function under<Key extends LimitKey>(limit: Key, refuse: LimitRule<Key>['refuse']): LimitRule<Key> {
  return { limit, refuse };
}

/** A rule that is asked, with the value of its limit; one that is always asked has none. */
export interface ActiveRule {
  readonly refuse: Rule['refuse'];
  readonly limit: unknown;
}

/** Those that are always asked, and those whose limit is set, in their order. */
export function activeRules(rules: readonly Rule[], limits: Limits): readonly ActiveRule[] {
  const active: ActiveRule[] = [];
  for (const { refuse, limit: key } of rules) {
    const limit = key === undefined ? undefined : limits[key];
    if (key === undefined || limit !== undefined) active.push({ refuse, limit });
  }
  return active;
}

export function moneyRefusal<Code extends RefusalCode>(
  code: Code,
  figures: { readonly limit: Money; readonly value: Money; readonly wouldBe: Money },
): RefusalBy<Code> {
  return {
    code,
    limit: moneyToDecimal(figures.limit),
    value: moneyToDecimal(figures.value),
    wouldBe: moneyToDecimal(figures.wouldBe),
  };
}
