/** What the caches say of oddities that our own exchange does not show. */

import { expect, test } from 'vitest';
import type { WholeChange } from '../../../src/betfair/stream/connection/stream-event.ts';
import { MarketCache } from '../../../src/betfair/stream/markets/market-cache.ts';
import { OrderCache } from '../../../src/betfair/stream/orders/order-cache.ts';
import { instant } from '../../../src/core/number/units.ts';

function change(changes: readonly unknown[], type: WholeChange['type'] = 'update'): WholeChange {
  const at = instant(1_000);
  const told = { publishedAt: at, receivedAt: at, clk: 'a', isLate: false, lines: [] };
  return { feed: 'markets', type, changes, ...told };
}

const definition = { status: 'OPEN', version: 5, runners: [{ id: 7, status: 'ACTIVE' }] };
const market = { id: '1.1', img: true, marketDefinition: definition, rc: [{ id: 7, atb: [[2, 10]], spn: 3.1 }] };

test('of two copies of a market in one image, the higher version counts', () => {
  const older = { ...market, marketDefinition: { ...definition, version: 4 }, rc: [{ id: 7, atb: [[9, 1]] }] };
  for (const copies of [
    [market, older],
    [older, market],
  ]) {
    const cache = new MarketCache();
    cache.take(change(copies, 'image'));
    expect([...(cache.market('1.1')?.runners.get('7 0')?.byPrice.atb ?? [])]).toEqual([[2, 10]]);
  }
});

test('a starting price that becomes none is none, and handicaps are runners of their own', () => {
  const cache = new MarketCache();
  cache.take(change([market], 'image'));
  const fold = cache.market('1.1');
  expect(fold?.runners.get('7 0')?.number('spn')).toBe(3.1);
  cache.take(
    change([
      {
        id: '1.1',
        rc: [
          { id: 7, spn: 'NaN' },
          { id: 7, hc: 1.5, atb: [[3, 1]] },
        ],
      },
    ]),
  );
  expect(fold?.runners.get('7 0')?.number('spn')).toBeUndefined();
  expect(fold?.runners.get('7 0')?.byPrice.atb).toEqual(new Map([[2, 10]]));
  expect(fold?.runners.get('7 1.5')?.byPrice.atb).toEqual(new Map([[3, 1]]));
});

test('a market that cannot be read is believed again when it is told whole, and is named once', () => {
  const cache = new MarketCache();
  cache.take(change([market], 'image'));
  const kinds = (...changes: readonly unknown[]) => cache.take(change(changes)).map(({ kind }) => kind);
  expect(kinds({ id: '1.1', rc: [{ id: 7, atb: [[2, 'x']] }] })).toEqual(['unreadable']);
  expect(cache.market('1.1')).toBeUndefined();
  expect(kinds({ id: '1.1', rc: [{ id: 7, atb: [[2, 5]] }] })).toEqual([]);
  expect(kinds({ id: '1.1', img: true, marketDefinition: { status: 'OPEN', runners: 'x' } })).toEqual([]);
  expect(kinds(market)).toEqual(['market']);
  expect(kinds({ id: '1.2', rc: [] }, 7, { id: '1.1', marketDefinition: { status: 'ODD' } })).toEqual([
    ...['unreadable', 'unreadable', 'unreadable'],
  ]);
});

test('markets that are over or are in a new image no more are forgotten', () => {
  const cache = new MarketCache();
  cache.take(change([market, { ...market, id: '1.2' }], 'image'));
  const [closing] = cache.take(change([{ id: '1.1', marketDefinition: { ...definition, status: 'CLOSED' } }]));
  expect(closing).toMatchObject({ kind: 'market', id: '1.1', definition: { status: 'CLOSED' } });
  expect(cache.market('1.1')).toBeUndefined();
  expect(cache.take(change([{ ...market, id: '1.3' }], 'image'))).toMatchObject([
    { kind: 'market', id: '1.3', isImage: true },
    { kind: 'gone', ids: ['1.2'] },
  ]);
  // Its definition may come once more.
  const late = cache.take(change([{ id: '1.1', marketDefinition: { ...definition, status: 'CLOSED' } }]));
  expect(late).toMatchObject([{ kind: 'market', id: '1.1' }]);
});

