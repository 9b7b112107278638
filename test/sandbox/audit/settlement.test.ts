/** Settlement, commission, dead heats, removals and resettlement in every document (sections 7 and 8). */

import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Json } from '../../support/vendor/vendor-client.ts';
import { type ApiUser, type AuditMarket, AuditStage } from './audit-stage.ts';
import { expectOneTruth, tradesOf } from './one-truth.ts';

let stage: AuditStage;
beforeAll(async () => {
  stage = await AuditStage.open();
});
afterAll(() => stage.close());

const on = ({ id, outcomes }: AuditMarket, outcome = 0) => ({ marketId: id, outcomeId: outcomes[outcome] });
const near = (amount: number) => Math.round(amount * 1e6) / 1e6;

/** Ann backs and Bob lays: the bet is fully matched at the price. */
async function bet(ann: ApiUser, bob: ApiUser, terms: Json): Promise<readonly [string, string]> {
  const lay = await bob.place({ ...terms, side: 'Against' });
  const back = await ann.place({ ...terms, side: 'For' });
  expect(back.status).toBe('Matched');
  return [back.id, lay.id];
}

const transactionsOf = async (user: ApiUser, walletId = user.walletId): Promise<readonly Json[]> =>
  (await user.ok('GET /wallets/{id}/transactions', { path: { id: walletId }, query: { size: 2000 }, sort: ['id,asc'] }))
    .transactions;
const moves = (transactions: readonly Json[]) => transactions.map(({ code, amount }) => [code, amount]);

test('profit, loss, commission and payout follow the table, and the escrow is left empty', async () => {
  const [owner, ann, bob] = [await stage.user(0), await stage.user(), await stage.user()];
  const { id: rateId } = await stage.control(`/apps/${ann.appId}/commission-rates`, { rate: 5, isDefault: true });
  const market = await stage.market({ ownerAppId: owner.appId });
  const [won] = await bet(ann, bob, { ...on(market), price: 3, stake: 10 });
  const [lost] = await bet(ann, bob, { ...on(market, 1), price: 4, stake: 5 });
  expect((await ann.order(won)).commissionRateId).toBe(rateId);
  for (const trade of await tradesOf(ann)) expect(trade.profitLoss).toBe(0);
  expect((await ann.balance()).balance).toBe(985);
  const escrow = (await owner.ok('GET /wallets', { query: { types: ['MarketEscrow'] } })).wallets;
  expect(escrow).toMatchObject([{ id: market.escrowWalletId, type: 'MarketEscrow', balances: [{ balance: 30 }] }]);
  const active = async (filter: string) =>
    (await ann.ok('GET /wallets/{id}/positions-all', { path: { id: ann.walletId }, query: { filter } })).positions;
  expect((await active('Active'))[0].exposures).toEqual({
    [market.outcomes[0] ?? '']: 15,
    [market.outcomes[1] ?? '']: 5,
    [market.outcomes[2] ?? '']: -15,
  });
  expect(await active('Settled')).toEqual([]);
  await stage.move(market, 'lock');
  const settled = await stage.move(market, 'settle', { winners: [market.outcomes[0]] });
  expect([await active('Active'), (await active('Settled')).length]).toEqual([[], 1]);
  expect((await ann.order(won)).status).toBe('Won');
  expect((await ann.order(lost)).status).toBe('Lost');
  expect((await tradesOf(ann)).map(({ profitLoss }) => profitLoss)).toEqual([20, -5]);
  expect((await tradesOf(bob)).map(({ profitLoss }) => profitLoss)).toEqual([-20, 5]);
  // Net profit 15, of which 5 % is commission.
  expect((await ann.balance()).balance).toBe(near(1_000 + 15 - 0.75));
  expect((await bob.balance()).balance).toBe(985);
  expect(moves(await transactionsOf(ann)).slice(-2)).toEqual([
    ['MarketPositionPayout', 30],
    ['Commission', -0.75],
  ]);
  const commissions = (await ann.ok('GET /wallets', { query: { types: ['Commission'] } })).wallets;
  expect(commissions.map(({ balances }: Json) => balances.map(({ balance }: Json) => balance))).toEqual([[0.75]]);
  expect((await owner.balance(market.escrowWalletId)).balance).toBe(0);
  const [row] = (await ann.ok('GET /orders/historical', { query: { walletId: ann.walletId } })).documents.orders;
  expect(row.settledAt).toBe(settled.settledAt);
  const { markets } = await ann.ok('GET /markets/{id}', { path: { id: market.id } });
  expect([markets[0].status, markets[0].settledAt]).toEqual(['Settled', settled.settledAt]);
  await ann.stream();
  for (const user of [ann, bob]) expect((await transactionsOf(user)).length).toBeGreaterThan(2);
});

