/** Why a run places no orders, in words: one row for each cause, and nothing where it trades. */

import { expect, test } from 'vitest';
import type { DaemonStatus } from '../../../src/app/live/control/control-protocol.ts';
import { type TradingFacts, whyNoOrders } from '../../../src/app/live/dashboard/why-no-orders.ts';
import { AT, madeStatus } from '../../support/daemon/made-status.ts';

const WELL: TradingFacts = {
  open: 3,
  watched: 3,
  coolingUntil: undefined,
  dayLoss: 0,
  dailyLoss: 100,
  rollingLoss: 0,
  rollingLimit: undefined,
};
type Bot = Partial<DaemonStatus['bot']>;

test('a run that trades has no reason not to', () => {
  expect(whyNoOrders(madeStatus(), WELL)).toEqual([]);
  expect(whyNoOrders(madeStatus(), undefined)).toEqual([]);
});

test.each<[string, Bot, Partial<DaemonStatus['daemon']>, Partial<TradingFacts>, string]>([
  ['a halt', { trading: 'halted', tradingCause: 'team news' }, {}, {}, 'Trading is halted: team news.'],
  ['reduce-only', { trading: 'reduceOnly', tradingCause: 'SIGUSR2' }, {}, {}, 'Trading is reduced: SIGUSR2.'],
  [
    'recovery',
    { phase: 'recovering', waitsFor: 'the fate of order 3' },
    {},
    {},
    'It is not known yet what is held at the exchange: it waits for the fate of order 3.',
  ],
  ['arming', { phase: 'arming' }, {}, {}, 'The heartbeat is being armed.'],
  [
    'the end',
    { phase: 'ending', waitsFor: 'the fate of 2 orders' },
    {},
    {},
    'The run ends: it waits for the fate of 2 orders.',
  ],
  ['after the end', { phase: 'ended' }, {}, {}, 'The run has ended.'],
  ['a clock', { clockDoubt: 'it is 9 s ahead' }, {}, {}, 'Its clock cannot be trusted: it is 9 s ahead.'],
  ['no session', {}, { awaySince: AT - 5_000 }, {}, 'There is no session with the exchange.'],
  [
    'a late feed',
    { feeds: [{ feed: 'orders', readAt: AT - 9_000, budgetMs: 5_000, isLate: true }] },
    {},
    {},
    'Not read in time: orders.',
  ],
  [
    'a wallet that cannot be read',
    { wallets: [{ name: 'second', balance: 0, balanceAvailable: 0, worstLoss: 0, unreadMs: 9_000 }] },
    {},
    {},
    'Nothing new is placed from these wallets, which cannot be read: second.',
  ],
  ['a heartbeat', { heartbeat: 'lapsed' }, {}, {}, 'The heartbeat is lapsed.'],
  [
    'all strategies halted',
    { strategies: [{ name: 'a', isHalted: true, liveOrders: 0, worstLoss: 0 }] },
    {},
    {},
    'All strategies are halted: a.',
  ],
  [
    'the loss of the day',
    {},
    {},
    { dayLoss: 100 },
    'The settled loss of the day, 100.00, has reached its limit of 100.00.',
  ],
  [
    'a rolling loss',
    {},
    {},
    { rollingLoss: 9, rollingLimit: { amount: 8, hours: 72 } },
    'The settled loss of the last 72 h, 9.00, has reached its limit of 8.00.',
  ],
  ['a losing run', {}, {}, { coolingUntil: AT }, 'After so many losses in a row it pauses until 12:00:00 UTC.'],
  ['no market', { markets: 0 }, {}, { open: 0, watched: 0 }, 'It follows no market.'],
  ['closed markets', {}, {}, { open: 0, watched: 0 }, 'None of its 12 markets is open for orders now.'],
  [
    'nothing watched',
    {},
    {},
    { watched: 0 },
    'No strategy watches one of the 3 open markets, or guards have switched them off.',
  ],
])('%s', (_, bot, daemon, facts, text) => {
  const reasons = whyNoOrders(madeStatus(bot, daemon), { ...WELL, ...facts });
  expect(reasons.map((reason) => reason.text)).toEqual([text]);
  expect(reasons[0]?.next.length).toBeGreaterThan(5);
});

test('several causes are all named, the weightiest first', () => {
  const status = madeStatus({ trading: 'halted', tradingCause: 'file', heartbeat: 'late' }, { haltFile: true });
  const reasons = whyNoOrders(status, { ...WELL, dayLoss: 500, open: 0, watched: 0 });
  expect(reasons.map(({ tone }) => tone)).toEqual(['bad', 'warn', 'warn']);
  expect(reasons[0]?.next).toMatch(/Remove the file/);
});
