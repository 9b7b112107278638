/** Each refusal that risk can give, with its figures. */

import { describe, expect, it } from 'vitest';
import { instant } from '../../src/core/number/units.ts';
import { REFUSAL_CODES, type Refusal, type RefusalCode } from '../../src/core/refusal.ts';
import { isApproved } from '../../src/risk/judge.ts';
import { LIMITS, type LimitsConfig } from '../../src/risk/limits/limits.ts';
import { STOPS } from '../../src/risk/stops.ts';
import { NOON, type OrderSketch, RiskDesk, TestMarket, units } from './desk.ts';

/** Given before risk is asked: by the check of intents and by the ledger. */
const BEFORE_RISK: readonly RefusalCode[] = [
  'PRICE_OFF_LADDER',
  'STAKE_INVALID',
  'INTENT_INVALID',
  'UNKNOWN_MARKET',
  'UNKNOWN_OUTCOME',
  'UNKNOWN_ORDER',
  'ORDER_NOT_LIVE',
  'CANCEL_IN_FLIGHT',
  'TOO_MANY_INTENTS',
];

interface Row {
  readonly refusal: Refusal;
  readonly limits?: LimitsConfig;
  readonly given?: (entry: RiskDesk, market: TestMarket) => void;
  /** For 10 @ 2.0 where nothing else is said. */
  readonly order?: OrderSketch;
}

const LOSS = units(-30);

const ROWS: readonly Row[] = [
  {
    refusal: { code: 'HALTED' },
    given: ({ state }) => state.moveTrading({ to: 'halted', cause: 'test', by: 'command' }),
  },
  {
    refusal: { code: 'NOT_READY' },
    given: ({ state }) => {
      state.setNotReady('recovering');
    },
  },
  {
    refusal: { code: 'STATE_UNKNOWN' },
    given: ({ state }) => {
      state.setStateUnknown('orders are late');
    },
  },
  { refusal: { code: 'STRATEGY_HALTED' }, given: ({ state }) => state.haltStrategy(0) },
  { refusal: { code: 'HEARTBEAT_NOT_ACTIVE' }, limits: { heartbeat: true } },
  { refusal: { code: 'MARKET_RISK_OFF' }, given: ({ state }) => state.switchMarketOff(0, 'a lasting difference') },
  {
    refusal: { code: 'MARKET_NOT_OPEN' },
    given: (_, market) => {
      market.status = 'Locked';
    },
  },
  {
    refusal: { code: 'MARKET_SUSPENDED' },
    given: (_, market) => {
      market.suspended = true;
    },
  },
  {
    refusal: { code: 'OUTCOME_NOT_ACTIVE' },
    given: (_, market) => {
      market.statuses[0] = 'Hidden';
    },
  },
  {
    refusal: { code: 'STAKE_BELOW_MINIMUM', limit: 12, value: 0, wouldBe: 10 },
    given: (_, market) => {
      market.minimumStake = { stake: units(12), payout: units(20.1) };
    },
  },
  {
    refusal: { code: 'FEED_STALE', limit: 500, value: 501, wouldBe: 501 },
    limits: { staleMs: 500 },
    given: (entry) => {
      entry.now = instant(NOON + 501);
    },
  },
  {
    refusal: { code: 'PRICE_FAR_FROM_BOOK', limit: 3, value: 0, wouldBe: 5 },
    limits: { ticksFromBook: 3 },
    order: { price: 1.95 },
  },
  { refusal: { code: 'LIMIT_ORDER', limit: 9, value: 0, wouldBe: 10 }, limits: { order: 9 } },
  {
    refusal: { code: 'REDUCE_ONLY', limit: 4, value: 4, wouldBe: 14 },
    given: (entry) => {
      entry.matched({ stake: 4 });
      entry.state.moveTrading({ to: 'reduceOnly', cause: 'test', by: 'command' });
    },
  },
  {
    refusal: { code: 'LIMIT_OUTCOME', limit: 12, value: 5, wouldBe: 15 },
    limits: { outcome: 12 },
    given: (entry) => entry.matched({ strategy: 1, wallet: 1, stake: 5 }),
  },
  {
    refusal: { code: 'LIMIT_MARKET', limit: 12, value: 5, wouldBe: 15 },
    limits: { market: 12 },
    given: (entry) => entry.matched({ strategy: 1, wallet: 1, outcome: 1, stake: 5 }),
  },
  {
    refusal: { code: 'LIMIT_EVENT', limit: 12, value: 5, wouldBe: 15 },
    limits: { event: 12 },
    given: (entry) => entry.matched({ strategy: 1, wallet: 1, market: 1, stake: 5 }),
  },
  {
    refusal: { code: 'LIMIT_STRATEGY', limit: 12, value: 5, wouldBe: 15 },
    limits: { strategy: 12 },
    given: (entry) => entry.matched({ wallet: 1, market: 2, stake: 5 }),
  },
  {
    refusal: { code: 'LIMIT_WALLET', limit: 12, value: 5, wouldBe: 15 },
    limits: { wallet: 12 },
    given: (entry) => entry.matched({ strategy: 1, market: 2, stake: 5 }),
  },
  {
    refusal: { code: 'INSUFFICIENT_FUNDS', limit: 7, value: 0, wouldBe: 10 },
    given: ({ state }) =>
      state.funds.report({
        wallet: 0,
        balance: units(7),
        balanceAvailable: units(7),
        required: units(0),
        matched: units(0),
        inFlight: false,
      }),
  },
  {
    refusal: { code: 'SELF_MATCH', limit: 2.1, value: 2.1, wouldBe: 2 },
    limits: { selfMatch: 'refuse' },
    given: (entry) => {
      entry.verdict({ strategy: 1, wallet: 1, side: 'Against', price: 2.04, stake: 1 });
      entry.verdict({ strategy: 1, wallet: 1, side: 'Against', price: 2.1, stake: 1 });
    },
  },
  {
    refusal: { code: 'LIMIT_ORDERS_PER_MARKET', limit: 1, value: 1, wouldBe: 2 },
    limits: { ordersPerMarket: 1 },
    given: (entry) => entry.verdict({ strategy: 1, wallet: 1, outcome: 2 }),
  },
  {
    refusal: { code: 'LIMIT_LIVE_ORDERS', limit: 2, value: 2, wouldBe: 3 },
    limits: { liveOrders: 2 },
    given: (entry) => {
      entry.verdict({ strategy: 1, wallet: 1, market: 1 });
      entry.verdict({ strategy: 1, wallet: 1, market: 2 });
    },
  },
  {
    refusal: { code: 'LIMIT_RATE', limit: 1, value: 1, wouldBe: 2 },
    limits: { ordersPerSecond: 1 },
    given: (entry) => entry.verdict({ market: 1 }),
  },
  {
    refusal: { code: 'LIMIT_DAILY_LOSS', limit: 30, value: 30, wouldBe: 30 },
    limits: { dailyLoss: 30 },
    given: ({ state }) => state.recordSettled(LOSS, NOON),
  },
  {
    refusal: { code: 'LIMIT_ROLLING_LOSS', limit: 20, value: 30, wouldBe: 30 },
    limits: { rollingLoss: { amount: 20, hours: 48 } },
    given: (entry) => {
      entry.state.recordSettled(LOSS, instant(NOON - 47 * 3_600_000));
    },
  },
  {
    refusal: { code: 'COOLING_DOWN', limit: 2, value: 3, wouldBe: 3, until: NOON + 60_000 },
    limits: { cooldown: { losses: 2, minutes: 1 } },
    given: ({ state }) => {
      for (let i = 0; i < 3; i += 1) state.recordSettled(LOSS, NOON);
    },
  },
  {
    refusal: { code: 'ORDER_TO_MATCH', limit: 2, value: 2, wouldBe: 2.5 },
    limits: { orderToMatch: { ratio: 2, minimumOrders: 4, hours: 1 } },
    given: (entry) => {
      for (let i = 0; i < 4; i += 1) entry.verdict({ market: 1 });
      entry.state.orderMatched(NOON);
      entry.state.orderMatched(NOON);
    },
  },
];