test('a rate that the order names is charged in place of the default', async () => {
  const [ann, bob] = [await stage.user(), await stage.user()];
  await stage.control(`/apps/${ann.appId}/commission-rates`, { rate: 5, isDefault: true });
  const { id } = await stage.control(`/apps/${ann.appId}/commission-rates`, { rate: 2 });
  const { commissionRates } = await ann.ok('GET /apps/{id}/commission-rates', { path: { id: ann.appId } });
  expect(commissionRates.map(({ rate }: Json) => rate)).toEqual([5, 2]);
  const market = await stage.market();
  await bob.place({ ...on(market), side: 'Against', price: 2, stake: 100 });
  await ann.place({ ...on(market), price: 2, stake: 100, commissionRateId: id });
  await stage.move(market, 'lock');
  await stage.move(market, 'settle', { winners: [market.outcomes[0]] });
  expect((await ann.balance()).balance).toBe(1_098);
});

test('a resettlement turns everything round, may charge below zero, and then orders that raise the risk wait', async () => {
  const [ann, bob] = [await stage.user(100), await stage.user(100)];
  for (const user of [ann, bob]) await user.stream();
  const market = await stage.market();
  const [won] = await bet(ann, bob, { ...on(market), price: 2, stake: 100 });
  await stage.move(market, 'lock');
  await stage.move(market, 'settle', { winners: [market.outcomes[0]] });
  expect((await ann.balance()).balance).toBe(200);
  const next = await stage.market();
  const resting = await ann.place({ ...on(next), price: 2, stake: 200 });
  await stage.move(market, 'resettle', { winners: [market.outcomes[1]] });
  expect(await ann.order(won)).toMatchObject({ status: 'Lost' });
  expect((await tradesOf(ann)).map(({ profitLoss }) => profitLoss)).toEqual([-100]);
  expect(await ann.balance()).toMatchObject({ balance: 0, balanceAvailable: -200, unmatchedExposure: 200 });
  const request = { walletId: ann.walletId, ...on(next), side: 'For', price: 2, stake: 1, keepWhenInPlay: false };
  const answer = await ann.ok('POST /orders/batch', { body: { requests: [request] } });
  expect(answer.orders[0].errorCode).toMatch(/INSUFFICIENT_CREDIT$/);
  await ann.ok('POST /orders/cancel-v2', { body: { orderIds: [resting.id] } });
  expect(await ann.balance()).toMatchObject({ balance: 0, balanceAvailable: 0 });
  expect((await bob.balance()).balance).toBe(200);
  for (const user of [ann, bob]) await expectOneTruth(user);
});

test('in a dead heat each winner settles its share at full odds, and its orders are Won', async () => {
  const [ann, bob] = [await stage.user(), await stage.user()];
  for (const user of [ann, bob]) await user.stream();
  const market = await stage.market();
  const [first] = await bet(ann, bob, { ...on(market), price: 4, stake: 10 });
  const [third] = await bet(ann, bob, { ...on(market, 2), price: 2, stake: 10 });
  await stage.move(market, 'lock');
  await stage.move(market, 'settle', { winners: [market.outcomes[0], market.outcomes[1]], places: 1 });
  expect([(await ann.order(first)).status, (await ann.order(third)).status]).toEqual(['Won', 'Lost']);
  // One half, 5 at 4, wins 15; the other half loses 5.
  expect((await tradesOf(ann)).map(({ profitLoss }) => profitLoss)).toEqual([10, -10]);
  expect((await tradesOf(bob)).map(({ profitLoss }) => profitLoss)).toEqual([-10, 10]);
  expect([(await ann.balance()).balance, (await bob.balance()).balance]).toEqual([1_000, 1_000]);
  const { marketOutcomes } = await ann.ok('GET /markets/{id}', { path: { id: market.id } });
  expect(marketOutcomes.map(({ winner }: Json) => winner)).toEqual([true, true, false]);
  await expectOneTruth(ann);
});

test('with two places each of two winners is settled in full', async () => {
  const [ann, bob] = [await stage.user(), await stage.user()];
  const market = await stage.market({ winnersRange: { min: 2, max: 2 } });
  await bet(ann, bob, { ...on(market), price: 3, stake: 10 });
  await bet(ann, bob, { ...on(market, 1), price: 3, stake: 10 });
  await stage.move(market, 'lock');
  await stage.move(market, 'settle', { winners: [market.outcomes[0], market.outcomes[1]] });
  expect((await tradesOf(ann)).map(({ profitLoss }) => profitLoss)).toEqual([20, 20]);
  expect((await ann.balance()).balance).toBe(1_040);
});

