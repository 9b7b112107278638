/** A strategy that answers each rejection with the same order is not asked for ever. */

import { expect, test } from 'vitest';
import type { StrategyPlugin } from '../../src/strategy/contract.ts';
import { runScript, Script, START } from '../support/scripted-run.ts';

const HOUR = 3_600_000;
const feed = { mode: 'poll', everyMs: HOUR } as const;
const latencyOf = (ms: number) => ({ request: { kind: 'fixed', ms }, response: { kind: 'fixed', ms: 0 } }) as const;

/** Once its first poll has shown an open market, it backs whenever it is asked and nothing of it lives. */
const stubborn: StrategyPlugin = {
  name: 'stubborn',
  decide({ market, orders, now }) {
    if (now === START + HOUR) return { wakeAt: now + 10 };
    if (orders.length > 0) return [];
    return [{ kind: 'place', market: market.id, outcome: 'o0', side: 'For', price: 2, stake: 5 }];
  },
};

test.each([80, 0])(
  'it is called for a hundred rejections in a row, and then for news of the market alone',
  async (ms) => {
    const script = new Script();
    // Suspended right after the poll; the next one, an hour later, shows it.
    script
      .market()
      .at(HOUR + 1, { define: { suspended: true } })
      .settle(4 * HOUR, 0);
    const { collector, rejectionsUntold } = await runScript(script, [stubborn], { feed, latency: latencyOf(ms) });
    expect([...collector.rejections]).toEqual([['SUSPENDED_MARKET', 101]]);
    expect(rejectionsUntold).toEqual([1]);
    // It was asked at the next poll, which showed the suspension: refused before it was sent.
    expect([...collector.refusals]).toEqual([['MARKET_SUSPENDED', 1]]);
  },
);

test('an order that is accepted makes them count from nothing again', async () => {
  const script = new Script();
  script
    .market()
    .at(1000, { level: [0, 'Against', 2, 100] })
    // 99 rejections, then a second in which orders match, then rejections without end.
    .at(HOUR + 1, { define: { suspended: true } })
    .at(HOUR + 8000, { define: { suspended: false } })
    .at(HOUR + 9000, { define: { suspended: true } })
    .settle(4 * HOUR, 0);
  const { collector, rejectionsUntold } = await runScript(script, [stubborn], { feed, latency: latencyOf(80) });
  expect(collector.rejections.get('SUSPENDED_MARKET')).toBe(99 + 101);
  expect(rejectionsUntold).toEqual([1]);
});
