/** The books of an account at Betfair show what became of bets that matched whole, which no polling of live orders sees. */

import { afterEach, expect, test } from 'vitest';
import { instant } from '../../../src/core/number/units.ts';
import type { AccountSnapshotReply } from '../../../src/exchange/live-gateway.ts';
import { BetfairStage } from '../../support/conformance/betfair-stage.ts';
import { order, Scene, units } from '../../support/conformance/stage.ts';

const stages: BetfairStage[] = [];

afterEach(async () => {
  for (const stage of stages.splice(0)) await stage.close();
});

/** A scene of one market of three runners, in which an order for 10 at 4 matched whole. */
async function matched() {
  const old: { orders?: object } = {};
  const stage = new BetfairStage({ kind: 'poll', everyMs: 20_000 }, ({ body = '' }) => {
    const { method, id } = JSON.parse(body.startsWith('{') ? body : '{}');
    if (old.orders === undefined || !String(method).endsWith('/listCurrentOrders')) return undefined;
    const text = JSON.stringify({ jsonrpc: '2.0', result: old.orders, id });
    return { isCarriedOut: false, reply: { kind: 'reply', status: 200, body: text } };
  });
  stages.push(stage);
  const scene = new Scene(stage, [await stage.market({ outcomes: 3 })]);
  stage.listen();
  await stage.until(() => scene.messages('market').length > 0, 'the market');
  await stage.pass(3_000);
  await scene.place(order(1, { price: 4 }));
  await scene.market.take({ outcome: 0, side: 'For', price: 4, stake: 10 });
  await scene.reported(1, 'Matched');
  const market = stage.face.market(scene.market.id);
  const books = async () => {
    const replies: AccountSnapshotReply[] = [];
    stage.gateway.accountSnapshot().subscribe((reply) => replies.push(reply));
    await stage.until(() => replies.length > 0, 'the books');
    return replies[0];
  };
  const last = () => scene.messages('order').at(-1)?.order;
  return { stage, market, books, last, old };
}

test('a bet that is void is reported when the books are read', async () => {
  const { stage, market, books, last } = await matched();
  const to = stage.clock.now();
  stage.face.command({ kind: 'voidTrades', market, from: instant(to - 60_000), to: instant(to) });
  await stage.pass(5_000);
  expect(last()).toMatchObject({ status: 'Matched', stakeMatched: units(10) });
  expect(await books()).toMatchObject({ kind: 'books', books: { orders: [] } });
  expect(last()).toMatchObject({ client: 1, stakeMatched: 0 });
});

test('a bet that is void stays void where an answer that was made before shows it matched', async () => {
  const { stage, market, books, last, old } = await matched();
  const orders = stage.elsewhere().call('listCurrentOrders', {});
  const to = stage.clock.now();
  stage.face.command({ kind: 'voidTrades', market, from: instant(to - 60_000), to: instant(to) });
  await books();
  expect(last()).toMatchObject({ client: 1, stakeMatched: 0 });
  await stage.pass(5_000);
  old.orders = orders;
  expect(orders.currentOrders).toMatchObject([{ sizeMatched: 10 }]);
  expect(await books()).toMatchObject({ kind: 'books', books: { orders: [] } });
  expect(last()).toMatchObject({ client: 1, stakeMatched: 0 });
});

test('a bet that wins less since another runner was withdrawn is reported when the books are read', async () => {
  const { stage, market, books, last } = await matched();
  stage.face.command({ kind: 'removeOutcome', market, outcome: 1, factorPpm: 200_000, basis: 'win' });
  await stage.pass(5_000);
  expect(last()).toMatchObject({ status: 'Matched', winningsMatched: units(30) });
  const winnings = units(22);
  expect(await books()).toMatchObject({ kind: 'books', books: { orders: [{ winningsMatched: winnings }] } });
  expect(last()).toMatchObject({ client: 1, status: 'Matched', winningsMatched: winnings });
});
