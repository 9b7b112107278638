/** A run that may not place: its strategies are asked on, and the journal does not fill with what is refused again and again. */

import { describe, expect, it } from 'vitest';
import { RepeatedRefusals } from '../../src/engine/log/repeated-refusals.ts';
import { stage } from '../support/engine/bot-stage.ts';

const MINUTES = 60_000;

describe('refusals while halted', () => {
  it('are kept once, and then once a minute with their number; so are the decisions that they answer', () => {
    let asked = 0;
    const bot = stage({
      decide: ({ market }) => {
        asked += 1;
        return [{ kind: 'place', market: market.id, outcome: 'a', side: 'For', price: 2, stake: 1 }];
      },
      limits: { ordersPerMarket: 1 },
    });
    bot.until(3_000);
    bot.bot.halt('command', 'enough');
    bot.until(4_000);
    const [refused, decided, before] = [bot.of('refused').length, bot.of('decided').length, asked];
    bot.until(4_000 + 5 * MINUTES);
    const counted = bot.of('refused').slice(refused);
    expect(asked - before, 'it is asked all the while').toBeGreaterThan(50);
    expect(counted.length).toBeLessThanOrEqual(5);
    expect(counted.every(({ code }) => code === 'HALTED')).toBe(true);
    expect(counted.reduce((sum, { times = 1 }) => sum + times, 0)).toBeGreaterThan(40);
    expect(bot.of('decided').length - decided).toBeLessThanOrEqual(counted.length);
  });

  it('are news again after each move of trading, and an order that passes has its decision before it', () => {
    const bot = stage({
      decide: ({ market, orders }) =>
        orders.length > 0 ? [] : [{ kind: 'place', market: market.id, outcome: 'a', side: 'For', price: 2, stake: 1 }],
    });
    bot.until(3_000);
    bot.bot.halt('command', 'enough');
    bot.until(20_000);
    const halts = bot.of('refused').length;
    bot.bot.resume('command');
    bot.until(25_000);
    bot.bot.halt('command', 'again');
    bot.until(40_000);
    expect(bot.of('refused').length).toBeGreaterThan(halts);
    const kinds = bot.journal.records.map(({ kind }) => kind);
    for (const [index, kind] of kinds.entries())
      if (kind === 'sent') expect(kinds.slice(0, index).lastIndexOf('decided')).toBeGreaterThan(-1);
    expect(kinds[kinds.lastIndexOf('sent') - 1]).toBe('decided');
  });
});

describe('counting', () => {
  const halted = { strategy: 's', market: 'm', code: 'HALTED' } as const;

  it('is by strategy, market and code, and not of what speaks of the order', () => {
    const repeated = new RepeatedRefusals();
    expect(repeated.times(0, halted)).toBe(1);
    expect([repeated.times(10, halted), repeated.times(20, halted)]).toEqual([undefined, undefined]);
    expect(repeated.times(30, { ...halted, market: 'n' })).toBe(1);
    expect(repeated.times(60_000, halted)).toBe(3);
    expect([1, 2, 3].map((at) => repeated.times(at, { ...halted, code: 'LIMIT_MARKET' }))).toEqual([1, 1, 1]);
  });

  it('begins anew where the clock went back', () => {
    const repeated = new RepeatedRefusals();
    repeated.times(1_000_000, halted);
    expect(repeated.times(5, halted)).toBe(1);
  });
});
