/** What is known of an own order at an instant is what had happened by then. */

import { expect, test } from 'vitest';
import { eventsAt, ownAt, ownInstants, ownLevels, positionAt, stateText } from '../../../src/web/view/play/own.ts';
import { madeMarket, madeOrder } from '../../support/view/made-view.ts';

const ORDER = madeOrder({
  ...{ number: 7, price: 2.5, stake: 10, decidedAt: 100, arrivedAt: 140, endedAt: 400, status: 'Cancelled' },
  fills: [
    { at: 200, price: 2.5, stake: 3 },
    { at: 300, price: 2.52, stake: 1 },
  ],
});

test.each([
  [99, undefined, 0, 0],
  [100, 'on the way', 0, 0],
  [139, 'on the way', 0, 0],
  [140, 'resting', 0, 10],
  [199, 'resting', 0, 10],
  [200, 'resting', 3, 7],
  [300, 'resting', 4, 6],
  [399, 'resting', 4, 6],
  [400, 'ended', 4, 0],
])('at %i it is %s, %i matched and %i resting', (at, where, matched, resting) => {
  const own = ownAt(ORDER, at);
  expect([own?.where, own?.matched ?? 0, own?.resting ?? 0]).toEqual([where, matched, resting]);
});

test('an order that was matched whole has ended, also where nobody said when', () => {
  const order = madeOrder({
    stake: 0.3,
    arrivedAt: 10,
    fills: [0.1, 0.2].map((stake, n) => ({ at: 20 + n, price: 2, stake })),
  });
  expect(ownAt(order, 20)?.where).toBe('resting');
  expect(ownAt(order, 21)).toMatchObject({ where: 'ended', matched: 0.3, resting: 0 });
});

test('an order that never arrived is on the way until it is known to have ended', () => {
  const order = madeOrder({ decidedAt: 10, endedAt: 50 });
  expect([10, 49, 50].map((at) => ownAt(order, at)?.where)).toEqual(['on the way', 'on the way', 'ended']);
});

const FILLED = { arrivedAt: 10, endedAt: 20, stake: 2, fills: [{ at: 20, price: 2, stake: 2 }] };
const HALF = { ...FILLED, fills: [{ at: 15, price: 2, stake: 1 }] };
test.each([
  [{ ...FILLED, status: 'Won' }, false, 'matched'],
  [{ ...FILLED, status: 'Won' }, true, 'won'],
  [{ ...HALF, status: 'Lost', reason: 'CancelUnmatched' }, false, 'matched in part, the rest cancelled'],
  [{ ...HALF, status: 'Lost' }, true, 'lost in part, the rest cancelled'],
  [{ ...HALF, endedAt: 30, status: 'Won' }, false, 'resting, partly matched'],
  [{ arrivedAt: 10, endedAt: 20, status: 'Cancelled', reason: 'UserRequest' }, false, 'cancelled: on request'],
  [
    { arrivedAt: 10, endedAt: 20, status: 'Voided', reason: 'OutcomeRemoved' },
    false,
    'voided: its outcome was removed',
  ],
  [{ decidedAt: 5, arrivedAt: 10, reason: 'SUSPENDED_MARKET' }, false, 'rejected: SUSPENDED_MARKET'],
  [{ decidedAt: 5, endedAt: 20 }, false, 'never arrived'],
  [{ arrivedAt: 10 }, false, 'resting'],
])('%j, settled: %s, is %s', (order, isSettled, text) => {
  const own = ownAt(madeOrder(order), 20) ?? expect.fail();
  expect(stateText(own, isSettled)).toBe(text);
});

test('stake that backs stands among what can be laid, stake that lays among what can be backed', () => {
  const orders = [
    madeOrder({ number: 1, side: 'For', price: 2.5, stake: 10, arrivedAt: 0 }),
    madeOrder({ number: 2, side: 'For', price: 2.5, stake: 5, arrivedAt: 0 }),
    madeOrder({ number: 3, side: 'Against', price: 2.4, stake: 2, arrivedAt: 0 }),
    madeOrder({ number: 4, side: 'For', price: 2.5, stake: 9, arrivedAt: 0, outcome: 1 }),
  ];
  const own = orders.flatMap((order) => ownAt(order, 1) ?? []);
  const levels = ownLevels(own, 0);
  expect([...levels].map(([key, { stake, of }]) => [key, stake, of.length])).toEqual([
    ['lay 2500', 15, 2],
    ['back 2400', 2, 1],
  ]);
});

test('instants of own events are each named once, and what happened at them in words', () => {
  const market = madeMarket({ orders: [ORDER, madeOrder({ number: 8, decidedAt: 140, arrivedAt: 2_000 })] });
  expect([...ownInstants(market)]).toEqual([100, 140, 200, 300, 400]);
  expect(eventsAt(market.orders, 140)).toEqual(['order 7 arrived', 'order 8 decided']);
  expect(eventsAt(market.orders, 200)).toEqual(['order 7 filled']);
});

test('orders of several simulations of one market have names of their own', () => {
  const orders = [1, 2].map((run) => madeOrder({ number: 5, run, arrivedAt: 140 }));
  expect(eventsAt(orders, 140)).toEqual(['order 5 of run 1 arrived', 'order 5 of run 2 arrived']);
});

test('each outcome brings what the fills so far say, and bets on a removed one are void', () => {
  const fill = (at: number, price: number, stake: number) => [{ at, price, stake }];
  const market = madeMarket({
    orders: [
      madeOrder({ outcome: 0, side: 'For', fills: fill(100, 3, 10) }),
      madeOrder({ outcome: 1, side: 'Against', fills: fill(200, 4, 5) }),
    ],
  });
  const active = ['Active', 'Active', 'Active'] as const;
  expect(positionAt(market, 99, active)).toBeUndefined();
  expect(positionAt(market, 100, active)).toEqual([20, -10, -10]);
  expect(positionAt(market, 200, active)).toEqual([25, -25, -5]);
  expect(positionAt(market, 200, ['Active', 'Removed', 'Active'])).toEqual([20, -10, -10]);
});