test('a removal voids the bets on the non-runner and reprices those on the others, on REST and stream alike', async () => {
  const [ann, bob] = [await stage.user(), await stage.user()];
  for (const user of [ann, bob]) await user.stream();
  const market = await stage.market();
  const [gone] = await bet(ann, bob, { ...on(market), price: 3, stake: 10 });
  const [kept] = await bet(ann, bob, { ...on(market, 1), price: 3, stake: 10 });
  const resting = await ann.place({ ...on(market), price: 5, stake: 1 });
  await stage.move(market, 'remove-outcome', { outcomeId: market.outcomes[0], factor: 25 });
  const removed = await ann.order(resting.id);
  expect(removed).toMatchObject({ stakeUnmatched: 0, stakeVoided: 1 });
  expect(['Cancelled', 'Voided']).toContain(removed.status);
  expect((await ann.order(gone)).status).toBe('Voided');
  expect((await ann.order(kept)).status).toBe('Matched');
  const trades = await tradesOf(ann);
  expect(trades.map(({ price }) => price)).toEqual([3, 2.25]);
  const update = await ann.received('OrderUpdate', ({ orderId }) => orderId === kept);
  expect(update.trades.map(({ price }: Json) => price)).toEqual([2.25]);
  await stage.move(market, 'lock');
  await stage.move(market, 'settle', { winners: [market.outcomes[1]] });
  expect((await tradesOf(ann)).map(({ profitLoss }) => profitLoss)).toEqual([0, 12.5]);
  expect((await ann.balance()).balance).toBe(1_012.5);
  expect(await stage.troubles()).toEqual([]);
});

test('known answer 1: For 10 at 3 on three outcomes pays 10, 10 and nothing', async () => {
  const ann = await stage.user();
  const market = await stage.market();
  const paid: number[] = [];
  for (const outcome of [0, 1, 2]) {
    const { balanceAvailable: before } = await ann.balance();
    await ann.place({ ...on(market, outcome), price: 3 });
    paid.push(before - (await ann.balance()).balanceAvailable);
  }
  expect(paid).toEqual([10, 10, 0]);
});

test('known answer 3 and 4: a taker of a level, and of a cross-matched one', async () => {
  const [ann, bob] = [await stage.user(1_000_000), await stage.user(1_000_000)];
  const market = await stage.market({ crossMatchingEnabled: true });
  const makers = [
    await bob.place({ ...on(market, 1), price: 2.8, stake: 125_000 }),
    await bob.place({ ...on(market, 2), price: 2.8, stake: 125_000 }),
  ];
  const levels = async () =>
    (await ann.ok('GET /market-prices', { query: { marketIds: [market.id] } })).prices[0].prices
      .filter(({ side, outcomeId }: Json) => side === 'Against' && outcomeId === market.outcomes[0])
      .map(({ price, amount }: Json) => [price, amount]);
  expect(await levels()).toEqual([[3.5, 100_000]]);
  const taker = await ann.place({ ...on(market), price: 3.5, stake: 80_000 });
  expect(taker.status).toBe('Matched');
  for (const { id } of makers) expect(await bob.order(id)).toMatchObject({ stakeUnmatched: 25_000, price: 2.8 });
  expect(await levels()).toEqual([[3.5, 20_000]]);
  const direct = await stage.market();
  await bob.place({ ...on(direct), side: 'Against', price: 2.8, stake: 125_000 });
  const full = await ann.place({ ...on(direct), price: 2.8, stake: 100_000 });
  const [trade] = (await ann.ok('GET /orders/{id}/trades', { path: { id: full.id } })).trades;
  expect([trade.price, trade.stake]).toEqual([2.8, 100_000]);
});

test('the maker’s price is the price: improvement goes to the taker, and one may meet oneself', async () => {
  const ann = await stage.user();
  const market = await stage.market();
  await ann.place({ ...on(market), side: 'Against', price: 3, stake: 5 });
  await ann.place({ ...on(market), side: 'Against', price: 2.5, stake: 5 });
  const taker = await ann.place({ ...on(market), price: 2, stake: 12 });
  expect(taker).toMatchObject({ status: 'PartiallyMatched', stakeUnmatched: 2, price: 2 });
  const { trades } = await ann.ok('GET /orders/{id}/trades', { path: { id: taker.id } });
  expect(trades.map(({ price }: Json) => price).sort()).toEqual([2.5, 3]);
  expect((await ann.balance()).balance).toBe(1_000);
});
