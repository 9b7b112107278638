/** Whether trading is allowed: states, stops, pauses, and limits that change while it runs. */

import { describe, expect, it } from 'vitest';
import { type Instant, instant } from '../../src/core/number/units.ts';
import { NO_RISK_MEMORY } from '../../src/core/run/risk-memory.ts';
import { RiskState } from '../../src/risk/risk-state.ts';
import { lossInMarket } from '../support/risk/held-losses.ts';
import { limitsOf, NOON, RiskDesk, units } from './desk.ts';

const LATER = (ms: number): Instant => instant(NOON + ms);
const MINUTE_MS = 60_000;

describe('the trading state', () => {
  it('moves, says whether it did, and keeps the first cause', () => {
    const state = new RiskState({});
    expect([state.trading, state.tradingCause, state.halted]).toEqual(['running', '', false]);
    expect(state.moveTrading({ to: 'halted', cause: 'the file', by: 'file' })).toBe(true);
    expect(state.moveTrading({ to: 'halted', cause: 'the command', by: 'command' })).toBe(false);
    expect([state.trading, state.tradingCause, state.halted]).toEqual(['halted', 'the file', true]);
    expect(state.moveTrading({ to: 'running', cause: 'all is well', by: 'command' })).toBe(true);
    expect([state.trading, state.tradingCause, state.halted]).toEqual(['running', 'all is well', false]);
  });

  it('refuses all but reducing orders while reduced', () => {
    const entry = new RiskDesk({});
    entry.matched({ stake: 10 });
    entry.state.moveTrading({ to: 'reduceOnly', cause: 'test', by: 'command' });
    expect(entry.verdict({ stake: 1 })).toBe('REDUCE_ONLY');
    expect(entry.verdict({ side: 'Against', stake: 10 })).toBe('sent');
    entry.state.moveTrading({ to: 'halted', cause: 'test', by: 'command' });
    expect(entry.verdict({ side: 'Against', stake: 1 })).toBe('HALTED');
  });
});

describe('the drawdown stop', () => {
  const stopped = (action: 'reduceOnly' | 'halted' = 'reduceOnly'): RiskState => {
    const state = new RiskState(limitsOf({ drawdown: { amount: 50, action } }));
    state.recordSettled(units(20), NOON);
    state.recordSettled(units(-69.99), NOON);
    state.recordSettled(units(20), NOON);
    state.recordSettled(units(-20), NOON);
    return state;
  };

  it('is asked for at its amount below the highest total, not before', () => {
    const state = new RiskState(limitsOf({ drawdown: { amount: 50, action: 'reduceOnly' } }));
    state.recordSettled(units(20), NOON);
    state.recordSettled(units(-49.99), NOON);
    expect(state.evaluate()).toBeUndefined();
    state.recordSettled(units(-0.01), NOON);
    expect(state.evaluate()).toEqual({
      to: 'reduceOnly',
      cause: 'the settled total is 50 below its highest, the limit is 50',
      by: 'drawdown',
    });
  });

  it('moves as far as configured, never back, and not twice', () => {
    const halting = stopped('halted');
    halting.moveTrading({ to: 'reduceOnly', cause: 'by hand', by: 'command' });
    expect(halting.evaluate()?.to).toBe('halted');
    const reducing = stopped();
    reducing.moveTrading({ to: 'halted', cause: 'by hand', by: 'command' });
    expect(reducing.evaluate()).toBeUndefined();
    reducing.moveTrading({ to: 'running', cause: 'by hand', by: 'command' });
    expect(reducing.evaluate()?.to).toBe('reduceOnly');
  });

  it('counts anew for whoever resumes after it', () => {
    const state = stopped();
    const move = state.evaluate();
    if (move === undefined) return expect.fail('no stop was asked for');
    state.moveTrading(move);
    state.moveTrading({ to: 'running', cause: 'resumed', by: 'command' });
    expect(state.evaluate()).toBeUndefined();
    state.recordSettled(units(-49.99), NOON);
    expect(state.evaluate()).toBeUndefined();
    state.recordSettled(units(-0.01), NOON);
    expect(state.evaluate()?.to).toBe('reduceOnly');
  });

  it('is asked for after a restart that came between the result and the move', () => {
    const restarted = new RiskState(limitsOf({ drawdown: { amount: 50, action: 'halted' } }));
    restarted.restore(stopped().history.memory());
    expect(restarted.evaluate()?.to).toBe('halted');
  });
});

describe('the cool-down', () => {
  const cooled = (): RiskDesk => {
    const entry = new RiskDesk({ cooldown: { losses: 2, minutes: 10 } });
    entry.state.recordSettled(units(-1), NOON);
    entry.state.recordSettled(units(-1), LATER(MINUTE_MS));
    entry.now = LATER(MINUTE_MS);
    return entry;
  };

  it('lasts for its minutes after the newest loss', () => {
    const entry = cooled();
    expect(entry.verdict()).toBe('COOLING_DOWN');
    entry.now = LATER(11 * MINUTE_MS - 1);
    expect(entry.verdict()).toBe('COOLING_DOWN');
    entry.now = LATER(11 * MINUTE_MS);
    expect(entry.verdict()).toBe('sent');
  });

  it('comes back with the next loss of the same run, and not after a profit', () => {
    const entry = cooled();
    entry.state.recordSettled(units(-1), LATER(12 * MINUTE_MS));
    entry.now = LATER(13 * MINUTE_MS);
    expect(entry.judge()).toMatchObject({ code: 'COOLING_DOWN', value: 3, until: LATER(22 * MINUTE_MS) });
    entry.state.recordSettled(units(1), LATER(13 * MINUTE_MS));
    expect(entry.verdict()).toBe('sent');
    entry.state.recordSettled(units(-1), LATER(14 * MINUTE_MS));
    expect(entry.verdict()).toBe('sent');
  });

  it('lets positions be closed', () => {
    const entry = cooled();
    entry.matched({ stake: 10 });
    expect(entry.verdict({ side: 'Against', stake: 10 })).toBe('sent');
  });
});

