/** Orders through the life of their market (section 6): suspended, in play, locked and voided, on REST and stream. */

import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Json } from '../../support/vendor/vendor-client.ts';
import { type ApiUser, type AuditMarket, AuditStage } from './audit-stage.ts';
import { expectOneTruth } from './one-truth.ts';

let stage: AuditStage;
beforeAll(async () => {
  stage = await AuditStage.open();
});
afterAll(() => stage.close());

async function pair(): Promise<readonly [ApiUser, ApiUser]> {
  const users = [await stage.user(), await stage.user()] as const;
  for (const user of users) await user.stream();
  return users;
}

async function inPlay(extra: Json = {}): Promise<AuditMarket> {
  const market = await stage.market({ inPlayDelay: 5, ...extra });
  await stage.move(market, 'in-play');
  return market;
}

const on = ({ id, outcomes }: AuditMarket, outcome = 0) => ({ marketId: id, outcomeId: outcomes[outcome] });
const statusesTold = async (user: ApiUser, id: string) =>
  (await user.settled()).messages.filter(({ orderId }) => orderId === id).map(({ status }) => status);

test('Pending orders count against funds at their limit, show in no book, and are processed first in, first out', async () => {
  const [ann, bob] = await pair();
  const market = await inPlay();
  const first = await ann.place({ ...on(market), stake: 10, price: 3 });
  stage.pass(1_000);
  const second = await ann.place({ ...on(market), stake: 20, price: 3 });
  expect([first.status, second.status, first.stakeUnmatched]).toEqual(['Pending', 'Pending', 10]);
  expect(await ann.balance()).toMatchObject({ balance: 1_000, balanceAvailable: 970, unmatchedExposure: 30 });
  const book = async () => (await bob.ok('GET /market-prices', { query: { marketIds: [market.id] } })).prices[0].prices;
  expect(await book()).toEqual([]);
  stage.pass(4_000);
  expect((await ann.order(first.id)).status).toBe('Unmatched');
  expect((await ann.order(second.id)).status).toBe('Pending');
  expect(await book()).toMatchObject([{ side: 'For', price: 3, amount: 10 }]);
  stage.pass(1_000);
  const against = await bob.place({ ...on(market), side: 'Against', stake: 15, price: 3 });
  stage.pass(5_000);
  expect(await bob.order(against.id)).toMatchObject({ status: 'Matched', stakeUnmatched: 0 });
  expect((await ann.order(first.id)).status).toBe('Matched');
  expect(await ann.order(second.id)).toMatchObject({ status: 'PartiallyMatched', stakeUnmatched: 15 });
  expect(await statusesTold(ann, second.id)).toEqual(['Pending', 'Unmatched', 'PartiallyMatched']);
  await expectOneTruth(ann);
  await expectOneTruth(bob);
});

test.each([
  ['the market is suspended', (market: AuditMarket) => stage.move(market, 'suspend')],
  ['the market is locked', (market: AuditMarket) => stage.move(market, 'lock')],
  [
    'its time of lock has come',
    (market: AuditMarket) =>
      stage.move(market, 'lock-at', { lockAt: new Date(stage.clock.now() + 1_000).toISOString() }),
  ],
  ['the market is taken back', (market: AuditMarket) => stage.move(market, 'unopen')],
  [
    'the event is not active',
    ({ eventId }: AuditMarket) => stage.control(`/events/${eventId}/active`, { active: false }),
  ],
  ['the market is not published', (market: AuditMarket) => stage.move(market, 'unpublish')],
] as const)('a Pending order fails where %s when its delay ends', async (_, end) => {
  const [ann] = await pair();
  const market = await inPlay();
  const { id } = await ann.place(on(market));
  await end(market);
  expect((await ann.order(id)).status).toBe('Pending');
  stage.pass(5_000);
  const failed = await ann.order(id);
  expect(failed).toMatchObject({ status: 'Failed', cancellationReason: 'CreationFailed', stakeVoided: 10 });
  expect(await ann.balance()).toMatchObject({ balance: 1_000, balanceAvailable: 1_000, unmatchedExposure: 0 });
  const { documents } = await ann.ok('GET /orders/cancelled', { query: { walletId: ann.walletId } });
  expect(documents.orders).toEqual([failed]);
  await expectOneTruth(ann);
});

