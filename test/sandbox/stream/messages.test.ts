import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { instant, money } from '../../../src/core/number/units.ts';
import { numericId } from '../../../src/sandbox/world/ids.ts';
import { START } from '../../support/sandbox/world-builder.ts';
import { type AppAccount, type Frame, type StreamClient, StreamStage } from './stream-stage.ts';

let stage: StreamStage;
let ann: AppAccount;
let bob: AppAccount;
let market: number;
let id: string;
beforeEach(async () => {
  stage = await StreamStage.open();
  ({ ann, bob } = stage);
  market = stage.newMarket();
  id = numericId(market);
});
afterEach(async () => stage.close());

/** A connection with these subscriptions, after its confirmations and first snapshots were read. */
async function watching(token: string, ...subscriptions: readonly (readonly string[])[]): Promise<StreamClient> {
  const client = await stage.connect(token);
  for (const [type = '', ...ids] of subscriptions) client.subscribe(type, ...ids);
  await client.after();
  return client;
}

const PLACE = { eventId: '1', eventGroupId: 'EPL', categoryId: 'SPORT', subCategoryId: 'FOOTBALL' };
const BET = { side: 'For', price: 3, stake: 10 } as const;

describe('orders', () => {
  test('are told to their app with all trades so far: first as Unmatched, pre-play never as Pending', async () => {
    const client = await watching(ann.token, ['OrderUpdate', `${ann.id}:${ann.walletId}`]);
    const order = stage.place(ann, { market, ...BET, reference: 'mine' });
    expect(await client.after()).toEqual([
      {
        type: 'OrderUpdate',
        orderId: numericId(order),
        ...PLACE,
        marketId: id,
        walletId: ann.walletId,
        status: 'Unmatched',
        side: 'For',
        outcomeIndexId: '1',
        price: 3,
        totalExposure: 10,
        stake: 10,
        stakeUnmatched: 10,
        stakeVoided: 0,
        reference: 'mine',
        trades: [],
        createdAt: new Date(START).toISOString(),
        modifiedAt: new Date(START).toISOString(),
      },
    ]);
    stage.clock.runUntil(START + 1000);
    stage.place(bob, { market, side: 'Against', price: 3, stake: 4 });
    stage.place(bob, { market, side: 'Against', price: 3.05, stake: 2 });
    const [first, second, ...others] = await client.after();
    expect(others).toEqual([]);
    expect(first).toMatchObject({ status: 'PartiallyMatched', stakeUnmatched: 6, priceAvg: 3 });
    expect(second).toMatchObject({ stakeUnmatched: 4, totalExposure: 10, modifiedAt: '2026-03-24T12:00:01.000Z' });
    expect(second.trades).toMatchObject([
      { side: 'For', price: 3, stake: 4, createdAt: '2026-03-24T12:00:01.000Z' },
      { side: 'For', price: 3, stake: 2 },
    ]);
    stage.command({ kind: 'cancel', app: ann.app, orders: [order] });
    const [last] = await client.after();
    expect(last).toMatchObject({ status: 'Matched', stakeVoided: 4, totalExposure: 6 });
    expect(last.cancellationReason).toBeUndefined();
  });

  test('that match at once are told once, with their mean price', async () => {
    stage.place(bob, { market, side: 'Against', price: 3, stake: 1 });
    stage.place(bob, { market, side: 'Against', price: 2.8, stake: 3 });
    const client = await watching(ann.token, ['OrderUpdate', `${ann.id}:*`]);
    stage.place(ann, { market, side: 'For', price: 2.5, stake: 4 });
    expect(await client.after()).toMatchObject([{ status: 'Matched', priceAvg: 2.85, stakeUnmatched: 0 }]);
    const layer = await watching(bob.token, ['OrderUpdate', '*']);
    stage.place(bob, { market, side: 'Against', price: 5, stake: 2 });
    expect(await layer.after()).toMatchObject([{ side: 'Against', totalExposure: 8 }]);
  });

  test('in play are Pending until their delay ends', async () => {
    stage.command({ kind: 'setInPlay', market, inPlay: true });
    const client = await watching(ann.token, ['OrderUpdate', '*']);
    const order = stage.place(ann, { market, ...BET });
    expect(await client.after()).toMatchObject([{ orderId: numericId(order), status: 'Pending' }]);
    stage.clock.runUntil(START + 5000);
    stage.world.advance(instant(START + 5000));
    expect(await client.after()).toMatchObject([{ orderId: numericId(order), status: 'Unmatched' }]);
  });

  test('that are cancelled say why, and settled ones what they became', async () => {
    const client = await watching(ann.token, ['OrderUpdate', `${ann.id}:*`]);
    const [won, gone] = [stage.place(ann, { market, ...BET }), stage.place(ann, { market, ...BET, price: 10 })];
    stage.place(bob, { market, side: 'Against', price: 3, stake: 10 });
    await client.after();
    stage.command({ kind: 'cancel', app: ann.app, orders: [gone] });
    expect(await client.after()).toMatchObject([
      { orderId: numericId(gone), status: 'Cancelled', stakeVoided: 10, cancellationReason: 'UserRequest' },
    ]);
    stage.command({ kind: 'lock', market });
    stage.command({ kind: 'settle', market, winners: [0] });
    expect(await client.after()).toMatchObject([{ orderId: numericId(won), status: 'Won', totalExposure: 10 }]);
  });

  test('come once however many subscriptions name them', async () => {
    const order = stage.place(ann, { market, ...BET });
    const client = await watching(ann.token, ['OrderUpdate', '*', `${ann.id}:*`, numericId(order)]);
    stage.command({ kind: 'cancel', app: ann.app, orders: [order] });
    expect((await client.after()).length).toBe(1);
  });

  test('of others come under * alone, without wallet and reference; those of house apps never', async () => {
    const watched = ['*', `${ann.id}:*`, `${ann.id}:${ann.walletId}`, '1', '2', '3'];
    const all = await watching(bob.token, ['OrderUpdate', '*']);
    const some = await watching(bob.token, ['OrderUpdate', ...watched.slice(1)]);
    const wallet = await watching(bob.walletToken, ['OrderUpdate', ...watched]);
    stage.place(ann, { market, ...BET, reference: 'secret' });
    stage.place(stage.house, { market, side: 'Against', price: 2, stake: 5 });
    const frames = await all.after();
    expect(frames).toMatchObject([{ type: 'OrderUpdate', status: 'Unmatched', stake: 10 }]);
    expect(JSON.stringify(frames)).not.toMatch(/01ann|secret|wallet/i);
    expect(await some.after()).toEqual([]);
    expect(await wallet.after()).toEqual([]);
  });

  test("a wallet's key sees the orders of its wallet, an app's key those of all its wallets", async () => {
    const wallet = await watching(ann.walletToken, ['OrderUpdate', '*', `${ann.id}:*`, '1', '2']);
    const app = await watching(ann.token, ['OrderUpdate', `${ann.id}:*`]);
    stage.place(ann, { market, ...BET });
    stage.place(ann, { market, ...BET, wallet: ann.secondWallet });
    expect((await wallet.after()).map(({ walletId }) => walletId)).toEqual([ann.walletId]);
    expect((await app.after()).map(({ walletId }) => walletId)).toEqual([ann.walletId, ann.secondWalletId]);
  });
});