/** The rows whose refusal is a limit's. */
const LIMITED = ROWS.filter(({ limits }) => limits !== undefined);

function entryOf({ limits, given }: Row): RiskDesk {
  const markets = [new TestMarket(0), new TestMarket(1), new TestMarket(2, { event: 'e1' })];
  const entry = new RiskDesk(limits ?? {}, markets);
  const market = markets[0];
  if (market !== undefined) given?.(entry, market);
  return entry;
}

describe('a refusal', () => {
  it.each(ROWS.map((row) => [row.refusal.code, row] as const))('of %s tells its figures', (_, row) => {
    expect(entryOf(row).judge(row.order)).toEqual(row.refusal);
  });

  it.each(ROWS.map((row) => [row.refusal.code, row] as const))('of %s is not given without its reason', (_, row) => {
    const calm = row.order ?? {};
    const entry = entryOf({ ...row, given: () => undefined });
    const isItsOwnReason = row.given === undefined;
    expect(isApproved(entry.judge(calm))).toBe(!isItsOwnReason);
  });

  it.each(LIMITED.map((row) => [row.refusal.code, row] as const))('of %s is not given without its limit', (_, row) => {
    expect(isApproved(entryOf({ ...row, limits: {} }).judge(row.order))).toBe(true);
  });

  it('has a row here for each code of risk', () => {
    const codes = [...BEFORE_RISK, ...ROWS.map(({ refusal }) => refusal.code)];
    expect(codes.sort()).toEqual(Object.keys(REFUSAL_CODES).sort());
  });
});

describe('a limit', () => {
  it('has a row above that refuses by it alone, or is a stop', () => {
    const refusing = LIMITED.flatMap(({ limits }) => Object.keys(limits ?? {}));
    const stops = STOPS.map(({ limit }) => limit);
    expect([...refusing, ...stops].sort()).toEqual(Object.keys(LIMITS).sort());
  });

  it('that is a stop moves trading once it is reached, and only where it is set', () => {
    const drop = ({ state }: RiskDesk) => state.recordSettled(LOSS, NOON);
    const drawdown = { amount: 30, action: 'reduceOnly' } as const;
    const stopped = entryOf({ refusal: { code: 'REDUCE_ONLY' }, limits: { drawdown }, given: drop });
    expect(stopped.state.evaluate()).toMatchObject({ to: 'reduceOnly', by: 'drawdown' });
    expect(entryOf({ refusal: { code: 'REDUCE_ONLY' }, given: drop }).state.evaluate()).toBeUndefined();
  });
});