test('a shorter delay lets no order overtake those that wait already', async () => {
  const [ann, bob] = await pair();
  const market = await inPlay();
  const first = await ann.place({ ...on(market), price: 3 });
  await stage.move(market, 'delay', { inPlayDelay: 1 });
  const second = await bob.place({ ...on(market), price: 3 });
  stage.pass(2_000);
  expect([(await ann.order(first.id)).status, (await bob.order(second.id)).status]).toEqual(['Pending', 'Pending']);
  stage.pass(3_000);
  expect([(await ann.order(first.id)).status, (await bob.order(second.id)).status]).toEqual(['Unmatched', 'Unmatched']);
  await stage.move(market, 'delay', { inPlayDelay: 0 });
  await ann.place({ ...on(market), side: 'Against', price: 3 });
  expect([(await ann.order(first.id)).status, (await bob.order(second.id)).status]).toEqual(['Matched', 'Unmatched']);
});

test('a market that is opened again has its orders where they were in the queue', async () => {
  const [ann, bob] = await pair();
  const market = await stage.market();
  const [first, second] = [await ann.place(on(market)), await bob.place(on(market))];
  await stage.move(market, 'lock');
  await stage.move(market, 'open');
  const taker = await bob.place({ ...on(market), side: 'Against', stake: 15 });
  expect(taker.status).toBe('Matched');
  expect((await ann.order(first.id)).status).toBe('Matched');
  expect(await bob.order(second.id)).toMatchObject({ status: 'PartiallyMatched', stakeUnmatched: 5 });
  for (const user of [ann, bob]) await expectOneTruth(user);
});

test('a Pending order survives a suspension that ends before its delay', async () => {
  const [ann] = await pair();
  const market = await inPlay();
  const { id } = await ann.place(on(market));
  await stage.move(market, 'suspend');
  stage.pass(2_000);
  await stage.move(market, 'unsuspend');
  stage.pass(3_000);
  expect((await ann.order(id)).status).toBe('Unmatched');
});

test('cancelled while Pending, an order may still match; what is left is cancelled then', async () => {
  const [ann, bob] = await pair();
  const market = await inPlay();
  const maker = await bob.place({ ...on(market), side: 'Against', stake: 4, keepWhenInPlay: true });
  stage.pass(5_000);
  const [partly, never] = [await ann.place(on(market)), await ann.place(on(market, 1))];
  const body = { orderIds: [partly.id, never.id, maker.id] };
  expect((await ann.ok('POST /orders/cancel-v2', { body })).ids).toEqual([]);
  for (const { id } of [partly, never])
    expect(await ann.order(id)).toMatchObject({ status: 'Pending', matchBehavior: 'CancelUnmatched' });
  stage.pass(5_000);
  expect(await ann.order(partly.id)).toMatchObject({ status: 'Matched', stakeVoided: 6, stakeUnmatched: 0 });
  expect(await ann.order(never.id)).toMatchObject({ status: 'Cancelled', stakeVoided: 10, stakeUnmatched: 0 });
  expect(typeof (await ann.order(never.id)).cancellationReason).toBe('string');
  expect((await bob.order(maker.id)).status).toBe('Matched');
  await expectOneTruth(ann);
  await expectOneTruth(bob);
});

