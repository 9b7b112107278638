/** The limits a user sets, as integers that risk compares, and their decimal form as it is configured. */

import { type Money, moneyFromDecimal } from '../core/units.ts';

/** An absent limit does not limit. A loss may reach its limit, not exceed it. */
export interface Limits {
  /** The loss of one order alone: the stake of a For, stake × (limit price − 1) of an Against. */
  readonly order?: Money;
  /** Worst loss of all bets on one outcome by themselves, over all strategies. */
  readonly outcome?: Money;
  /** Worst loss on one market, over all strategies. */
  readonly market?: Money;
  /** Sum of the worst losses of an event's markets. */
  readonly event?: Money;
  /** Sum of the worst losses of a strategy's positions; each strategy has this much. */
  readonly strategy?: Money;
  /** Sum of the worst losses of a wallet's positions; each wallet has this much. */
  readonly wallet?: Money;
  /** Orders approved in any span of one second, over all strategies. */
  readonly ordersPerSecond?: number;
  /** Settled loss of one UTC day, over all strategies, at which only orders that raise no market's worst loss pass. */
  readonly dailyLoss?: Money;
  /** Age of the market's prices, in ms, above which nothing is placed on it. */
  readonly staleMs?: number;
  /** How many ticks outside the best prices an order may be. */
  readonly ticksFromBook?: number;
  /** Whether orders need a heartbeat that is known to be active. */
  readonly heartbeat?: boolean;
}

export const NO_LIMITS: Limits = {};

export type LimitKey = keyof Limits;

/** The same as configured: amounts are decimals, the rest as in `Limits`. */
export type LimitsConfig = { readonly [K in LimitKey]?: K extends 'heartbeat' ? boolean : number };

export interface LimitFault {
  readonly kind: 'fault';
  readonly key: string;
  readonly given: unknown;
  readonly expected: string;
}

export type ParsedLimits = { readonly kind: 'limits'; readonly limits: Limits } | LimitFault;

/** The history of a rate is kept in a ring of this many instants at most. */
const ORDERS_PER_SECOND_MAX = 100_000;

type MoneyKey = 'order' | 'outcome' | 'market' | 'event' | 'strategy' | 'wallet' | 'dailyLoss';

interface KeyRule {
  readonly expected: string;
  accepts(value: unknown): boolean;
}

const AMOUNT: KeyRule = {
  expected: 'an amount, zero or more',
  accepts: (value) => typeof value === 'number' && value >= 0 && moneyFromDecimal(value) !== undefined,
};
const COUNT: KeyRule = {
  expected: 'a whole number, zero or more',
  accepts: (value) => Number.isSafeInteger(value) && Number(value) >= 0,
};

const RULES: Readonly<Record<LimitKey, KeyRule>> = {
  order: AMOUNT,
  outcome: AMOUNT,
  market: AMOUNT,
  event: AMOUNT,
  strategy: AMOUNT,
  wallet: AMOUNT,
  dailyLoss: AMOUNT,
  staleMs: COUNT,
  ticksFromBook: COUNT,
  ordersPerSecond: {
    expected: `a whole number from 1 to ${ORDERS_PER_SECOND_MAX}`,
    accepts: (value) => COUNT.accepts(value) && Number(value) >= 1 && Number(value) <= ORDERS_PER_SECOND_MAX,
  },
  heartbeat: { expected: 'true or false', accepts: (value) => typeof value === 'boolean' },
};

const MONEY_KEYS: readonly MoneyKey[] = ['order', 'outcome', 'market', 'event', 'strategy', 'wallet', 'dailyLoss'];

/** Limits from decimals, or the first key that is wrong or unknown. A key that is undefined is absent. */
export function parseLimits(config: LimitsConfig): ParsedLimits {
  for (const [key, given] of Object.entries(config)) {
    if (!isLimitKey(key)) {
      return { kind: 'fault', key, given, expected: `one of ${Object.keys(RULES).join(', ')}` };
    }
    const rule = RULES[key];
    if (given !== undefined && !rule.accepts(given)) return { kind: 'fault', key, given, expected: rule.expected };
  }
  return { kind: 'limits', limits: { ...amounts(config), ...counts(config) } };
}

function amounts(config: LimitsConfig): Limits {
  const limits: { -readonly [K in MoneyKey]?: Money } = {};
  for (const key of MONEY_KEYS) {
    const amount = moneyFromDecimal(config[key] ?? Number.NaN);
    if (amount !== undefined) limits[key] = amount;
  }
  return limits;
}

function counts({ ordersPerSecond, staleMs, ticksFromBook, heartbeat }: LimitsConfig): Limits {
  return {
    ...(ordersPerSecond !== undefined && { ordersPerSecond }),
    ...(staleMs !== undefined && { staleMs }),
    ...(ticksFromBook !== undefined && { ticksFromBook }),
    ...(heartbeat !== undefined && { heartbeat }),
  };
}

function isLimitKey(key: string): key is LimitKey {
  return Object.hasOwn(RULES, key);
}
