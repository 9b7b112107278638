/** Each refusal that risk can give, with its figures. */

import { describe, expect, it } from 'vitest';
import { instant } from '../../src/core/number/units.ts';
import { REFUSALS, type Refusal, type RefusalCode } from '../../src/core/refusal.ts';
import { isApproved } from '../../src/risk/judge.ts';
import { LIMITS, type LimitsConfig } from '../../src/risk/limits/limits.ts';
import { STOPS } from '../../src/risk/stops.ts';
import { NOON, type OrderSketch, RiskDesk, TestMarket, units } from './desk.ts';

/** Given before risk is asked: by the check of intents and by the ledger. */
const BEFORE_RISK: readonly RefusalCode[] = [
  'PRICE_OFF_LADDER',
  'STAKE_INVALID',
  'INTENT_INVALID',
  'NOTE_INVALID',
  'UNKNOWN_MARKET',
  'UNKNOWN_OUTCOME',
  'UNKNOWN_ORDER',
  'ORDER_NOT_LIVE',
  'CANCEL_IN_FLIGHT',
  'NOT_SUPPORTED',
  'TOO_MANY_INTENTS',
];

interface Row {
  readonly refusal: Refusal;
  readonly limits?: LimitsConfig;
  readonly given?: (entry: RiskDesk, market: TestMarket) => unknown;
  /** For 10 @ 2.0 where nothing else is said. */
  readonly order?: OrderSketch;
}

const LOSS = units(-30);
/** Another strategy, with another wallet. */
const OTHER = { strategy: 1, wallet: 1 };