test.each([
  ['CancelUnmatchedLiquidity', ['Cancelled', 'Unmatched', 'Matched'], [10, 0, 5]],
  ['None', ['Unmatched', 'Unmatched', 'PartiallyMatched'], [0, 0, 0]],
] as const)('going in play under eventStartAction %s', async (eventStartAction, statuses, voided) => {
  const [ann, bob] = await pair();
  const market = await stage.market({ eventStartAction });
  const ids: string[] = [];
  for (const outcome of [0, 1]) {
    ids.push((await ann.place({ ...on(market, outcome), price: 2 })).id);
    ids.push((await ann.place({ ...on(market, outcome), price: 1.5, keepWhenInPlay: true })).id);
  }
  // 10 of these 15 match the best level at 1.5, after which the only price left for the rest is 2.
  const kept = await ann.place({ ...on(market, 1), price: 2.5, keepWhenInPlay: true });
  await bob.place({ ...on(market, 1), side: 'Against', stake: 15, price: 2 });
  await stage.move(market, 'in-play');
  const now = await Promise.all([ids[0], ids[1], ids[2], ids[3], kept.id].map((id = '') => ann.order(id)));
  expect(now[3]).toMatchObject({ status: 'Matched', stakeVoided: 0 });
  expect(now[4]).toMatchObject({ status: 'Unmatched', stakeUnmatched: 10 });
  expect(now.slice(0, 3).map(({ status }) => status)).toEqual(statuses);
  expect(now.slice(0, 3).map(({ stakeVoided }) => stakeVoided)).toEqual(voided);
  if (eventStartAction !== 'None') expect(now[0].cancellationReason).toBe('MarketInPlay');
  await expectOneTruth(ann);
});

test.each([
  ['CancelUnmatchedLiquidity', ['Cancelled', 'MarketLock'], 'Matched'],
  ['None', ['Unmatched', undefined], 'PartiallyMatched'],
])('locking under marketLockAction %s', async (marketLockAction, [status, reason], partial) => {
  const [ann, bob] = await pair();
  const market = await stage.market({ marketLockAction });
  const resting = await ann.place({ ...on(market), keepWhenInPlay: true });
  const partly = await ann.place({ ...on(market, 1), keepWhenInPlay: true });
  await bob.place({ ...on(market, 1), side: 'Against', stake: 4 });
  await stage.move(market, 'lock');
  expect(await ann.order(resting.id)).toMatchObject({ status });
  expect((await ann.order(resting.id)).cancellationReason).toBe(reason);
  expect((await ann.order(partly.id)).status).toBe(partial);
  await stage.move(market, 'settle', { winners: [market.outcomes[1]] });
  expect(await ann.order(resting.id)).toMatchObject({
    status: 'Cancelled',
    cancellationReason: reason ?? 'MarketSettled',
    stakeVoided: 10,
    stakeUnmatched: 0,
  });
  expect(await ann.order(partly.id)).toMatchObject({ status: 'Won', stakeVoided: 6, stakeUnmatched: 0 });
  await expectOneTruth(ann);
  await expectOneTruth(bob);
});

test('after lockAt an Open market takes no order, but lets orders be cancelled; so does a suspended one', async () => {
  const [ann] = await pair();
  const market = await stage.market();
  const [late, early] = [await ann.place(on(market)), await ann.place(on(market))];
  const code = async () => {
    const request = { walletId: ann.walletId, ...on(market), side: 'For', price: 2, stake: 1, keepWhenInPlay: false };
    return (await ann.ok('POST /orders/batch', { body: { requests: [request] } })).orders[0].errorCode;
  };
  const cancelled = async (id: string) => (await ann.ok('POST /orders/cancel-v2', { body: { orderIds: [id] } })).ids;
  await stage.move(market, 'suspend');
  expect(await code()).toBe('SUSPENDED_MARKET');
  expect(await cancelled(early.id)).toEqual([early.id]);
  await stage.move(market, 'unsuspend');
  await stage.move(market, 'lock-at', { lockAt: new Date(stage.clock.now() + 1_000).toISOString() });
  stage.pass(1_000);
  expect((await ann.ok('GET /markets/{id}', { path: { id: market.id } })).markets[0].status).toBe('Open');
  expect(await code()).toBe('INVALID_MARKET_STATUS');
  expect(await cancelled(late.id)).toEqual([late.id]);
  expect(await ann.order(late.id)).toMatchObject({ status: 'Cancelled', cancellationReason: 'UserRequest' });
});

