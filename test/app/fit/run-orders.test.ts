/** What a journal knows of a run's orders: arrival, rest, fills, end. */

import { expect, test } from 'vitest';
import { type RunOrder, runOrders } from '../../../src/app/parity/fit/run-orders.ts';
import { money } from '../../../src/core/number/units.ts';
import { MadeRun, START } from '../../support/paper/records.ts';

/** Times as ms after the start, stakes in units of the currency. */
function told(run: MadeRun): readonly object[] {
  return runOrders(run.records).map((order: RunOrder) => ({
    arrived: order.arrivedAt - START,
    rested: order.restedAt === undefined ? undefined : order.restedAt - START,
    taken: order.taken / 1e6,
    fills: order.fills.map(({ at, matched }) => [at - START, matched / 1e6]),
    ended: order.endedAt === undefined ? undefined : order.endedAt - START,
    isFilled: order.isFilled,
  }));
}

const NONE = money(0);
const CANCELLED = {
  status: 'Cancelled',
  stakeUnmatched: NONE,
  stakeVoided: money(2e6),
  reason: 'UserRequest',
} as const;

test('an order arrives when the exchange says, as far as that is between its sending and its answer', () => {
  const run = new MadeRun();
  run.report(1_200, run.order(1_000), 0, { at: (START + 1_080) as never });
  run.report(2_200, run.order(2_000), 0, { at: (START + 9_999) as never });
  run.report(3_200, run.order(3_000), 0, { at: (START + 5) as never });
  expect(told(run)).toMatchObject([{ arrived: 1_080, rested: 1_080 }, { arrived: 2_200 }, { arrived: 3_000 }]);
});

test('its fills are those after it came to rest, at the times at which the run received them', () => {
  const run = new MadeRun();
  const order = run.order(1_000);
  run
    .report(1_100, order)
    .report(4_000, order, 0.5)
    .report(4_500, order, 0.5)
    .report(9_000, order, 2, { stakeUnmatched: NONE });
  expect(told(run)).toEqual([
    {
      arrived: 1_100,
      rested: 1_100,
      taken: 0,
      fills: [
        [4_000, 0.5],
        [9_000, 2],
      ],
      ended: 9_000,
      isFilled: true,
    },
  ]);
});

test('what it took as it came is apart', () => {
  const run = new MadeRun();
  const order = run.order(1_000);
  run.report(1_100, order, 0.5).report(5_000, order, 1.5);
  expect(told(run)).toMatchObject([{ taken: 0.5, fills: [[5_000, 1.5]], ended: undefined }]);
});

test('one that was matched whole as it came never rested', () => {
  const run = new MadeRun();
  run.report(1_100, run.order(1_000), 2, { stakeUnmatched: NONE });
  expect(told(run)).toMatchObject([{ rested: undefined, taken: 2, ended: 1_100, isFilled: true }]);
});

test('in play it comes to rest when its delay is over, and one that is cancelled before that never does', () => {
  const run = new MadeRun();
  const [first, second] = [run.order(1_000), run.order(1_000)];
  for (const order of [first, second]) run.report(1_100, order, 0, { status: 'Pending' });
  run.report(6_100, first).report(3_000, second, 0, CANCELLED);
  expect(told(run)).toMatchObject([
    { arrived: 1_100, rested: 6_100, ended: undefined },
    { arrived: 1_100, rested: undefined, ended: 3_000, isFilled: false },
  ]);
});

test('a cancelled remainder ends it, and a settlement says nothing more', () => {
  const run = new MadeRun();
  const order = run.order(1_000);
  run.report(1_100, order).cancel(7_900, order);
  run.report(8_000, order, 0.5, { stakeUnmatched: NONE, stakeVoided: money(1.5e6), status: 'Matched' });
  run.report(99_000, order, 0.5, { stakeUnmatched: NONE, stakeVoided: money(1.5e6), status: 'Won' });
  expect(told(run)).toMatchObject([{ fills: [[8_000, 0.5]], ended: 8_000, isFilled: false }]);
});

test('refused orders and those without any report are left out; a lost answer makes one unsure', () => {
  const run = new MadeRun();
  run.order(1_000);
  run.add(2_100, { kind: 'rejected', client: run.order(2_000), code: 'SUSPENDED_MARKET' });
  const lost = run.order(3_000);
  run.add(8_000, { kind: 'unknown', client: lost, code: 'TIMEOUT' }).report(9_000, lost);
  expect(runOrders(run.records).map(({ isUnsure, terms }) => [terms.client, isUnsure])).toEqual([[lost, true]]);
});