describe('wallets', () => {
  test('are told their balance and its change, once a change, to their own app', async () => {
    const app = await watching(ann.token, ['WalletUpdate', '*']);
    const one = await watching(ann.walletToken, ['WalletUpdate', '*', ann.secondWalletId]);
    const other = await watching(bob.token, ['WalletUpdate', '*', ann.walletId]);
    stage.command({ kind: 'deposit', wallet: ann.wallet, currency: 0, amount: money(5_000_000) });
    stage.command({ kind: 'deposit', wallet: ann.secondWallet, currency: 0, amount: money(1_500_000) });
    const first = { type: 'WalletUpdate', walletId: ann.walletId, currencyId: 'USDC', balance: 100_005, change: 5 };
    const second = { ...first, walletId: ann.secondWalletId, balance: 100_001.5, change: 1.5 };
    expect(await app.after()).toEqual([first, second]);
    expect(await one.after()).toEqual([first]);
    expect(await other.after()).toEqual([]);
    stage.place(ann, { market, ...BET });
    stage.place(bob, { market, side: 'Against', price: 3, stake: 10 });
    expect(await app.after()).toEqual([{ ...first, balance: 99_995, change: -10 }]);
    expect(await other.after()).toMatchObject([{ walletId: bob.walletId, change: -20 }]);
  });
});

