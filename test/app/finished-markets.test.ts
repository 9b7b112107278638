/** A run of years keeps the result of each market, and nothing else of it. */

import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import type { StrategyPlugin } from '../../src/strategy/contract.ts';
import { runScript, Script, START, units } from '../support/scripted-run.ts';

const backOnce: StrategyPlugin = {
  name: 'back-once',
  decide: ({ market, now, why }) =>
    why === 'prices' && now === START + 1000
      ? [{ kind: 'place', market: market.id, outcome: 'o0', side: 'For', price: 2, stake: 10 }]
      : [],
};

test('a finished market is let go of with its orders, while its result stays', async () => {
  const script = new Script();
  script
    .market()
    .at(1000, { level: [0, 'Against', 2, 100] })
    .at(2000, { last: [0, 2] })
    .settle(5000, 0);
  let markets: WeakRef<object>[] = [];
  let tracks: WeakRef<object>[] = [];
  const end = await runScript(script, [backOnce], {
    afterUpdate: (replay) => {
      for (const market of replay.openMarkets()) {
        markets = [new WeakRef(market)];
        tracks = [...replay.exchange.market(market.exchangeId).tracks].map((track) => new WeakRef(track));
      }
    },
  });
  expect(tracks).toHaveLength(1);
  await collected();
  const alive = [...markets, ...tracks].filter((each) => each.deref() !== undefined);
  expect(markets).toHaveLength(1);
  expect(alive).toEqual([]);
  expect(end.collector.markets[0]?.profit).toMatchObject({ profitGross: units(10) });
});

/** What a weak reference was read of lives until the next task. */
async function collected(): Promise<void> {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  for (let i = 0; i < 3; i += 1) {
    await new Promise((resolve) => setImmediate(resolve));
    collect();
  }
}
