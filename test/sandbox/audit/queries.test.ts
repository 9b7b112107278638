/**
 * Queries (section 2): limits of pages, each sortable property in both directions with ties, and cursors over
 * histories.
 */

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
  for (const owner of [ann, ann, ann]) await stage.control(`/apps/${owner.appId}/wallets`, {});
  marketIds = [];
  for (const name of ['B', 'A', 'B', 'A', 'C']) {
    const market = await stage.market({ name });
    marketIds.push(market.id);
    const on = { marketId: market.id, outcomeId: market.outcomes[0], price: 2, stake: 1 };
    // Twelve orders and six trades in each market, many at the same instant.
    for (let index = 0; index < 6; index += 1) {
      await ann.place(on);
      await ann.place({ ...on, price: 3 });
      if (index % 3 === 0) stage.pass(1_000);
    }
    await bob.place({ ...on, side: 'Against', stake: 6 });
    await ann.ok('POST /orders/cancel-v2', { body: { marketIds: [market.id] } });
    await stage.move(market, 'lock');
    if (name !== 'C') await stage.move(market, name === 'A' ? 'void' : 'settle', winnersOf(name, market.outcomes));
    stage.pass(name === 'B' ? 500 : 0);
  }
});
afterAll(() => stage.close());

function winnersOf(name: string, outcomes: readonly string[]): Json {
  return name === 'A' ? {} : { winners: [outcomes[0]] };
}

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
  test('refuses sizes below 1 and pages below 0, and what is no number', async () => {
    for (const query of [{ size: 0 }, { size: -1 }, { page: -1 }, { size: 1.5 }, { page: 'x' }, { size: '1e2' }])
      expect([query, (await ask(list, query)).status]).toEqual([query, 400]);
    for (const query of [{ page: 2 ** 31 }, { page: 1e20 }]) expect((await ask(list, query)).status).toBe(400);
  });

  test('takes its largest size, and clamps or refuses one more', async () => {
    const { body, status } = await ask(list, { size: list.sizeMax });
    expect([status, body._meta._page._pageSize]).toEqual([200, list.sizeMax]);
    const more = await ask(list, { size: list.sizeMax + 1 });
    if (list.sizeMax === 500) expect(more.status).toBe(400);
    else expect([more.status, more.body._meta._page._pageSize]).toEqual([200, 2000]);
    const sizes = ['1000000000000000', '9007199254740993', '18446744073709551616', '9'.repeat(400), '5000.0'];
    for (const size of sizes) {
      const huge = await ask(list, { size });
      if (list.sizeMax === 500) expect([size, huge.status]).toEqual([size, 400]);
      else expect([size, huge.status, huge.body._meta?._page._pageSize]).toEqual([size, 200, 2000]);
    }
    for (const size of ['9007199254740993.5', '2000.5', '-9007199254740993', `-${'9'.repeat(400)}`])
      expect([size, (await ask(list, { size })).status]).toEqual([size, 400]);
  });

  test('has 25 on a page by default, an empty one beyond the last, and all rows once over all pages', async () => {
    const { body } = await ask(list, {});
    const { _pageNumber, _pageSize, _totalElements, _totalPages } = body._meta._page;
    expect([_pageNumber, _pageSize, _totalPages]).toEqual([0, 25, Math.ceil(_totalElements / 25)]);
    expect(body._meta._count).toBe(body[list.array].length);
    const last = await ask(list, { page: 2 ** 31 - 1 });
    expect([last.status, last.body._meta._count, last.body[list.array]]).toEqual([200, 0, []]);
    const seen: string[] = [];
    const pages = Math.ceil(_totalElements / 7);
    for (let page = 0; page < pages; page += 1)
      seen.push(...(await ask(list, { page, size: 7 })).body[list.array].map(idOf));
    expect([seen.length, new Set(seen).size]).toEqual([_totalElements, _totalElements]);
    expect(_totalElements).toBeGreaterThan(3);
  });

  test.each(list.sortable)(
    'is sorted by %s both ways, ties and absent values alike on every page',
    async (property) => {
      for (const direction of ['asc', 'desc']) {
        const sort = [`${property},${direction}`];
        const whole = (await ask(list, { size: list.sizeMax }, sort)).body[list.array];
        const keys: Json[] = whole.map((row: Json) => (property === 'id' ? undefined : row[property]));
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
  { endpoint: 'GET /orders/historical', array: 'orders', limitMax: 500, date: 'settledAt' },
  { endpoint: 'GET /orders/cancelled', array: 'orders', limitMax: 500, date: 'createdAt' },
  { endpoint: 'GET /trades/historical', array: 'trades', limitMax: 2000, date: 'settledAt' },
  { endpoint: 'GET /markets/historical', array: 'markets', limitMax: 2000, date: 'settledAt' },
];

describe.each(KEYSETS)('$endpoint', ({ endpoint, array, limitMax, date }) => {
  const read = async (query: Json) => {
    const { status, body } = await ann.call(endpoint, { query });
    return { status, meta: body._meta, rows: (body.documents?.[array] ?? []) as readonly Json[] };
  };

  test.each([
    ['ASC', 1],
    ['DESC', 2],
    ['ASC', 3],
    ['DESC', 7],
    ['ASC', 500],
  ])('%s by %i: walked by its cursors it gives each row once and in order', async (sort, limit) => {
    const whole = await read({ sort, limit: limitMax });
    const seen: Json[] = [];
    let query: Json = { sort, limit };
    for (let calls = 0; calls < 300; calls += 1) {
      const { meta, rows } = await read(query);
      expect(meta._count).toBe(rows.length);
      expect(rows.length).toBeLessThanOrEqual(limit);
      expect([meta.offset.limit, meta.offset.sort]).toEqual([limit, sort]);
      if (limit > 1 && seen.length > 0) expect(rows[0]).toEqual(seen.at(-1));
      seen.push(...rows.slice(limit > 1 && seen.length > 0 ? 1 : 0));
      if (meta.nextOffset === undefined || meta.nextOffset === null) break;
      query = meta.nextOffset;
    }
    expect(seen.map(idOf)).toEqual(whole.rows.map(idOf));
    expect(new Set(seen.map(idOf)).size).toBe(seen.length);
    const keys = seen.map((row) => [row[date], Number(idOf(row))] as const);
    const ordered = [...keys].sort((a, b) => Date.parse(a[0]) - Date.parse(b[0]) || a[1] - b[1]);
    expect(keys).toEqual(sort === 'ASC' ? ordered : ordered.reverse());
    expect(seen.length).toBeGreaterThan(3);
  });

  test('refuses a limit below 1, clamps or refuses one too large, and knows no third sort', async () => {
    for (const query of [{ limit: 0 }, { limit: -1 }, { sort: 'asc' }, { sort: 'UP' }, { secondaryOffset: 1 }])
      expect([query, (await read(query)).status]).toEqual([query, 400]);
    for (const limit of [limitMax + 1, '9007199254740993', '9'.repeat(400)]) {
      const more = await read({ limit });
      if (limitMax === 500) expect(more.status).toBe(400);
      else expect([more.status, more.meta?.offset.limit]).toEqual([200, 2000]);
    }
  });
});

test('the dates of historical lists bound what they say they bound, both ends inside', async () => {
  const all = (await ann.ok('GET /orders/historical', { query: { limit: 500 } })).documents.orders;
  const dates: string[] = [...new Set<string>(all.map(({ settledAt }: Json) => settledAt))].sort();
  expect(dates.length).toBeGreaterThan(1);
  const [first = ''] = dates;
  const query = { from: first, to: first, queryType: 'SettledDate', limit: 500 };
  const { orders } = (await ann.ok('GET /orders/historical', { query })).documents;
  expect(orders.map(idOf)).toEqual(all.filter(({ settledAt }: Json) => settledAt === first).map(idOf));
});
