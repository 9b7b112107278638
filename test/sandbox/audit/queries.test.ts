/** Queries (section 2) of each list: limits of pages, and each sortable property in both directions with ties. */

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Json } from '../../support/vendor/vendor-client.ts';
import { type ApiUser, AuditStage } from './audit-stage.ts';

let stage: AuditStage;
let ann: ApiUser;
let marketIds: string[];

beforeAll(async () => {
  stage = await AuditStage.open();
  ann = await stage.user();
  const bob = await stage.user();
  for (const owner of [ann, ann, ann]) await stage.control.call('POST', `/apps/${owner.appId}/wallets`, {});
  marketIds = [];
  for (const name of ['B', 'A', 'B', 'A', 'C']) {
    const market = await stage.control.createMarket({ name });
    marketIds.push(market.id);
    const on = { marketId: market.id, outcomeId: market.outcomeIds[0], price: 2, stake: 1 };
    // Twelve orders and six trades in each market, many at the same instant.
    for (let index = 0; index < 6; index += 1) {
      await ann.place(on);
      await ann.place({ ...on, price: 3 });
      if (index % 3 === 0) stage.pass(1_000);
    }
    await bob.place({ ...on, side: 'Against', stake: 6 });
    await ann.ok('POST /orders/cancel-v2', { body: { marketIds: [market.id] } });
    await stage.control.move(market, 'lock');
    if (name !== 'C')
      await stage.control.move(
        market,
        name === 'A' ? 'void' : 'settle',
        name === 'A' ? {} : { winners: market.outcomeIds.slice(0, 1) },
      );
    stage.pass(name === 'B' ? 500 : 0);
  }
});
afterAll(() => stage.close());

interface List {
  readonly endpoint: string;
  readonly array: string;
  readonly sortable: readonly string[];
  readonly sizeMax: 500 | 2000;
  readonly query?: () => Json;
  readonly path?: () => Readonly<Record<string, string>>;
}

const DATES = ['id', 'createdAt', 'modifiedAt'];
const wallet = () => ({ id: ann.walletId });
const LISTS: readonly List[] = [
  { endpoint: 'GET /markets', array: 'markets', sortable: [...DATES, 'lockAt', 'settledAt', 'name'], sizeMax: 2000 },
  { endpoint: 'GET /events', array: 'events', sortable: [...DATES, 'expectedStartTime', 'name'], sizeMax: 2000 },
  {
    endpoint: 'GET /orders',
    array: 'orders',
    sortable: DATES,
    sizeMax: 500,
    query: () => ({ walletIds: [ann.walletId] }),
  },
  { endpoint: 'GET /orders/settled', array: 'orders', sortable: DATES, sizeMax: 500 },
  {
    endpoint: 'GET /markets/{id}/orders',
    array: 'orders',
    sortable: DATES,
    sizeMax: 500,
    path: () => ({ id: marketIds[0] ?? '' }),
  },
  { endpoint: 'GET /trades', array: 'trades', sortable: DATES, sizeMax: 2000 },
  { endpoint: 'GET /wallets', array: 'wallets', sortable: ['id', 'createdAt'], sizeMax: 2000 },
  {
    endpoint: 'GET /wallets/{id}/transactions',
    array: 'transactions',
    sortable: ['id', 'createdAt'],
    sizeMax: 2000,
    path: wallet,
  },
  {
    endpoint: 'GET /wallets/{id}/positions-all',
    array: 'positions',
    sortable: ['id', 'createdAt'],
    sizeMax: 2000,
    path: wallet,
    query: () => ({ filter: 'Settled' }),
  },
  {
    endpoint: 'GET /wallets/{id}/positions',
    array: 'positions',
    sortable: ['id', 'createdAt'],
    sizeMax: 2000,
    path: wallet,
  },
];

