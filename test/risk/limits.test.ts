/** How limits are read from their configured form. */

import { describe, expect, it } from 'vitest';
import { NO_LIMITS, parseLimits } from '../../src/risk/limits.ts';
import { units } from './desk.ts';

describe('limits', () => {
  it('reads amounts as money, and counts as they are', () => {
    const config = {
      order: 100,
      outcome: 500,
      market: 1000,
      event: 2000,
      strategy: 5000,
      wallet: 10_000,
      ordersPerSecond: 50,
      dailyLoss: 1000.5,
      staleMs: 3_000,
      ticksFromBook: 0,
      heartbeat: true,
    };
    expect(parseLimits(config)).toEqual({
      kind: 'limits',
      limits: {
        ...config,
        order: units(100),
        outcome: units(500),
        market: units(1000),
        event: units(2000),
        strategy: units(5000),
        wallet: units(10_000),
        dailyLoss: units(1000.5),
      },
    });
  });

  it('limits nothing where nothing is set', () => {
    expect(parseLimits({})).toEqual({ kind: 'limits', limits: NO_LIMITS });
  });

  it('takes zero as a limit, not as none', () => {
    expect(parseLimits({ market: 0 })).toEqual({ kind: 'limits', limits: { market: 0 } });
  });

  it.each([
    ['order', -1],
    ['market', Number.NaN],
    ['wallet', Number.POSITIVE_INFINITY],
    ['event', 1e12],
    ['ordersPerSecond', 0],
    ['ordersPerSecond', 2.5],
    ['ordersPerSecond', 1_000_000],
    ['staleMs', -1],
    ['ticksFromBook', 1.5],
  ])('answers a fault that names %s when it is %d', (key, given) => {
    expect(parseLimits({ [key]: given })).toMatchObject({ kind: 'fault', key, given });
  });

  it('answers a fault that names a key it does not know', () => {
    const config = { ...NO_LIMITS, markets: 5 };
    expect(parseLimits(config)).toMatchObject({ kind: 'fault', key: 'markets', given: 5 });
  });
});
