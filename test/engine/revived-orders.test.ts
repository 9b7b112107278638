/** Orders that had ended and live again at the exchange: told, counted, and nothing is placed before all was compared. */

import { describe, expect, it } from 'vitest';
import { type Money, ZERO } from '../../src/core/number/units.ts';
import { rebuild } from '../../src/journal/history/rebuild.ts';
import { SETTINGS, START, stage } from '../support/engine/bot-stage.ts';

const STAKE = 10e6 as Money;
const ENDED = { status: 'Cancelled', stakeUnmatched: ZERO, stakeVoided: STAKE } as const;
const ALIVE = { status: 'Unmatched', stakeUnmatched: STAKE, stakeVoided: ZERO } as const;

/** A bot whose one order, of 10, has ended; it places nothing more. */
function ended(settings: Parameters<typeof stage>[0] = {}) {
  const bot = stage(settings);
  bot.until(6_000);
  const [order = 0] = bot.exchange.orders.keys();
  bot.quiet();
  bot.exchange.report(order, ENDED);
  expect(bot.bot.status().orders.live).toBe(0);
  return { ...bot, order, reserved: () => bot.bot.ledger.exposure.requiredOfWallet(0) };
}

describe('an order that had ended and lives again', () => {
  it('is told of and stops new orders until the books were compared; then it counts', () => {
    const bot = ended();
    bot.exchange.report(bot.order, ALIVE);
    expect(bot.of('reappeared')).toMatchObject([{ order: bot.order, hadEnded: true }]);
    expect(bot.bot.status().phase).toBe('recovering');
    bot.until(12_000);
    expect(bot.bot.status()).toMatchObject({ phase: 'trading', orders: { live: 1 } });
    expect(bot.reserved()).toBe(STAKE);
    const kept = rebuild(
      'run',
      bot.journal.records.map((record) => ({ at: START, record })),
    );
    expect(kept.orders, 'a restart knows of it').toMatchObject([{ report: { order: bot.order, status: 'Unmatched' } }]);
  });

  it('is found by the comparison alone where the feed never tells of it', () => {
    const bot = ended();
    bot.exchange.tellsOrders = false;
    const before = bot.exchange.orders.get(bot.order);
    if (before !== undefined) bot.exchange.orders.set(bot.order, { ...before, ...ALIVE });
    bot.until(6_000 + 2 * SETTINGS.reconcile.everyMs);
    expect(bot.bot.status().orders.live).toBe(1);
    expect(bot.reserved()).toBe(STAKE);
  });

  it('is cancelled where orders of others are', () => {
    const bot = ended({ settings: { reconcile: { ...SETTINGS.reconcile, foreignOrders: 'cancel' } } });
    bot.exchange.report(bot.order, ALIVE);
    bot.until(14_000);
    expect(bot.exchange.orders.get(bot.order)?.status).toBe('Cancelled');
    expect(bot.bot.status().orders.live).toBe(0);
  });
});

it('the end of a run finds what lives on although its cancellation was answered', () => {
  const bot = ended();
  bot.exchange.tellsOrders = false;
  const before = bot.exchange.orders.get(bot.order);
  if (before !== undefined) bot.exchange.orders.set(bot.order, { ...before, ...ALIVE });
  bot.bot.stop('command', 'asked to');
  bot.until(6_000 + SETTINGS.end.deadlineMs + 1_000);
  expect(bot.outcome()).toBe('completed');
  expect(bot.exchange.orders.get(bot.order)?.status, 'it was found and cancelled').toBe('Cancelled');
  expect(bot.bot.left()).toEqual({ liveOrders: 0, isUnproven: false });
});
