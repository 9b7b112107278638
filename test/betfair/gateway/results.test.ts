/** Results at Betfair that were told: they are read again for a day, all of them by one call, and a later one is told as the difference. */

import { expect, test } from 'vitest';
import { betfairGateway } from '../../../src/betfair/gateway/betfair-gateway.ts';
import type { FeedMessage } from '../../../src/exchange/gateway.ts';
import { TIMEOUTS } from '../../../src/exchange-live/settings.ts';
import { operationIn } from '../../support/betfair/face-transport.ts';
import { BetfairStage } from '../../support/conformance/betfair-stage.ts';
import { type MarketControl, order, Scene, units } from '../../support/conformance/stage.ts';
import { RESTORED } from '../../support/engine/bot-stage.ts';

const MARKETS = 8;
const POLLED = { kind: 'poll', everyMs: 200 } as const;

async function settled() {
  const stage = new BetfairStage(POLLED);
  const markets: MarketControl[] = [];
  for (let index = 0; index < MARKETS; index += 1) markets.push(await stage.market());
  stage.listen();
  const scene = new Scene(stage, markets);
  await stage.until(
    () => new Set(scene.messages('market').map(({ market }) => market)).size === MARKETS,
    'the markets',
  );
  for (const [index, market] of markets.entries()) {
    const { market: found } = scene.messages('market').find((each) => each.market.facts.id === market.id) ?? {};
    await market.rest({ outcome: 0, side: 'Against', price: 2, stake: 20 });
    await scene.place(order(index + 1, { market: found?.index ?? 0 }));
  }
  for (const market of markets) await market.settle(0);
  await stage.until(() => scene.messages('settled').length === MARKETS, 'the results');
  return { stage, scene, markets };
}

test('many of them cost one call at a time, and no bet is read', async () => {
  const { stage, scene, markets } = await settled();
  expect(scene.messages('settled').map(({ profit }) => profit)).toEqual(markets.map(() => units(9.5)));
  await stage.pass(3_000);
  const before = stage.transport.sent.length;
  await stage.pass(30_000);
  const sent = stage.transport.sent.slice(before);
  const cleared = sent.filter((each) => operationIn(each) === 'listClearedOrders');
  expect(cleared.length).toBeGreaterThan(2);
  // Read again after a tenth of their age: some times in half a minute, and not once for each market.
  expect(cleared.length).toBeLessThan(60);
  for (const { body = '' } of cleared) expect(JSON.parse(body).params).toMatchObject({ groupBy: 'MARKET' });
  await stage.close();
});

test('one that is put right is told as the difference, with its bets, and the others stay', async () => {
  const { stage, scene, markets } = await settled();
  await stage.pass(3_000);
  stage.face.command({ kind: 'resettle', market: stage.face.market(markets[3]?.id ?? ''), winners: [1] });
  await stage.until(() => scene.messages('settled').length > MARKETS, 'the correction');
  expect(scene.messages('settled').slice(MARKETS)).toMatchObject([{ profit: units(-19.5), commission: 0 }]);
  expect(scene.reports(4).at(-1)?.status).toBe('Lost');
  await stage.pass(30_000);
  expect(scene.messages('settled')).toHaveLength(MARKETS + 1);
  await stage.close();
});

test('after a restart they are looked at by one call, and not told again', async () => {
  const { stage, markets } = await settled();
  const results = markets.map(({ id: market }) => ({
    market,
    wallet: 'main',
    net: units(9.5),
    commission: units(0.5),
  }));
  const feeds = { markets: POLLED, prices: POLLED, orders: POLLED, wallets: POLLED };
  const again = betfairGateway({
    ...{ clock: stage.clock, calls: stage.client, skewMs: () => 0, resume: { ...RESTORED, results } },
    settings: {
      ...{ wallets: ['main'], currency: 'GBP', watch: { marketTypeIds: ['CONFORMANCE'] }, feeds },
      ...{ referencePrefix: 'conformance-1', strategies: ['case'], timeouts: TIMEOUTS },
    },
  });
  const said: FeedMessage[] = [];
  const before = stage.transport.sent.length;
  again.feed$.subscribe((message) => said.push(message));
  await stage.pass(20_000);
  const over = said.filter((each) => each.kind === 'market' && each.market.status === 'Settled');
  expect(over).toHaveLength(MARKETS);
  expect(said.filter(({ kind }) => kind === 'settled')).toEqual([]);
  const bodies = stage.transport.sent.slice(before).map(({ body = '' }) => body);
  expect(bodies.filter((body) => body.includes('"groupBy":"BET"'))).toEqual([]);
  await stage.close();
});