test('a void market turns all but Cancelled and Failed orders into Voided, and gives everything back', async () => {
  const [ann, bob] = await pair();
  const market = await inPlay();
  const failed = await ann.place(on(market));
  await stage.move(market, 'suspend');
  stage.pass(5_000);
  await stage.move(market, 'unsuspend');
  const cancelled = await ann.place(on(market));
  stage.pass(5_000);
  await ann.ok('POST /orders/cancel-v2', { body: { orderIds: [cancelled.id] } });
  const [unmatched, partly] = [await ann.place(on(market, 2)), await ann.place(on(market))];
  stage.pass(5_000);
  const matched = await bob.place({ ...on(market), side: 'Against', stake: 4 });
  stage.pass(5_000);
  const pending = await ann.place(on(market));
  await stage.move(market, 'void');
  const statuses = await Promise.all([failed, cancelled, unmatched, partly, pending].map(({ id }) => ann.order(id)));
  expect(statuses.map(({ status }) => status)).toEqual(['Failed', 'Cancelled', 'Voided', 'Voided', 'Voided']);
  for (const { stakeUnmatched } of statuses) expect(stakeUnmatched).toBe(0);
  expect((await bob.order(matched.id)).status).toBe('Voided');
  stage.pass(10_000);
  expect((await ann.order(pending.id)).status).toBe('Voided');
  for (const user of [ann, bob]) {
    expect(await user.balance()).toMatchObject({ balance: 1_000, balanceAvailable: 1_000, unmatchedExposure: 0 });
    const { trades } = await user.ok('GET /trades', { query: { walletIds: [user.walletId] } });
    expect(trades.map(({ profitLoss }: Json) => profitLoss)).toEqual([0]);
  }
  const { documents } = await ann.ok('GET /orders/historical', { query: { walletId: ann.walletId } });
  expect(documents.orders.length).toBe(3);
});

test('a heartbeat that lapses by itself cancels, blocks, stays lapsed after a POST, and is lifted by DELETE', async () => {
  const [ann, bob] = await pair();
  const [market, delayed] = [await stage.market(), await inPlay()];
  const resting = await ann.place(on(market));
  const pending = await ann.place(on(delayed));
  const foreign = await bob.place(on(market));
  const { heartbeats } = await ann.ok('POST /heartbeats', { body: { timeoutMs: 10_000 } });
  expect(heartbeats).toMatchObject([{ appId: ann.appId, active: true, timeoutMs: 10_000 }]);
  stage.pass(3_000);
  const late = await ann.place(on(delayed));
  stage.pass(7_000);
  expect(await statusesTold(ann, resting.id)).toEqual(['Unmatched', 'Cancelled']);
  expect(await ann.order(resting.id)).toMatchObject({ status: 'Cancelled', cancellationReason: 'HeartbeatLapsed' });
  expect((await ann.order(pending.id)).cancellationReason).toBe('HeartbeatLapsed');
  expect((await ann.order(late.id)).status).toBe('Cancelled');
  expect((await bob.order(foreign.id)).status).toBe('Unmatched');
  const request = { walletId: ann.walletId, ...on(market), side: 'For', price: 2, stake: 1, keepWhenInPlay: false };
  for (const endpoint of ['POST /orders', 'POST /order-requests'])
    expect(await ann.refused(endpoint, { body: request })).toBe(403);
  for (const endpoint of ['POST /orders/batch', 'POST /order-requests/batch'])
    expect(await ann.refused(endpoint, { body: { requests: [request] } })).toBe(403);
  const again = await ann.ok('POST /heartbeats', { body: { timeoutMs: 20_000 } });
  expect(again.heartbeats[0].active).toBe(false);
  expect((await ann.ok('GET /heartbeats')).heartbeats[0].active).toBe(false);
  expect((await ann.ok('DELETE /heartbeats')).heartbeats[0].active).toBe(false);
  expect((await ann.place(on(market))).status).toBe('Unmatched');
  await expectOneTruth(ann);
});
