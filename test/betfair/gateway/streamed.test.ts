/** The gateway to Betfair with all its feeds streamed and readings an hour apart: what it knows then comes by the stream alone. */

import { afterEach, expect, test } from 'vitest';
import { money, price } from '../../../src/core/number/units.ts';
import { AGAINST, FOR } from '../../../src/core/side.ts';
import { operationIn } from '../../support/betfair/face-transport.ts';
import { BetfairStage } from '../../support/conformance/betfair-stage.ts';
import { at, order, Scene, units } from '../../support/conformance/stage.ts';

const READINGS = ['listMarketBook', 'listCurrentOrders', 'listClearedOrders', 'listMarketCatalogue'];

/** The exchange goes on from the clocks of a connection that ended less than ten minutes ago, and begins with an image after that. */
const PAST_CLOCKS_MS = 11 * 60_000;

const stages: BetfairStage[] = [];

afterEach(async () => {
  for (const stage of stages.splice(0)) await stage.close();
});

/** A scene of one market, whose stream is up; `readings` are those since then. */
async function streamed() {
  const stage = new BetfairStage({ kind: 'stream', rereadMs: 3_600_000 });
  stages.push(stage);
  const scene = new Scene(stage, [await stage.market()]);
  stage.listen();
  await stage.until(() => scene.messages('market').length > 0, 'the market');
  await stage.pass(3_000);
  const before = stage.transport.sent.length;
  const readings = () =>
    stage.transport.sent
      .slice(before)
      .map(operationIn)
      .filter((each) => READINGS.includes(each));
  return { stage, scene, readings };
}

function betIdOf(stage: BetfairStage, client: number) {
  const { currentOrders } = stage.elsewhere().call('listCurrentOrders', {});
  return currentOrders.find(({ customerOrderRef }) => customerOrderRef?.endsWith(`-${client}`) === true)?.betId ?? '';
}

test('prices, a status, a fill and a cancellation come by the stream alone, and nothing grows old', async () => {
  const { stage, scene, readings } = await streamed();
  const { market } = scene;
  await market.rest({ outcome: 0, side: 'Against', price: 3, stake: 5 });
  await scene.sees((seen) => seen.amountAt(0, AGAINST, at(3)) === units(5), 'stake');
  await market.clear({ outcome: 0, side: 'Against', price: 3 });
  await scene.sees((seen) => seen.amountAt(0, AGAINST, at(3)) === 0, 'no stake');
  await market.suspend(true);
  await scene.sees(({ suspended }) => suspended, 'the suspension');
  await market.suspend(false);
  await scene.sees(({ suspended }) => !suspended, 'its end');
  await scene.place(order(1, { price: 4 }), order(2, { price: 5 }));
  await scene.sees((seen) => seen.amountAt(0, FOR, at(4)) === units(10), 'our own stake');
  await market.take({ outcome: 0, side: 'For', price: 4, stake: 10 });
  await scene.reported(1, 'Matched');
  await scene.sees((seen) => seen.lastPrice?.(0) === price(4_000), 'the last price');
  expect(scene.seen.traded(0)).toBe(units(10));
  stage.elsewhere().call('cancelOrders', { marketId: market.id, instructions: [{ betId: betIdOf(stage, 2) }] });
  expect(await scene.reported(2, 'Cancelled')).toMatchObject({ stakeVoided: units(10), reason: 'UserRequest' });
  await stage.pass(20_000);
  const now = stage.clock.now();
  for (const feed of ['markets', 'prices', 'orders'])
    expect(now - (scene.messages('read').findLast((each) => each.feed === feed)?.at ?? 0)).toBeLessThan(2_500);
  expect(now - (scene.seen.freshAt ?? 0)).toBeLessThan(3_500);
  expect(now - (scene.seen.statusFreshAt ?? 0)).toBeLessThan(2_500);
  expect(readings()).toEqual([]);
});

