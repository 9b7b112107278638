/** Sections 5 to 7 together: REST, stream and control always agree, and apps see only what is their own. */

import { afterAll, beforeAll, expect, test } from 'vitest';
import { Random } from '../../support/random.ts';
import type { Json } from '../../support/vendor/vendor-client.ts';
import { type ApiUser, type AuditMarket, AuditStage } from './audit-stage.ts';
import { expectOneTruth } from './one-truth.ts';

let stage: AuditStage;
beforeAll(async () => {
  stage = await AuditStage.open();
});
afterAll(() => stage.close());

const PRICES = [1.5, 2, 2.5, 3, 4];

test.each([1, 2, 3, 4])('a random day of two apps and a wallet key, seed %i', async (seed) => {
  const random = new Random(seed);
  const ann = await stage.user();
  const bob = await stage.user();
  const users = [ann, bob, await stage.walletUser(ann)];
  for (const user of users) await user.stream();
  await stage.control(`/apps/${ann.appId}/commission-rates`, { rate: 3, isDefault: true });
  const markets: AuditMarket[] = [];
  for (const eventStartAction of ['None', 'CancelUnmatchedLiquidity'])
    markets.push(
      await stage.market({ eventStartAction, inPlayDelay: 2, crossMatchingEnabled: true, ownerAppId: bob.appId }),
    );
  for (const user of users)
    await (await user.stream()).subscribe(
      'MarketPriceUpdate',
      markets.map(({ id }) => id),
    );
  for (let step = 0; step < 60; step += 1) {
    await act(random, users, markets);
    if (step % 15 === 14) await expectAllTrue(users, markets);
  }
  for (const market of markets) await finish(random, market);
  await expectAllTrue(users, markets);
});

async function act(random: Random, users: readonly ApiUser[], markets: readonly AuditMarket[]): Promise<void> {
  const user = random.pick(users);
  const market = random.pick(markets);
  switch (random.weighted({ place: 12, batch: 3, cancel: 3, pass: 4, move: 3 })) {
    case 'place':
      await user.call('POST /orders', { body: orderOf(random, user, market) });
      return;
    case 'batch': {
      const requests = Array.from({ length: 5 }, () => orderOf(random, user, random.pick(markets)));
      await user.ok('POST /orders/batch', { body: { requests } });
      return;
    }
    case 'cancel': {
      const body = random.chance(0.5) ? { marketIds: [market.id] } : { walletIds: [user.walletId] };
      await user.ok('POST /orders/cancel-v2', { body });
      return;
    }
    case 'pass':
      return stage.pass(random.between(1, 3_000));
    case 'move':
      await stage.stand.control('POST', `/markets/${market.id}/${random.pick(MOVES)}`, {});
  }
}

const MOVES = ['in-play', 'in-play', 'pre-play', 'suspend', 'unsuspend', 'unsuspend'];
let named = 0;

function orderOf(random: Random, user: ApiUser, market: AuditMarket): Json {
  named += 1;
  return {
    walletId: user.walletId,
    marketId: market.id,
    outcomeId: random.pick(market.outcomes),
    side: random.pick(['For', 'Against']),
    price: random.pick(PRICES),
    stake: random.between(1, 40),
    keepWhenInPlay: random.chance(0.3),
    matchBehavior: random.chance(0.2) ? 'CancelUnmatched' : 'RetainUnmatched',
    ...(random.chance(0.5) ? { reference: `day-${named}` } : {}),
  };
}

async function finish(random: Random, market: AuditMarket): Promise<void> {
  await stage.move(market, 'lock');
  if (random.chance(0.3)) await stage.move(market, 'void');
  else await stage.move(market, 'settle', { winners: [random.pick(market.outcomes)] });
}

async function expectAllTrue(users: readonly ApiUser[], markets: readonly AuditMarket[]): Promise<void> {
  expect(await stage.troubles()).toEqual([]);
  for (const user of users) {
    await expectOneTruth(user);
    for (const market of markets) {
      await expectMarketAsTold(user, market);
      await expectPricesAsTold(user, market);
    }
    await expectNothingForeign(user, users);
  }
}

async function expectMarketAsTold(user: ApiUser, { id }: AuditMarket): Promise<void> {
  const { markets, marketOutcomes } = await user.ok('GET /markets/{id}', { path: { id } });
  const told = await user.received('MarketUpdate', ({ marketId }) => marketId === id);
  const [market] = markets;
  for (const key of ['name', 'status', 'published', 'suspended', 'inPlayStatus', 'inPlayDelay', 'lockAt', 'settledAt'])
    expect([key, told[key]]).toEqual([key, market[key]]);
  for (const key of ['currencyId', 'createdAt', 'modifiedAt', 'eventStartAction', 'marketLockAction'])
    expect([key, told[key]]).toEqual([key, market[key]]);
  expect(told.appId).toBe(market.ownerAppId);
  expect(told.marketOutcomes.map(({ outcomeId, winner }: Json) => [outcomeId, winner])).toEqual(
    marketOutcomes.map((outcome: Json) => [outcome.id, outcome.winner]),
  );
  const status = await user.received('MarketStatusUpdate', ({ marketId }) => marketId === id);
  for (const key of ['status', 'published', 'suspended', 'inPlayStatus'])
    expect([key, status[key]]).toEqual([key, market[key]]);
}

/** Checks the book that a stream client builds from snapshots and increments. */
async function expectPricesAsTold(user: ApiUser, { id }: AuditMarket): Promise<void> {
  const book = new Map<string, number>();
  for (const { type, updateType, marketId, prices } of (await user.settled()).messages) {
    if (type !== 'MarketPriceUpdate' || marketId !== id) continue;
    if (updateType === 'Snapshot') book.clear();
    for (const { side, outcomeId, price, liquidity, change } of prices) {
      const level = `${outcomeId} ${side} ${price}`;
      const before = updateType === 'Snapshot' ? 0 : (book.get(level) ?? 0);
      expect(Math.round((before + change) * 1e6)).toBe(Math.round(liquidity * 1e6));
      if (liquidity === 0) book.delete(level);
      else book.set(level, liquidity);
    }
  }
  const [shown] = (await user.ok('GET /market-prices', { query: { marketIds: [id] } })).prices;
  const rows = shown.prices.filter(({ amount }: Json) => amount > 0);
  const levels = rows.map(({ outcomeId, side, price, amount }: Json) => [`${outcomeId} ${side} ${price}`, amount]);
  expect([...book].sort()).toEqual(levels.sort());
}

/**
 * Checks that the stream shows an app no wallet and no reference of other users' orders, and a wallet's key no such
 * order.
 */
async function expectNothingForeign(user: ApiUser, users: readonly ApiUser[]): Promise<void> {
  const { messages } = await user.settled();
  const isWalletKey = users.some((other) => other !== user && other.appId === user.appId && user === users[2]);
  const own = users.filter(({ appId }) => appId === user.appId).map(({ walletId }) => walletId);
  for (const message of messages) {
    if (message.type === 'WalletUpdate') {
      if (isWalletKey) expect(message.walletId).toBe(user.walletId);
      else expect(message.walletId.startsWith(`${user.appId}-`)).toBe(true);
    }
    if (message.type !== 'OrderUpdate') continue;
    if (isWalletKey) expect(message.walletId).toBe(user.walletId);
    else if (message.walletId === undefined) expect('reference' in message).toBe(false);
    else expect(own).toContain(message.walletId);
  }
}