describe('the ratio of orders to matches', () => {
  it('asks for nothing up to its minimum, and recovers with a match or with time', () => {
    const entry = new RiskDesk({ orderToMatch: { ratio: 3, minimumOrders: 5, hours: 1 } });
    for (let i = 0; i < 5; i += 1) expect(entry.verdict({ stake: 1 })).toBe('sent');
    expect(entry.judge({ stake: 1 })).toEqual({ code: 'ORDER_TO_MATCH', limit: 3, value: 5, wouldBe: 6 });
    entry.state.history.matched(NOON);
    expect(entry.verdict({ stake: 1 })).toBe('ORDER_TO_MATCH');
    entry.state.history.matched(NOON);
    expect(entry.verdict({ stake: 1 })).toBe('sent');
    expect(entry.verdict({ stake: 1 })).toBe('ORDER_TO_MATCH');
    entry.now = LATER(61 * MINUTE_MS);
    expect(entry.verdict({ stake: 1 })).toBe('sent');
  });

  it('does not keep a position open', () => {
    const entry = new RiskDesk({ orderToMatch: { ratio: 1, minimumOrders: 0, hours: 1 } });
    expect(entry.verdict({ stake: 1 })).toBe('sent');
    entry.matched({ stake: 10 });
    expect(entry.verdict({ stake: 1 })).toBe('ORDER_TO_MATCH');
    expect(entry.verdict({ side: 'Against', stake: 5 })).toBe('sent');
  });
});

describe('money already lost', () => {
  it.each([{ dailyLoss: 30 }, { rollingLoss: { amount: 30, hours: 1 } }])(
    'lets positions be closed at any price: %j',
    (limits) => {
      const entry = new RiskDesk(limits);
      entry.matched({ price: 3, stake: 10 });
      entry.state.recordSettled(units(-30), NOON);
      expect(entry.verdict({ side: 'Against', price: 4, stake: 7.5 })).toBe('sent');
      expect(entry.verdict({ side: 'Against', price: 4, stake: 7.5 })).toMatch(/^LIMIT_(DAILY|ROLLING)_LOSS$/);
    },
  );
});

describe('limits that change while a run goes on', () => {
  it('find all that was counted before, whether or not a limit asked for it', () => {
    const entry = new RiskDesk({});
    for (let i = 0; i < 3; i += 1) expect(entry.verdict({ stake: 1 })).toBe('sent');
    entry.state.recordSettled(units(-30), NOON);
    entry.state.setLimits(limitsOf({ ordersPerSecond: 3 }));
    expect(entry.verdict({ stake: 1 })).toBe('LIMIT_RATE');
    entry.state.setLimits(limitsOf({ ordersPerSecond: 4 }));
    expect(entry.verdict({ stake: 1 })).toBe('sent');
    expect(entry.verdict({ stake: 1 })).toBe('LIMIT_RATE');
    entry.state.setLimits(limitsOf({ ordersPerMarket: 4 }));
    expect(entry.verdict({ stake: 1 })).toBe('LIMIT_ORDERS_PER_MARKET');
    entry.state.setLimits(limitsOf({ orderToMatch: { ratio: 4, minimumOrders: 1, hours: 24 } }));
    expect(entry.verdict({ stake: 1 })).toBe('ORDER_TO_MATCH');
    entry.state.setLimits(limitsOf({ rollingLoss: { amount: 30, hours: 168 } }));
    expect(entry.verdict({ stake: 1 })).toBe('LIMIT_ROLLING_LOSS');
    entry.state.setLimits(limitsOf({ cooldown: { losses: 1, minutes: 1 } }));
    expect(entry.verdict({ stake: 1 })).toBe('COOLING_DOWN');
    entry.state.setLimits(limitsOf({ drawdown: { amount: 30, action: 'halted' } }));
    expect(entry.state.evaluate()?.to).toBe('halted');
    entry.state.setLimits(limitsOf({ selfMatch: 'refuse' }));
    expect(entry.verdict({ side: 'Against', price: 2.02 })).toBe('SELF_MATCH');
    entry.state.setLimits({});
    expect(entry.verdict({ stake: 1_000 })).toBe('sent');
  });

  it('refuse more risk where they are tighter than what is held, and take nothing back', () => {
    const entry = new RiskDesk({ market: 100 });
    expect(entry.verdict({ stake: 80 })).toBe('sent');
    entry.state.setLimits(limitsOf({ market: 50 }));
    expect(entry.judge({ stake: 1 })).toEqual({ code: 'LIMIT_MARKET', limit: 50, value: 80, wouldBe: 81 });
    expect(lossInMarket(entry.exposure, 0)).toBe(units(80));
    expect(entry.verdict({ side: 'Against', stake: 1 })).toBe('sent');
  });
});

describe('a restored memory', () => {
  it('of nothing is that of a new run', () => {
    const state = new RiskState({});
    state.restore(NO_RISK_MEMORY);
    expect(state.history.memory()).toEqual(new RiskState({}).history.memory());
  });
});