test('a cut loses nothing, and meanwhile nothing is called fresh', async () => {
  const { stage, scene, readings } = await streamed();
  const { market } = scene;
  await scene.place(order(1, { price: 4 }), order(2, { price: 5 }));
  const betId = betIdOf(stage, 2);
  await stage.pass(1_000);
  stage.line.isClosed = true;
  stage.line.cut();
  const cutAt = stage.clock.now();
  await market.rest({ outcome: 1, side: 'Against', price: 3, stake: 5 });
  await market.take({ outcome: 0, side: 'For', price: 4, stake: 4 });
  stage.elsewhere().call('cancelOrders', { marketId: market.id, instructions: [{ betId }] });
  await market.suspend(true);
  await stage.pass(5_000);
  const fresh = () => scene.messages('read').filter(({ feed, at: moment }) => feed !== 'wallets' && moment > cutAt);
  expect(fresh()).toEqual([]);
  expect(scene.seen.suspended).toBe(false);
  stage.line.isClosed = false;
  await scene.sees(({ suspended }) => suspended, 'the suspension');
  expect(scene.seen.amountAt(1, AGAINST, at(3))).toBe(units(5));
  expect(scene.seen.amountAt(0, FOR, at(4))).toBe(units(6));
  expect(await scene.reported(2, 'Cancelled')).toMatchObject({ stakeVoided: units(10) });
  expect(await scene.reported(1, 'PartiallyMatched')).toMatchObject({ stakeUnmatched: units(6) });
  await stage.pass(1_000);
  expect(new Set(fresh().map(({ feed }) => feed))).toEqual(new Set(['markets', 'prices', 'orders']));
  expect(readings()).toEqual([]);
});

test('orders that ended in a gap are read at once, since the image after it does not tell them', async () => {
  const { stage, scene, readings } = await streamed();
  const { market } = scene;
  await scene.place(order(1, { price: 4 }), order(2, { price: 5 }));
  const betId = betIdOf(stage, 2);
  stage.line.isClosed = true;
  stage.line.cut();
  await market.take({ outcome: 0, side: 'For', price: 4, stake: 10 });
  stage.elsewhere().call('cancelOrders', { marketId: market.id, instructions: [{ betId }] });
  await stage.pass(PAST_CLOCKS_MS);
  expect(readings()).toEqual([]);
  stage.line.isClosed = false;
  expect(await scene.reported(1, 'Matched')).toMatchObject({ stakeMatched: units(10) });
  expect(await scene.reported(2, 'Cancelled')).toMatchObject({ stakeVoided: units(10) });
  expect(readings()).toContain('listCurrentOrders');
});

test('a market that is found later is streamed beside the others', async () => {
  const { stage, scene } = await streamed();
  const other = await stage.market();
  stage.gateway.follow([other.id]);
  const both = new Scene(stage, [scene.market, other]);
  await stage.until(() => scene.messages('market').some((each) => each.market.facts.id === other.id), 'the market');
  await stage.pass(1_000);
  for (const market of both.markets) await market.rest({ outcome: 0, side: 'Against', price: 3, stake: 5 });
  await stage.pass(200);
  for (const index of [0, 1]) expect(both.state(index).amountAt(0, AGAINST, at(3))).toBe(money(5_000_000));
  const read = scene.messages('read').findLast(({ feed }) => feed === 'prices');
  expect(stage.clock.now() - (read?.at ?? 0)).toBeLessThan(2_500);
});

test('a feed of which nothing more is heard is not called fresh by the other one', async () => {
  const { stage, scene } = await streamed();
  stage.line.edit = (line) => (line.includes('"op":"ocm"') ? undefined : line);
  const since = stage.clock.now();
  await stage.pass(3_500);
  const read = scene.messages('read').filter(({ at: moment }) => moment > since);
  expect(new Set(read.map(({ feed }) => feed))).toEqual(new Set(['markets', 'prices', 'wallets']));
});
