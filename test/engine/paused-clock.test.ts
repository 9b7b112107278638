/** A clock that stood still while the world went on: nothing that was counted on it is trusted. */

import { expect, it } from 'vitest';
import { stage } from '../support/engine/bot-stage.ts';

it('places nothing and resumes nothing while the clock is wrong, and reads all anew when it is right', () => {
  const { until, exchange, bot, of } = stage();
  until(5_000);
  expect(bot.status().phase).toBe('trading');
  bot.doubtClock('it is 3600000 ms behind');
  bot.reduceOnly('clock', 'it is behind');
  until(20_000);
  expect([...exchange.orders.values()].map(({ status }) => status)).toEqual(['Cancelled']);
  bot.resume('command');
  until(40_000);
  expect(bot.status()).toMatchObject({
    phase: 'recovering',
    trading: 'reduceOnly',
    clockDoubt: 'it is 3600000 ms behind',
  });
  expect(of('sent')).toHaveLength(1);
  const compared = bot.status().reconciliation.done;
  bot.doubtClock(undefined);
  until(50_000);
  expect(bot.status()).toMatchObject({ phase: 'trading', trading: 'reduceOnly', clockDoubt: undefined });
  expect(bot.status().reconciliation.done).toBeGreaterThan(compared);
  bot.resume('command');
  until(60_000);
  expect(of('sent').length).toBeGreaterThan(1);
});