describe('markets and events', () => {
  test('are told step by step in status, and once as they are now', async () => {
    const status = await watching(bob.token, ['MarketStatusUpdate', id]);
    const whole = await watching(bob.token, ['MarketUpdate', '*']);
    stage.place(ann, { market, ...BET });
    stage.command({ kind: 'lock', market });
    const base = { type: 'MarketStatusUpdate', marketId: id, ...PLACE, published: true, suspended: false };
    expect(await status.after()).toEqual([
      { ...base, status: 'Locking', inPlayStatus: 'PrePlay' },
      { ...base, status: 'Locked', inPlayStatus: 'PrePlay' },
    ]);
    stage.command({ kind: 'settle', market, winners: [1] });
    const [locked, settled, ...others] = await whole.after();
    expect(others).toEqual([]);
    expect(locked).toMatchObject({
      status: 'Locked',
      inPlayDelay: 5,
      escrowWalletId: `${stage.house.id}-MarketEscrow-${id}`,
    });
    expect(settled).toMatchObject({
      type: 'MarketUpdate',
      status: 'Settled',
      appId: stage.house.id,
      currencyId: 'USDC',
      settledAt: new Date(START).toISOString(),
      marketOutcomes: [
        { outcomeId: '1', title: 'Outcome 0', ordering: 1, winner: false },
        { outcomeId: '2', ordering: 2, winner: true },
        { outcomeId: '3', ordering: 3, winner: false },
      ],
    });
  });

  test("are the owner's alone until they are published, and again after they are withdrawn", async () => {
    const topics = ['MarketUpdate', 'MarketStatusUpdate', 'MarketPriceUpdate'].map((type) => [type, '*']);
    const owner = await watching(ann.token, ...topics);
    const ownKey = await watching(ann.walletToken, ...topics);
    const other = await watching(bob.token, ...topics);
    const hidden = stage.newMarket({ app: ann.app, published: false });
    stage.command({ kind: 'suspend', market: hidden, suspended: true });
    const told = await owner.after();
    expect(told.map(({ type }) => type)).toContain('MarketPriceUpdate');
    expect(new Set(told.map(({ marketId }) => marketId))).toEqual(new Set([numericId(hidden)]));
    expect(await ownKey.after()).toEqual(told);
    const guess = await watching(
      bob.token,
      ['MarketPriceUpdate', numericId(hidden)],
      ['MarketUpdate', numericId(hidden)],
    );
    expect([...(await other.after()), ...(await guess.after())]).toEqual([]);

    stage.command({ kind: 'suspend', market: hidden, suspended: false });
    stage.command({ kind: 'publish', market: hidden, published: true });
    const published = await other.after();
    expect(published.map(({ type, updateType }) => updateType ?? type)).toEqual([
      'MarketStatusUpdate',
      'MarketUpdate',
      'Snapshot',
    ]);
    expect((await guess.after()).map(({ type }) => type)).toEqual(['MarketUpdate', 'MarketPriceUpdate']);

    stage.place(ann, { market: hidden, ...BET });
    await other.after();
    stage.command({ kind: 'publish', market: hidden, published: false });
    expect((await other.after()).map(({ published: is }) => is)).toEqual([false, false]);
    stage.command({ kind: 'cancel', app: ann.app, markets: [hidden] });
    stage.command({ kind: 'suspend', market: hidden, suspended: true });
    expect(await other.after()).toEqual([]);
    expect((await owner.after()).length).toBeGreaterThan(3);
  });

  test('events are told when they are made, moved or switched', async () => {
    const client = await watching(bob.token, ['EventUpdate', '*']);
    const event = stage.newEvent();
    stage.do({ kind: 'setEventTimes', event, expectedStartTime: instant(START + 60_000) });
    stage.command({ kind: 'setEventActive', event, active: false });
    const base = {
      type: 'EventUpdate',
      eventId: numericId(event),
      eventGroupId: 'EPL',
      eventGroupName: 'English Premier League',
      subcategoryId: 'FOOTBALL',
      subcategoryName: 'Football',
      categoryId: 'SPORT',
      categoryName: 'Sport',
      appId: stage.house.id,
      name: 'Arsenal v Chelsea',
      code: 'ARSvCHE',
    };
    expect(await client.after()).toMatchObject([
      { ...base, active: true },
      { ...base, active: true, expectedStartTime: new Date(START + 60_000).toISOString() },
      { ...base, active: false },
    ]);
  });
});

