/** The strategy before markets written in three lines, and over a whole recording. Run it with `npm test`. */

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { backtest } from 'oddsmith/backtest';
import { decideOnce, testMarket } from 'oddsmith/testing';
import strategy from '../strategies/my-strategy.ts';

const MINUTE = 60_000;
const off = Date.UTC(2026, 7, 1, 14);
const outcomes = [
  { id: 'a', against: [[2, 100]], for: [[2.02, 50]] },
  { id: 'b', against: [[3.9, 80]], for: [[4, 60]] },
  { id: 'c', against: [[4, 70]], for: [[4.1, 60]] },
] as const;
const market = testMarket({ outcomes, expectedStartTime: off });

describe('before the off', () => {
  test('it queues on the favourite, one tick above the best price that other backers ask', () => {
    const { intents, refusals } = decideOnce(strategy, { market, now: off - 10 * MINUTE, params: { stake: 7 } });
    assert.deepEqual(refusals, []);
    assert.equal(intents.length, 1);
    const [order] = intents;
    assert.ok(order?.kind === 'place');
    assert.deepEqual([order.outcome, order.side, order.price, order.stake], ['a', 'For', 2.04, 7]);
  });

  test('it waits until the time to enter has come', () => {
    const { intents } = decideOnce(strategy, { market, now: off - 40 * MINUTE });
    assert.deepEqual(intents, []);
  });

  test('it closes what was held for long enough', () => {
    const state = { outcome: 'a', price: 2.02, heldSince: off - 10 * MINUTE, isDone: false };
    const position = [{ outcome: 'a', side: 'For', price: 2.02, stake: 10 }] as const;
    const early = decideOnce(strategy, { market, state, position, now: off - 9 * MINUTE });
    assert.deepEqual([early.intents, early.wakeAt], [[], off - 5 * MINUTE]);
    const late = decideOnce(strategy, { market, state, position, now: off - 5 * MINUTE });
    assert.equal(late.intents.length, 1);
    const [exit] = late.intents;
    assert.ok(exit?.kind === 'place');
    assert.deepEqual([exit.outcome, exit.side], ['a', 'Against']);
  });
});

test('over the sample recording it trades, and nothing that it asks for is refused', async () => {
  const { summary } = await backtest({
    tape: 'node_modules/oddsmith/backtest/sample.tape',
    strategies: [{ file: 'strategies/my-strategy.ts' }],
    fills: 'central',
  });
  assert.ok(summary.orders.sent > 10, `only ${summary.orders.sent} orders were sent`);
  assert.equal(summary.orders.refused, 0);
  assert.deepEqual(summary.halts, []);
});