test('a whole market as a change adds up to the same market', () => {
  const cache = new MarketCache();
  cache.take(change([market], 'image'));
  cache.take(change([{ id: '1.1', tv: 9, rc: [{ id: 7, ltp: 2, batb: [[0, 2, 10]], spf: 'Infinity' }] }]));
  const fold = cache.market('1.1');
  const image = fold?.image();
  expect(image).toEqual({
    ...market,
    tv: 9,
    rc: [{ id: 7, spn: 3.1, ltp: 2, spf: 'Infinity', atb: [[2, 10]], batb: [[0, 2, 10]] }],
  });
  // An image replaces all of it.
  fold?.apply({ id: '1.1', img: true, rc: [{ id: 8, ltp: 5 }] });
  expect(fold?.image()).toEqual({ id: '1.1', img: true, marketDefinition: definition, rc: [{ id: 8, ltp: 5 }] });
});

const order = {
  ...{ id: '3', p: 2, s: 10, side: 'L', status: 'E', pt: 'P', ot: 'L', pd: 0, sm: 4, sr: 1, sl: 2, sc: 2, sv: 1 },
  ...{ rac: '', rc: 'REG_GGC', rfo: 'mine', rfs: '', lsrc: 'SP_IN_PLAY', avp: 2.5, ld: 1_000 },
};
const bets = (uo: readonly unknown[], more: object = {}) => ({ id: '1.1', orc: [{ id: 7, hc: 0.5, uo, ...more }] });

test('an order has every figure in its document', () => {
  const [news] = new OrderCache().take(change([bets([order])], 'image'));
  expect(news).toMatchObject({
    kind: 'order',
    order: {
      ...{ betId: '3', marketId: '1.1', selectionId: 7, handicap: 0.5, priceSize: { price: 2, size: 10 }, side: 'LAY' },
      ...{
        status: 'EXECUTABLE',
        persistenceType: 'PERSIST',
        orderType: 'LIMIT',
        placedDate: '1970-01-01T00:00:00.000Z',
      },
      ...{ sizeMatched: 4, sizeRemaining: 1, sizeLapsed: 2, sizeCancelled: 2, sizeVoided: 1, averagePriceMatched: 2.5 },
      ...{ lapsedDate: '1970-01-01T00:00:01.000Z', lapseStatusReasonCode: 'SP_IN_PLAY', customerOrderRef: 'mine' },
    },
  });
  expect(news).not.toHaveProperty('order.customerStrategyRef');
});

test.each([
  ['whose parts do not sum up', { sr: 2 }],
  ['of an unknown side', { side: 'X' }],
  ['of an unknown status', { status: 'EX' }],
  ['of an unknown type', { ot: 'X' }],
  ['with a reference that is no text', { rfo: 5 }],
  ['without a figure', { sv: undefined }],
])('an order %s is named and not believed', (_, wrong) => {
  const cache = new OrderCache();
  expect(cache.take(change([bets([{ ...order, ...wrong }])]))).toEqual([
    { kind: 'unreadable', marketId: '1.1', betId: '3' },
  ]);
  expect(cache.market('1.1').get('7 0.5')?.live.size).toBe(0);
});

test('what is in an image of a market or runner no more has vanished, and an empty list of matches is none', () => {
  const cache = new OrderCache();
  const other = { ...order, id: '4' };
  cache.take(change([bets([order, other], { mb: [[2, 4]], smc: { a: { mb: [[2, 4]] } } })], 'image'));
  expect(cache.take(change([bets([other], { fullImage: true, mb: [[2, 4]], ml: [[3, 1]] })]))).toMatchObject([
    { kind: 'order', order: { betId: '4' } },
    { kind: 'vanished', marketId: '1.1', betIds: ['3'] },
  ]);
  cache.take(change([bets([], { mb: [] })]));
  expect(cache.market('1.1').get('7 0.5')).toMatchObject({
    mb: new Map(),
    ml: new Map([[3, 1]]),
    strategies: new Map(),
  });
  expect(cache.take(change([{ id: '1.1', fullImage: true }]))).toEqual([
    { kind: 'vanished', marketId: '1.1', betIds: ['4'] },
  ]);
  cache.take(change([bets([order])]));
  expect(cache.take(change([], 'image'))).toEqual([
    { kind: 'vanished', marketId: '1.1', betIds: ['3'] },
    { kind: 'image' },
  ]);
});
