/** A strategy that answers what becomes of its orders with orders does not hold a backtest at one instant, where requests take no time. */

import { expect, test } from 'vitest';
import type { Intent } from '../../src/core/intent.ts';
import type { StrategyPlugin } from '../../src/strategy/contract.ts';
import { runScript, Script, START } from '../support/scripted-run.ts';

const latency = { request: { kind: 'fixed', ms: 0 }, response: { kind: 'fixed', ms: 0 } } as const;

/** For whatever it is called, it cancels all in the market and places anew, but in the second market only once for each update. */
function restless(calls: number[]): StrategyPlugin {
  return {
    name: 'restless',
    decide({ market, now, why }) {
      calls.push(now);
      if (!market.tradable || (market.id === '1.2' && why === 'order')) return [];
      const place: Intent = { kind: 'place', market: market.id, outcome: 'o0', side: 'For', price: 3, stake: 5 };
      return [{ kind: 'cancelAll', market: market.id }, place];
    },
  };
}

function script(): Script {
  const made = new Script();
  const markets = [made.market(), made.market()];
  for (const market of markets) market.at(1_000, { level: [0, 'For', 2.2, 100] }).settle(5_000, 0);
  return made;
}

test('it is halted, with the reason, and the recording goes on', async () => {
  const calls: number[] = [];
  const { collector, updates, endedAt } = await runScript(script(), [restless(calls)], { latency });
  const [halt, ...more] = collector.halts;
  expect(more).toEqual([]);
  expect(halt).toMatchObject({ code: 'STRATEGY_BAD_RESULT', market: '1.1' });
  expect(JSON.stringify(halt)).toContain('more than 10000 intents at one moment in one market');
  expect(new Set(calls)).toEqual(new Set([START]));
  expect(collector.tally.sent).toBeLessThan(6_000);
  expect(collector.tally.cancelled).toBe(collector.tally.sent);
  expect([updates, endedAt]).toEqual([6, START + 5_000]);
});
