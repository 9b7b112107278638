/** Sections 5 to 7 together: REST, stream and control always agree, and apps see only what is their own. */

import { afterAll, beforeAll, expect, test } from 'vitest';
import { Random } from '../../support/random.ts';
import type { Json } from '../../support/vendor/vendor-client.ts';
import { type AuditMarket, AuditStage, type Seat } from './audit-stage.ts';
import { expectOneTruth } from './one-truth.ts';

let stage: AuditStage;
beforeAll(async () => {
  stage = await AuditStage.open();
});
afterAll(() => stage.close());

const PRICES = [1.5, 2, 2.5, 3, 4];

test.each([1, 2, 3, 4])('a random day of two apps and a wallet key, seed %i', async (seed) => {
  const random = new Random(seed);
  const ann = await stage.seat();
  const bob = await stage.seat();
  const seats = [ann, bob, await stage.walletSeat(ann)];
  for (const seat of seats) await seat.stream();
  await stage.control(`/apps/${ann.appId}/commission-rates`, { rate: 3, isDefault: true });
  const markets: AuditMarket[] = [];
  for (const eventStartAction of ['None', 'CancelUnmatchedLiquidity'])
    markets.push(
      await stage.market({ eventStartAction, inPlayDelay: 2, crossMatchingEnabled: true, ownerAppId: bob.appId }),
    );
  for (const seat of seats)
    await (await seat.stream()).subscribe(
      'MarketPriceUpdate',
      markets.map(({ id }) => id),
    );
  for (let step = 0; step < 60; step += 1) {
    await act(random, seats, markets);
    if (step % 15 === 14) await expectAllTrue(seats, markets);
  }
  for (const market of markets) await finish(random, market);
  await expectAllTrue(seats, markets);
});

async function act(random: Random, seats: readonly Seat[], markets: readonly AuditMarket[]): Promise<void> {
  const seat = random.pick(seats);
  const market = random.pick(markets);
  switch (random.weighted({ place: 12, batch: 3, cancel: 3, pass: 4, move: 3 })) {
    case 'place':
      await seat.call('POST /orders', { body: orderOf(random, seat, market) });
      return;
    case 'batch': {
      const requests = Array.from({ length: 5 }, () => orderOf(random, seat, random.pick(markets)));
      await seat.ok('POST /orders/batch', { body: { requests } });
      return;
    }
    case 'cancel': {
      const body = random.chance(0.5) ? { marketIds: [market.id] } : { walletIds: [seat.walletId] };
      await seat.ok('POST /orders/cancel-v2', { body });
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

function orderOf(random: Random, seat: Seat, market: AuditMarket): Json {
  named += 1;
  return {
    walletId: seat.walletId,
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

async function expectAllTrue(seats: readonly Seat[], markets: readonly AuditMarket[]): Promise<void> {
  expect(await stage.troubles()).toEqual([]);
  for (const seat of seats) {
    await expectOneTruth(seat);
    for (const market of markets) {
      await expectMarketAsTold(seat, market);
      await expectPricesAsTold(seat, market);
    }
    await expectNothingForeign(seat, seats);
  }
}

async function expectMarketAsTold(seat: Seat, { id }: AuditMarket): Promise<void> {
  const { markets, marketOutcomes } = await seat.ok('GET /markets/{id}', { path: { id } });
  const told = await seat.heard('MarketUpdate', ({ marketId }) => marketId === id);
  const [market] = markets;
  for (const key of ['name', 'status', 'published', 'suspended', 'inPlayStatus', 'inPlayDelay', 'lockAt', 'settledAt'])
    expect([key, told[key]]).toEqual([key, market[key]]);
  for (const key of ['currencyId', 'createdAt', 'modifiedAt', 'eventStartAction', 'marketLockAction'])
    expect([key, told[key]]).toEqual([key, market[key]]);
  expect(told.appId).toBe(market.ownerAppId);
  expect(told.marketOutcomes.map(({ outcomeId, winner }: Json) => [outcomeId, winner])).toEqual(
    marketOutcomes.map((outcome: Json) => [outcome.id, outcome.winner]),
  );
  const status = await seat.heard('MarketStatusUpdate', ({ marketId }) => marketId === id);
  for (const key of ['status', 'published', 'suspended', 'inPlayStatus'])
    expect([key, status[key]]).toEqual([key, market[key]]);
}

/** Checks the book that a stream client builds from snapshots and increments. */
async function expectPricesAsTold(seat: Seat, { id }: AuditMarket): Promise<void> {
  const book = new Map<string, number>();
  for (const { type, updateType, marketId, prices } of (await seat.settled()).messages) {
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
  const [shown] = (await seat.ok('GET /market-prices', { query: { marketIds: [id] } })).prices;
  const rows = shown.prices.filter(({ amount }: Json) => amount > 0);
  const levels = rows.map(({ outcomeId, side, price, amount }: Json) => [`${outcomeId} ${side} ${price}`, amount]);
  expect([...book].sort()).toEqual(levels.sort());
}

/**
 * Checks that the stream shows an app no wallet and no reference of other users' orders, and a wallet's key no such
 * order.
 */
async function expectNothingForeign(seat: Seat, seats: readonly Seat[]): Promise<void> {
  const { messages } = await seat.settled();
  const isWalletKey = seats.some((other) => other !== seat && other.appId === seat.appId && seat === seats[2]);
  const own = seats.filter(({ appId }) => appId === seat.appId).map(({ walletId }) => walletId);
  for (const message of messages) {
    if (message.type === 'WalletUpdate') {
      if (isWalletKey) expect(message.walletId).toBe(seat.walletId);
      else expect(message.walletId.startsWith(`${seat.appId}-`)).toBe(true);
    }
    if (message.type !== 'OrderUpdate') continue;
    if (isWalletKey) expect(message.walletId).toBe(seat.walletId);
    else if (message.walletId === undefined) expect('reference' in message).toBe(false);
    else expect(own).toContain(message.walletId);
  }
}
