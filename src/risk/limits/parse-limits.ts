/** Reads limits from their configured form, in decimals, and writes that form for the journal. */

import { defined } from '../../core/checks/assert.ts';
import { type Money, moneyFromDecimal } from '../../core/number/units.ts';
import { ORDER_HOURS_MAX, RESULT_HOURS_MAX } from '../../core/run/risk-memory.ts';
import type { LimitKey, Limits } from './limits.ts';

type MoneyKey = 'order' | 'outcome' | 'market' | 'event' | 'strategy' | 'wallet' | 'dailyLoss';

/** The same as configured: amounts are decimals, the rest as in `Limits`. */
export type LimitsConfig = {
  readonly [K in LimitKey]?: K extends MoneyKey ? number : Decimals<NonNullable<Limits[K]>>;
};

type Decimals<T> = T extends object ? { readonly [K in keyof T]: T[K] extends Money ? number : T[K] } : T;

export interface LimitFault {
  readonly kind: 'fault';
  readonly key: string;
  readonly given: unknown;
  readonly expected: string;
}

export type ParsedLimits = { readonly kind: 'limits'; readonly limits: Limits } | LimitFault;

/** Above this a rate is none. */
const ORDERS_PER_SECOND_MAX = 100_000;
const MINUTES_MAX = 10_080;

interface KeyRule {
  readonly expected: string;
  accepts(value: unknown): boolean;
}

const AMOUNT: KeyRule = {
  expected: 'an amount, zero or more',
  accepts: (value) => typeof value === 'number' && value >= 0 && moneyFromDecimal(value) !== undefined,
};
const POSITIVE: KeyRule = {
  expected: 'an amount above zero',
  accepts: (value) => AMOUNT.accepts(value) && (moneyFromDecimal(Number(value)) ?? 0) > 0,
};
const COUNT: KeyRule = {
  expected: 'a whole number, zero or more',
  accepts: (value) => Number.isSafeInteger(value) && Number(value) >= 0,
};

function wholeTo(most: number): KeyRule {
  return {
    expected: `a whole number from 1 to ${most}`,
    accepts: (value) => COUNT.accepts(value) && Number(value) >= 1 && Number(value) <= most,
  };
}

function oneOf(...words: readonly string[]): KeyRule {
  return { expected: words.join(' or '), accepts: (value) => words.some((word) => word === value) };
}

/** The parts of a limit that has more than one, each of them needed. */
type PartRules = Readonly<Record<string, KeyRule>>;

const RULES: Readonly<Record<LimitKey, KeyRule | PartRules>> = {
  order: AMOUNT,
  outcome: AMOUNT,
  market: AMOUNT,
  event: AMOUNT,
  strategy: AMOUNT,
  wallet: AMOUNT,
  dailyLoss: AMOUNT,
  staleMs: COUNT,
  ticksFromBook: COUNT,
  ordersPerSecond: wholeTo(ORDERS_PER_SECOND_MAX),
  ordersPerMarket: wholeTo(Number.MAX_SAFE_INTEGER),
  liveOrders: wholeTo(Number.MAX_SAFE_INTEGER),
  heartbeat: { expected: 'true or false', accepts: (value) => typeof value === 'boolean' },
  selfMatch: oneOf('refuse', 'allow'),
  rollingLoss: { amount: POSITIVE, hours: wholeTo(RESULT_HOURS_MAX) },
  drawdown: { amount: POSITIVE, action: oneOf('reduceOnly', 'halted') },
  cooldown: { losses: wholeTo(Number.MAX_SAFE_INTEGER), minutes: wholeTo(MINUTES_MAX) },
  orderToMatch: {
    ratio: {
      expected: 'a number of at least 1',
      accepts: (value) => typeof value === 'number' && value >= 1 && Number.isFinite(value),
    },
    minimumOrders: COUNT,
    hours: wholeTo(ORDER_HOURS_MAX),
  },
};

/** Limits from decimals, or the first key that is wrong or unknown. A key that is undefined is absent. */
export function parseLimits(config: LimitsConfig): ParsedLimits {
  for (const [key, given] of Object.entries(config)) {
    const fault = given === undefined ? undefined : faultOf(key, given);
    if (fault !== undefined) return fault;
  }
  return { kind: 'limits', limits: limitsFrom(config) };
}

function faultOf(key: string, given: unknown): LimitFault | undefined {
  const rule = Object.entries(RULES).find(([known]) => known === key)?.[1];
  if (rule === undefined) {
    return { kind: 'fault', key, given, expected: `one of ${Object.keys(RULES).join(', ')}` };
  }
  if (isKeyRule(rule)) return rule.accepts(given) ? undefined : { kind: 'fault', key, given, expected: rule.expected };
  return partFault(key, given, rule);
}

function isKeyRule(rule: KeyRule | PartRules): rule is KeyRule {
  return typeof rule['accepts'] === 'function';
}

function partFault(key: string, given: unknown, rules: PartRules): LimitFault | undefined {
  const names = Object.keys(rules);
  if (typeof given !== 'object' || given === null) {
    return { kind: 'fault', key, given, expected: `a map with ${names.join(', ')}` };
  }
  const parts = new Map<string, unknown>(Object.entries(given));
  for (const [name, rule] of Object.entries(rules)) {
    const part = parts.get(name);
    if (!rule.accepts(part)) return { kind: 'fault', key: `${key}.${name}`, given: part, expected: rule.expected };
  }
  for (const [name, part] of parts) {
    if (names.includes(name)) continue;
    return { kind: 'fault', key: `${key}.${name}`, given: part, expected: `one of ${names.join(', ')}` };
  }
  return undefined;
}

const MONEY_KEYS: readonly MoneyKey[] = ['order', 'outcome', 'market', 'event', 'strategy', 'wallet', 'dailyLoss'];

function limitsFrom(config: LimitsConfig): Limits {
  const { rollingLoss, drawdown } = config;
  return {
    ...amounts(config),
    ...others(config),
    ...(rollingLoss !== undefined && { rollingLoss: { ...rollingLoss, amount: exact(rollingLoss.amount) } }),
    ...(drawdown !== undefined && { drawdown: { ...drawdown, amount: exact(drawdown.amount) } }),
  };
}

function amounts(config: LimitsConfig): Limits {
  const limits: { -readonly [K in MoneyKey]?: Money } = {};
  for (const key of MONEY_KEYS) {
    const amount = config[key];
    if (amount !== undefined) limits[key] = exact(amount);
  }
  return limits;
}

function others(config: LimitsConfig): Limits {
  const { ordersPerSecond, ordersPerMarket, liveOrders, staleMs, ticksFromBook } = config;
  const { heartbeat, selfMatch, cooldown, orderToMatch } = config;
  return {
    ...(ordersPerSecond !== undefined && { ordersPerSecond }),
    ...(ordersPerMarket !== undefined && { ordersPerMarket }),
    ...(liveOrders !== undefined && { liveOrders }),
    ...(orderToMatch !== undefined && { orderToMatch: { ...orderToMatch } }),
    // To allow is not to limit: the same run has one identity, however it is written.
    ...(selfMatch === 'refuse' && { selfMatch }),
    ...(staleMs !== undefined && { staleMs }),
    ...(ticksFromBook !== undefined && { ticksFromBook }),
    ...(heartbeat !== undefined && { heartbeat }),
    ...(cooldown !== undefined && { cooldown: { ...cooldown } }),
  };
}

function exact(decimal: number): Money {
  return defined(moneyFromDecimal(decimal), 'the rules let no amount through that is too large');
}
