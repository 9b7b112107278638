/** A clock that stood still while the world went on: nothing that was counted on it is trusted. */

import { expect, it } from 'vitest';
import { FeedAges } from '../../src/engine/live/feed-ages.ts';
import { stage } from '../support/engine/bot-stage.ts';

it('places nothing and resumes nothing while the clock is wrong, and reads all anew when it is right', () => {
  const { until, exchange, bot, of } = stage();
  until(5_000);
  expect(bot.status().phase).toBe('trading');
  bot.requireResyncOfClock('it is 3600000 ms behind');
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
  bot.requireResyncOfClock(undefined);
  until(50_000);
  expect(bot.status()).toMatchObject({ phase: 'trading', trading: 'reduceOnly', clockDoubt: undefined });
  expect(bot.status().reconciliation.done).toBeGreaterThan(compared);
  bot.resume('command');
  until(60_000);
  expect(of('sent').length).toBeGreaterThan(1);
});

it('doubts a machine that slept before it folds what came meanwhile, and orders nothing by it', () => {
  let hasSlept = false;
  const staged = stage({
    decide: ({ orders }) =>
      orders.length > 8 ? [] : [{ kind: 'place', market: 'm1', outcome: 'a', side: 'For', price: 2, stake: 1 }],
    beforeInput: () => {
      if (!hasSlept) return;
      hasSlept = false;
      staged.bot.requireResync('the machine slept');
    },
  });
  const { until, exchange, bot, journal } = staged;
  until(5_000);
  expect(bot.status().phase).toBe('trading');
  const before = journal.records.length;
  hasSlept = true;
  exchange.listen();
  until(30_000);
  const after = journal.records.slice(before);
  expect(after.find(({ kind }) => kind === 'phase' || kind === 'sent')).toMatchObject({
    ...{ kind: 'phase', from: 'trading', to: 'recovering', cause: 'the machine slept' },
  });
  const resumedAt = after.findIndex((record) => record.kind === 'phase' && record.to === 'trading');
  expect(resumedAt).toBeGreaterThan(0);
  expect(after.slice(0, resumedAt).filter(({ kind }) => kind === 'sent')).toEqual([]);
});

it('counts no reading that was asked for before all was forgotten, also within the same millisecond', () => {
  const feeds = new FeedAges({ markets: 1_000, prices: 1_000, orders: 1_000, wallets: 1_000 }, 0);
  for (const feed of ['markets', 'prices', 'orders', 'wallets'] as const) feeds.noteRead(feed, 100);
  expect(feeds.hasAll).toBe(true);
  feeds.forget(200);
  for (const feed of ['markets', 'prices', 'orders', 'wallets'] as const) feeds.noteRead(feed, 200);
  expect([feeds.hasAll, feeds.readAt('prices')]).toEqual([false, undefined]);
  for (const feed of ['markets', 'prices', 'orders', 'wallets'] as const) feeds.noteRead(feed, 201);
  expect(feeds.hasAll).toBe(true);
});
