/** Placements and cancellations with delays of their own. */

import { expect, it } from 'vitest';
import type { LatencyModel } from '../../src/simulator/gateway/latency.ts';
import type { StrategyPlugin } from '../../src/strategy/contract.ts';
import { runScript, Script, START } from '../support/scripted-run.ts';

const fixed = (ms: number) => ({ kind: 'fixed', ms }) as const;

/**
 * Places an order at 2.2 at 1 s; at 3 s places another one and, in the same decision, cancels the first. Recorded stake
 * comes to 2.2 at 3.5 s.
 */
const mover: StrategyPlugin = {
  name: 'mover',
  decide({ market, now, why, orders }) {
    if (why !== 'prices') return [];
    const bet = { kind: 'place', market: market.id, outcome: 'o0', side: 'For', stake: 5 } as const;
    if (now === START + 1000) return [{ ...bet, price: 2.2 }];
    const [order] = orders;
    if (now !== START + 3000 || order === undefined) return [];
    return [
      { ...bet, price: 2.3 },
      { kind: 'cancel', order: order.id },
    ];
  },
};

async function moved(latency: LatencyModel) {
  const script = new Script();
  script
    .market()
    .at(1000, { level: [0, 'Against', 2, 100] })
    .at(3000, { last: [0, 2] })
    .at(3500, { level: [0, 'Against', 2.2, 100] })
    .settle(9000, 0);
  const { collector } = await runScript(script, [mover], { latency });
  return [...collector.orderRows()].map(({ arrivedAt = 0, status, reason }) => [arrivedAt - START, reason ?? status]);
}

it('travel as all requests do where they have none', async () => {
  expect(await moved({ request: fixed(700), response: fixed(0) })).toEqual([
    [1700, 'Won'],
    [3700, 'MarketSettled'],
  ]);
});

it('let a quick cancellation arrive before a slow placement that was sent with it', async () => {
  expect(await moved({ request: fixed(9), place: fixed(700), cancel: fixed(300), response: fixed(0) })).toEqual([
    [1700, 'UserRequest'],
    [3700, 'MarketSettled'],
  ]);
});

it('let a placement arrive before a slower cancellation', async () => {
  expect(await moved({ request: fixed(300), cancel: fixed(700), response: fixed(0) })).toEqual([
    [1300, 'Won'],
    [3300, 'MarketSettled'],
  ]);
});