const ROWS: readonly Row[] = [
  because('HALTED', ({ state }) => state.moveTrading({ to: 'halted', cause: 'test', by: 'command' })),
  because('NOT_READY', ({ state }) => state.setNotReady('recovering')),
  because('STATE_UNKNOWN', ({ state }) => state.setStateUnknown('orders are late')),
  because('STATE_UNKNOWN', ({ state }) => state.setWalletStale(0, true)),
  because('STRATEGY_HALTED', ({ state }) => state.haltStrategy(0)),
  { refusal: { code: 'HEARTBEAT_NOT_ACTIVE' }, limits: { heartbeat: true } },
  because('MARKET_RISK_OFF', ({ state }) => state.switchMarketOff(0, 'a lasting difference')),
  because('MARKET_NOT_OPEN', (_, market) => Object.assign(market, { status: 'Locked' })),
  because('MARKET_SUSPENDED', (_, market) => Object.assign(market, { suspended: true })),
  because('OUTCOME_NOT_ACTIVE', (_, { statuses }) => statuses.fill('Hidden', 0, 1)),
  because('STAKE_INVALID', (_, market) => Object.assign(market, { minimumStake: { stake: units(1), step: units(3) } })),
  {
    refusal: { code: 'STAKE_BELOW_MINIMUM', limit: 12, value: 0, wouldBe: 10 },
    given: (_, market) => Object.assign(market, { minimumStake: { stake: units(12), payout: units(20.1) } }),
  },
  above('FEED_STALE', [500, 501, 501], { staleMs: 500 }, (entry) => Object.assign(entry, { now: instant(NOON + 501) })),
  { ...above('PRICE_FAR_FROM_BOOK', [3, 0, 5], { ticksFromBook: 3 }), order: { price: 1.95 } },
  above('LIMIT_ORDER', [9, 0, 10], { order: 9 }),
  {
    refusal: { code: 'REDUCE_ONLY', limit: 4, value: 4, wouldBe: 14 },
    given: (entry) => {
      entry.matched({ stake: 4 });
      entry.state.moveTrading({ to: 'reduceOnly', cause: 'test', by: 'command' });
    },
  },
  above('LIMIT_OUTCOME', [12, 5, 15], { outcome: 12 }, (entry) => entry.matched({ ...OTHER, stake: 5 })),
  above('LIMIT_MARKET', [12, 5, 15], { market: 12 }, (entry) => entry.matched({ ...OTHER, outcome: 1, stake: 5 })),
  above('LIMIT_EVENT', [12, 5, 15], { event: 12 }, (entry) => entry.matched({ ...OTHER, market: 1, stake: 5 })),
  above('LIMIT_STRATEGY', [12, 5, 15], { strategy: 12 }, (entry) => entry.matched({ wallet: 1, market: 2, stake: 5 })),
  above('LIMIT_WALLET', [12, 5, 15], { wallet: 12 }, (entry) => entry.matched({ strategy: 1, market: 2, stake: 5 })),
  {
    refusal: { code: 'INSUFFICIENT_FUNDS', limit: 7, value: 0, wouldBe: 10 },
    given: ({ state }) => {
      const [seven, none] = [units(7), units(0)];
      const money = { balance: seven, balanceAvailable: seven, required: none, matched: none };
      state.funds.report({ wallet: 0, inFlight: false, ...money });
    },
  },
  above('SELF_MATCH', [2.1, 2.1, 2], { selfMatch: 'refuse' }, (entry) => {
    for (const price of [2.04, 2.1]) entry.verdict({ ...OTHER, side: 'Against', price, stake: 1 });
  }),
  above('LIMIT_ORDERS_PER_MARKET', [1, 1, 2], { ordersPerMarket: 1 }, (entry) =>
    entry.verdict({ ...OTHER, outcome: 2 }),
  ),
  above('LIMIT_LIVE_ORDERS', [2, 2, 3], { liveOrders: 2 }, (entry) => {
    for (const market of [1, 2]) entry.verdict({ ...OTHER, market });
  }),
  above('LIMIT_RATE', [1, 1, 2], { ordersPerSecond: 1 }, (entry) => entry.verdict({ market: 1 })),
  above('LIMIT_ORDERS_PER_HOUR', [2, 2, 3], { ordersPerHour: 2 }, ({ state }) => {
    for (const minutes of [61, 59, 1]) state.history.sent(instant(NOON - minutes * 60_000));
  }),
  above('LIMIT_DAILY_LOSS', [30, 30, 30], { dailyLoss: 30 }, ({ state }) => state.recordSettled(LOSS, NOON)),
  above('LIMIT_ROLLING_LOSS', [20, 30, 30], { rollingLoss: { amount: 20, hours: 48 } }, ({ state }) =>
    state.recordSettled(LOSS, instant(NOON - 47 * 3_600_000)),
  ),
  {
    refusal: { code: 'COOLING_DOWN', limit: 2, value: 3, wouldBe: 3, until: NOON + 60_000 },
    limits: { cooldown: { losses: 2, minutes: 1 } },
    given: ({ state }) => {
      for (let i = 0; i < 3; i += 1) state.recordSettled(LOSS, NOON);
    },
  },
  above('ORDER_TO_MATCH', [2, 2, 2.5], { orderToMatch: { ratio: 2, minimumOrders: 4, hours: 1 } }, (entry) => {
    for (let i = 0; i < 4; i += 1) entry.verdict({ market: 1 });
    for (let i = 0; i < 2; i += 1) entry.state.history.matched(NOON);
  }),
];

function because(code: RefusalCode, given: Row['given'] & {}): Row {
  return { refusal: { code }, given };
}

/** The figures are the limit, what there is, and what there would be. */
function above(
  code: RefusalCode,
  [limit, value, wouldBe]: readonly [number, number, number],
  ...[limits, given]: readonly [LimitsConfig, Row['given']?]
): Row {
  return { refusal: { code, limit, value, wouldBe }, limits, ...(given && { given }) };
}

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
    const codes = [...new Set([...BEFORE_RISK, ...ROWS.map(({ refusal }) => refusal.code)])];
    expect(codes.sort()).toEqual(Object.keys(REFUSALS).sort());
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