describe('prices', () => {
  test('begin with a snapshot, also of an empty book, and go on with absolute liquidity; 0 removes', async () => {
    const client = await stage.connect(bob.token);
    client.subscribe('MarketPriceUpdate', id);
    const update = { type: 'MarketPriceUpdate', marketId: id, ...PLACE };
    expect(await client.after()).toEqual([
      { type: 'SubscribeUpdate', subscriptionType: 'MarketPriceUpdate', subscriptionId: id },
      { ...update, updateType: 'Snapshot', prices: [] },
    ]);
    const validAt = new Date(START).toISOString();
    const row = { side: 'For', outcomeId: '1', price: 1000, validAt };
    const order = stage.place(ann, { market, side: 'For', price: 1000, stake: 1 });
    stage.place(ann, { market, side: 'For', price: 1000, stake: 0.5 });
    stage.command({ kind: 'cancel', app: ann.app, orders: [order] });
    stage.command({ kind: 'cancel', app: ann.app, markets: [market] });
    const incremental = { ...update, updateType: 'Incremental' };
    expect(await client.after()).toEqual([
      { ...incremental, prices: [{ ...row, liquidity: 1, change: 1 }] },
      { ...incremental, prices: [{ ...row, liquidity: 1.5, change: 0.5 }] },
      { ...incremental, prices: [{ ...row, liquidity: 0.5, change: -1 }] },
      { ...incremental, prices: [{ ...row, liquidity: 0, change: -0.5 }] },
    ]);
  });

  test('of one change come as one increment, the same text to every connection', async () => {
    const texts: string[][] = [];
    for (const token of [ann.token, bob.token, bob.walletToken]) {
      const client = await watching(token, ['MarketPriceUpdate', id, '*']);
      const received: string[] = [];
      client.socket.on('message', (data) => received.push(data.toString()));
      texts.push(received);
    }
    stage.tryPlace(ann, [
      ...[2, 2.1, 2.2].map(
        (price) => ({ market, side: 'Against', price: Math.round(price * 50) / 50, stake: 5 }) as const,
      ),
      { market, side: 'For', price: 2, stake: 20 },
    ]);
    for (const client of stage.clients) await client.allReceived();
    expect(texts[0]?.length).toBe(1);
    expect(texts[1]).toEqual(texts[0]);
    expect(texts[2]).toEqual(texts[0]);
    expect(JSON.parse(texts[0]?.[0] ?? '').prices).toMatchObject([{ side: 'For', price: 2, liquidity: 5, change: 5 }]);
  });

  test('under * begin with every open market', async () => {
    const other = stage.newMarket();
    stage.place(ann, { market: other, ...BET });
    const shut = stage.newMarket();
    stage.command({ kind: 'lock', market: shut });
    const client = await stage.connect(bob.token);
    client.subscribe('MarketPriceUpdate', '*');
    const [confirmed, ...snapshots] = await client.after();
    expect(confirmed.type).toBe('SubscribeUpdate');
    expect(snapshots.map(({ updateType, marketId }: Frame) => [updateType, marketId])).toEqual([
      ['Snapshot', id],
      ['Snapshot', numericId(other)],
    ]);
    const late = stage.newMarket();
    stage.place(ann, { market: late, ...BET });
    expect((await client.after()).map(({ updateType, marketId }) => [updateType, marketId])).toEqual([
      ['Snapshot', numericId(late)],
      ['Incremental', numericId(late)],
    ]);
  });

  test('show cross-matched stake as GET /market-prices does', async () => {
    const crossing = stage.newMarket({ cross: true });
    const client = await watching(bob.token, ['MarketPriceUpdate', numericId(crossing)]);
    stage.place(ann, { market: crossing, side: 'For', price: 2.8, stake: 125, outcome: 1 });
    stage.place(ann, { market: crossing, side: 'For', price: 2.8, stake: 125, outcome: 2 });
    const [, second] = await client.after();
    const outcomes = stage.world.catalogue.markets.get(crossing)?.outcomes ?? [];
    expect(second.prices).toMatchObject([
      { side: 'Against', outcomeId: outcomes[0]?.id, price: 3.5, liquidity: 100 },
      { side: 'For', outcomeId: outcomes[2]?.id, price: 2.8, liquidity: 125 },
    ]);
  });

  test('of a forgotten market are dropped', async () => {
    const client = await watching(bob.token, ['MarketPriceUpdate', id], ['MarketUpdate', '*']);
    stage.command({ kind: 'void', market });
    stage.command({ kind: 'close', market });
    await client.after();
    stage.command({ kind: 'forget', market });
    expect(await client.after()).toEqual([]);
    client.subscribe('MarketPriceUpdate', id);
    expect((await client.after()).map(({ type }) => type)).toEqual(['SubscribeUpdate']);
  });
});
