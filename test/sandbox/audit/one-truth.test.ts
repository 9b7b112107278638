/** Sections 5 to 7 together: REST, stream and control always agree, and apps see only what is their own. */

import { afterAll, beforeAll, expect, test } from 'vitest';
import { Random } from '../../support/random.ts';
import type { TradingMarket } from '../../support/vendor/control-client.ts';
import type { Json } from '../../support/vendor/vendor-client.ts';
import { type ApiUser, AuditStage } from './audit-stage.ts';
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
  await stage.control.call('POST', `/apps/${ann.appId}/commission-rates`, { rate: 3, isDefault: true });
  const markets: TradingMarket[] = [];
  for (const eventStartAction of ['None', 'CancelUnmatchedLiquidity'])
    markets.push(
      await stage.control.createMarket({
        eventStartAction,
        inPlayDelay: 2,
        crossMatchingEnabled: true,
        ownerAppId: bob.appId,
      }),
    );
  for (let step = 0; step < 60; step += 1) {
    await act(random, users, markets);
    if (step % 15 === 14) await expectAllTrue(users, markets);
  }
  for (const market of markets) await finish(random, market);
  await expectAllTrue(users, markets);
});

async function act(random: Random, users: readonly ApiUser[], markets: readonly TradingMarket[]): Promise<void> {
  const user = random.pick(users);
  const market = random.pick(markets);
  switch (random.weighted({ place: 12, batch: 3, cancel: 3, pass: 4, move: 4, lapse: 1, remove: 1 })) {
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
      // The exchange refuses those that do not apply.
      await stage.stand.control('POST', `/markets/${market.id}/${random.pick(MOVES)}`, {});
      return;
    case 'lapse':
      await stage.control.call('POST', `/apps/${users[0]?.appId}/heartbeat`, { timeoutMs: 1 });
      stage.pass(1);
      await users[0]?.ok('DELETE /heartbeats');
      return;
    case 'remove':
      await remove(market);
  }
}

const removed = new Set<string>();

/** Removes the last of the three outcomes, so that a winner is left; refused where it is gone or the market is over. */
async function remove({ id, outcomeIds }: TradingMarket): Promise<void> {
  const [, , outcomeId = ''] = outcomeIds;
  const { status } = await stage.stand.control('POST', `/markets/${id}/remove-outcome`, { outcomeId, factor: 25 });
  if (status === 200) removed.add(outcomeId);
}

const MOVES = ['in-play', 'in-play', 'pre-play', 'suspend', 'unsuspend', 'unsuspend', 'lock', 'open', 'open', 'unopen'];
let named = 0;

function orderOf(random: Random, user: ApiUser, market: TradingMarket): Json {
  named += 1;
  return {
    walletId: user.walletId,
    marketId: market.id,
    outcomeId: random.pick(market.outcomeIds),
    side: random.pick(['For', 'Against']),
    price: random.pick(PRICES),
    stake: random.between(1, 40),
    keepWhenInPlay: random.chance(0.3),
    matchBehavior: random.chance(0.2) ? 'CancelUnmatched' : 'RetainUnmatched',
    ...(random.chance(0.5) ? { reference: `day-${named}` } : {}),
  };
}

/** Voids the market, or settles it, with one winner or a dead heat, and sometimes once more. */
async function finish(random: Random, market: TradingMarket): Promise<void> {
  await stage.stand.control('POST', `/markets/${market.id}/open`, {});
  await stage.control.move(market, 'lock');
  if (random.chance(0.3)) {
    await stage.control.move(market, 'void');
    return;
  }
  const pair = market.outcomeIds.slice(0, 2);
  const winners = () => (random.chance(0.3) ? pair : [random.pick(pair)]);
  await stage.control.move(market, 'settle', { winners: winners(), places: 1 });
  if (random.chance(0.5)) await stage.control.move(market, 'resettle', { winners: winners(), places: 1 });
}

async function expectAllTrue(users: readonly ApiUser[], markets: readonly TradingMarket[]): Promise<void> {
  expect(await stage.control.troubles()).toEqual([]);
  for (const user of users) {
    await expectOneTruth(user, removed);
    for (const market of markets) await expectMarketAsTold(user, market);
    await expectNothingForeign(user, users);
  }
}

async function expectMarketAsTold(user: ApiUser, { id }: TradingMarket): Promise<void> {
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