const idOf = (row: Json): string => row.id ?? row.transactionId ?? row.market._ids[0];
const ask = (list: List, query: Json, sort: readonly string[] = []) =>
  ann.call(list.endpoint, { path: list.path?.() ?? {}, query: { ...list.query?.(), ...query }, sort });

describe.each(LISTS)('$endpoint', (list) => {
  test('has 25 on a page by default, its largest size at most, and refuses what is no size and no page', async () => {
    const sizeOf = ({ status, body }: Awaited<ReturnType<typeof ask>>) =>
      status === 200 ? body._meta._page._pageSize : status;
    const { sizeMax } = list;
    const sizes = [await ask(list, {}), await ask(list, { size: sizeMax }), await ask(list, { size: sizeMax + 1 })];
    expect(sizes.map(sizeOf)).toEqual([25, sizeMax, sizeMax === 500 ? 400 : 2000]);
    for (const query of [{ size: 0 }, { size: 'x' }, { page: -1 }, { page: 2 ** 31 }])
      expect([query, (await ask(list, query)).status]).toEqual([query, 400]);
  });

  test.each(list.sortable)(
    'is sorted by %s both ways, ties and absent values alike on every page',
    async (property) => {
      for (const direction of ['asc', 'desc']) {
        const sort = [`${property},${direction}`];
        const whole = (await ask(list, { size: list.sizeMax }, sort)).body[list.array];
        const keys: Json[] = whole.map((row: Json) => (property === 'id' ? undefined : row[property]));
        expect(whole.length).toBeGreaterThan(3);
        const known = keys.filter((key) => key !== undefined);
        const ordered = [...known].sort();
        expect(known).toEqual(direction === 'asc' ? ordered : ordered.reverse());
        const absent = keys.indexOf(undefined);
        if (property !== 'id' && absent >= 0)
          expect(keys.slice(absent)).toEqual(keys.slice(absent).map(() => undefined));
        if (property === 'id' && list.array !== 'positions' && list.array !== 'wallets') {
          const ids = whole.map((row: Json) => Number(idOf(row)));
          expect(ids).toEqual([...ids].sort((a, b) => (direction === 'asc' ? a - b : b - a)));
        }
        const first = (await ask(list, { size: 5 }, sort)).body[list.array];
        const second = (await ask(list, { size: 5, page: 1 }, sort)).body[list.array];
        expect([...first, ...second].map(idOf)).toEqual(whole.slice(0, 10).map(idOf));
      }
      const plain = (await ask(list, {}, [property])).body[list.array];
      expect(plain.map(idOf)).toEqual((await ask(list, {}, [`${property},asc`])).body[list.array].map(idOf));
    },
  );

  test('several criteria decide in turn, and unknown ones are refused', async () => {
    for (const sort of ['price', 'id,up', 'id,asc,desc', 'ID', 'status,asc', ','])
      expect([sort, (await ask(list, {}, [sort])).status]).toEqual([sort, 400]);
    const [first = 'id', second = 'id'] = list.sortable;
    expect((await ask(list, {}, [`${second},desc`, `${first},asc`])).status).toBe(200);
  });
});

const KEYSETS = [
  { endpoint: 'GET /orders/historical', limitMax: 500 },
  { endpoint: 'GET /orders/cancelled', limitMax: 500 },
  { endpoint: 'GET /trades/historical', limitMax: 2000 },
  { endpoint: 'GET /markets/historical', limitMax: 2000 },
];

test.each(KEYSETS)(
  '$endpoint refuses a limit below 1, clamps or refuses one too large, and knows no third sort',
  async ({ endpoint, limitMax }) => {
    const read = (query: Json) => ann.call(endpoint, { query });
    for (const query of [{ limit: 0 }, { sort: 'asc' }, { secondaryOffset: 1 }])
      expect([query, (await read(query)).status]).toEqual([query, 400]);
    const { status, body } = await read({ limit: limitMax + 1 });
    expect([status, body._meta?.offset.limit]).toEqual(limitMax === 500 ? [400, undefined] : [200, 2000]);
  },
);
