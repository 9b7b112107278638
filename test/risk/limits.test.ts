/** How limits are read from their configured form. */

import { describe, expect, it } from 'vitest';
import type { LimitForm, ValueForm } from '../../src/risk/limits/limit-forms.ts';
import { LIMITS, type LimitsConfig } from '../../src/risk/limits/limits.ts';
import { flatLimits, limitsText, nestedLimits } from '../../src/risk/limits/limits-text.ts';
import { parseLimits } from '../../src/risk/limits/parse-limits.ts';
import { limitsOf, units } from './desk.ts';

const NO_LIMITS = {};

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

  it('reads limits of several parts', () => {
    const config: LimitsConfig = {
      rollingLoss: { amount: 200.5, hours: 72 },
      drawdown: { amount: 300, action: 'halted' },
      cooldown: { losses: 5, minutes: 30 },
      orderToMatch: { ratio: 20.5, minimumOrders: 100, hours: 24 },
      selfMatch: 'refuse',
      ordersPerMarket: 10,
      liveOrders: 100,
    };
    expect(limitsOf(config)).toEqual({
      ...config,
      rollingLoss: { amount: units(200.5), hours: 72 },
      drawdown: { amount: units(300), action: 'halted' },
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

  it.each([
    ['rollingLoss', 5, 'rollingLoss', 'a map with amount, hours'],
    ['rollingLoss', { amount: 5 }, 'rollingLoss.hours', 'a whole number from 1 to 168'],
    ['rollingLoss', { amount: 0, hours: 1 }, 'rollingLoss.amount', 'an amount above zero'],
    ['rollingLoss', { amount: 5, hours: 169 }, 'rollingLoss.hours', 'a whole number from 1 to 168'],
    ['rollingLoss', { amount: 5, hours: 1, days: 1 }, 'rollingLoss.days', 'one of amount, hours'],
    ['drawdown', { amount: 5, action: 'running' }, 'drawdown.action', 'reduceOnly or halted'],
    ['cooldown', { losses: 0, minutes: 5 }, 'cooldown.losses', 'a whole number from 1 to 1000000'],
    ['orderToMatch', { ratio: 0.5, minimumOrders: 1, hours: 1 }, 'orderToMatch.ratio', 'a number of at least 1'],
    ['orderToMatch', { ratio: 2, minimumOrders: 1, hours: 25 }, 'orderToMatch.hours', 'a whole number from 1 to 24'],
    ['selfMatch', 'never', 'selfMatch', 'refuse or allow'],
    ['liveOrders', 0, 'liveOrders', 'a whole number from 1 to 1000000'],
  ])('answers a fault in %s when it is %j', (name, given, key, expected) => {
    expect(parseLimits({ [name]: given })).toMatchObject({ kind: 'fault', key, expected });
  });

  it('answers a fault that names a key it does not know', () => {
    const config = { ...NO_LIMITS, markets: 5 };
    expect(parseLimits(config)).toMatchObject({ kind: 'fault', key: 'markets', given: 5 });
  });
});

/** A value that the configuration takes for a limit of this form. */
function exampleOf(form: LimitForm | ValueForm): unknown {
  switch (form.kind) {
    case 'amount':
      return 1.5;
    case 'whole':
      return form.most;
    case 'ratio':
      return form.least + 0.5;
    case 'word':
      return form.words[0];
    case 'flag':
      return true;
    case 'parts':
      return Object.fromEntries(Object.entries(form.parts).map(([name, part]) => [name, exampleOf(part)]));
  }
}

describe.each(Object.entries<LimitForm>(LIMITS))('the limit %s', (key, form) => {
  it('is read, told in words and written flat, from which it is read again', () => {
    const limits = limitsOf({ [key]: exampleOf(form) });
    expect(Object.keys(limits)).toEqual([key]);
    expect(limitsText(limits)).not.toBe('none');
    expect(parseLimits(nestedLimits(flatLimits(limits)))).toEqual({ kind: 'limits', limits });
  });
});

describe('limits told again', () => {
  const all = limitsOf({
    order: 100,
    dailyLoss: 1000.5,
    ordersPerSecond: 50,
    staleMs: 3_000,
    heartbeat: true,
    selfMatch: 'refuse',
    rollingLoss: { amount: 200, hours: 72 },
    drawdown: { amount: 300, action: 'halted' },
    cooldown: { losses: 5, minutes: 30 },
    orderToMatch: { ratio: 20, minimumOrders: 100, hours: 24 },
  });

  it('are flat and in decimals for the journal', () => {
    expect(flatLimits(all)).toEqual({
      order: 100,
      dailyLoss: 1000.5,
      ordersPerSecond: 50,
      staleMs: 3_000,
      heartbeat: true,
      selfMatch: 'refuse',
      'rollingLoss.amount': 200,
      'rollingLoss.hours': 72,
      'drawdown.amount': 300,
      'drawdown.action': 'halted',
      'cooldown.losses': 5,
      'cooldown.minutes': 30,
      'orderToMatch.ratio': 20,
      'orderToMatch.minimumOrders': 100,
      'orderToMatch.hours': 24,
    });
    expect(flatLimits(NO_LIMITS)).toEqual({});
  });

  it('are words for a report', () => {
    expect(limitsText(NO_LIMITS)).toBe('none');
    expect(limitsText(all)).toBe(
      'order 100, dailyLoss 1000.5, 50 orders a second, 20 orders per match after 100 in 24 h, no order against our own, ' +
        "prices at most 3000 ms old, an active heartbeat, loss 200 in 72 h, halted at a drawdown of 300, 30 minutes' " +
        'pause after 5 losses in a row',
    );
  });
});
