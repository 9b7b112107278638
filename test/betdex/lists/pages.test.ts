/** Lists are read to their end, whether by page or by cursor, and never endlessly. */

import { lastValueFrom, toArray } from 'rxjs';
import { describe, expect, test } from 'vitest';
import { pages } from '../../../src/betdex/lists/pages.ts';
import { ENDPOINTS } from '../../../src/betdex/wire/endpoints.ts';
import type { CallOutcome } from '../../../src/exchange-live/connection/call-outcome.ts';
import { json, StubExchange } from '../../support/betdex/stub-exchange.ts';
import { schemaSample } from '../../support/schema-sample.ts';

let stub: StubExchange;

const WALLET = (schemaSample(ENDPOINTS.listWallets.answer.schema, true) as { wallets: [object] }).wallets[0];
const TRADE = (schemaSample(ENDPOINTS.listHistoricalTrades.answer.schema, true) as { documents: { trades: [object] } })
  .documents.trades[0];

const ORDER_TRADE = (schemaSample(ENDPOINTS.listOrderTrades.answer.schema, true) as { trades: [object] }).trades[0];

function idsOf(outcomes: readonly CallOutcome<{ readonly wallets: readonly { readonly id: string }[] }>[]) {
  return outcomes.map((each) => (each.kind === 'answered' ? each.answer.wallets.map(({ id }) => id) : each.kind));
}

const query = (url: string) => new URL(url, 'http://stub.invalid').searchParams;

function pageOf(total: number, size: number, page: number) {
  const ids = Array.from({ length: total }, (_, index) => `w${index}`).slice(page * size, (page + 1) * size);
  return {
    _meta: {
      _primary_document: 'wallets',
      _count: ids.length,
      _page: { _pageNumber: page, _pageSize: size, _totalElements: total, _totalPages: Math.ceil(total / size) },
    },
    wallets: ids.map((id) => ({ ...WALLET, id })),
  };
}

describe('by number', () => {
  test.each([
    [0, 1],
    [1, 1],
    [3, 1],
    [4, 2],
    [10, 4],
  ])('%i rows in threes are %i requests', async (total, requests) => {
    stub = await StubExchange.start((response, { url }) => {
      json(response, 200, pageOf(total, 3, Number(query(url).get('page') ?? 0)));
    });
    const outcomes = await lastValueFrom(
      pages(stub.client(), 'listWallets', { query: { size: 3, types: ['User'] } }).pipe(toArray()),
    );
    expect(idsOf(outcomes).flat()).toEqual(Array.from({ length: total }, (_, index) => `w${index}`));
    expect(stub.asked.length).toBe(requests);
    expect(stub.asked.every(({ url }) => query(url).get('types') === 'User' && query(url).get('size') === '3')).toBe(
      true,
    );
  });

  test('begins at the page that was asked for', async () => {
    stub = await StubExchange.start((response, { url }) => {
      json(response, 200, pageOf(10, 3, Number(query(url).get('page') ?? 0)));
    });
    const outcomes = await lastValueFrom(
      pages(stub.client(), 'listWallets', { query: { size: 3, page: 2 } }).pipe(toArray()),
    );
    expect(idsOf(outcomes)).toEqual([['w6', 'w7', 'w8'], ['w9']]);
  });

  test('a page that is refused is the last', async () => {
    stub = await StubExchange.start((response, { url }, count) => {
      if (count === 2) json(response, 400, { title: 'no', details: [] });
      else json(response, 200, pageOf(10, 3, Number(query(url).get('page') ?? 0)));
    });
    const outcomes = await lastValueFrom(pages(stub.client(), 'listWallets', { query: { size: 3 } }).pipe(toArray()));
    expect(idsOf(outcomes)).toEqual([['w0', 'w1', 'w2'], 'refused']);
  });

  test('an exchange that gives the same page for ever is found out', async () => {
    stub = await StubExchange.start((response) => json(response, 200, pageOf(10, 3, 0)));
    const outcomes = await lastValueFrom(pages(stub.client(), 'listWallets', { query: { size: 3 } }).pipe(toArray()));
    expect(outcomes.at(-1)).toMatchObject({ kind: 'failed', code: 'BAD_ANSWER', details: 'the page stands still' });
    expect(stub.asked.length).toBe(2);
  });

  const emptyPage = { _primary_document: 'wallets', _count: 0 };
  const pageSize = { _pageSize: 3, _totalElements: 10, _totalPages: 4 };

  test('an empty page in the middle is no end', async () => {
    stub = await StubExchange.start((response, { url }) => {
      const page = Number(query(url).get('page') ?? 0);
      const empty = { _meta: { ...emptyPage, _page: { ...pageSize, _pageNumber: page } }, wallets: [] };
      json(response, 200, page === 1 ? empty : pageOf(10, 3, page));
    });
    const outcomes = await lastValueFrom(pages(stub.client(), 'listWallets', { query: { size: 3 } }).pipe(toArray()));
    expect(outcomes.map(({ kind }) => kind)).toEqual(['answered', 'failed']);
    expect(outcomes.at(-1)).toMatchObject({ code: 'BAD_ANSWER', details: expect.stringContaining('empty') });
  });

  test('a list that grows a little while it is read is read to its end', async () => {
    stub = await StubExchange.start((response, { url }) => {
      const page = Number(query(url).get('page') ?? 0);
      json(response, 200, pageOf(7 + Math.min(page, 3) * 3, 3, page));
    });
    const outcomes = await lastValueFrom(pages(stub.client(), 'listWallets', { query: { size: 3 } }).pipe(toArray()));
    expect(idsOf(outcomes).flat()).toHaveLength(16);
  });

  test('one that grows as fast as it is read ends in a failure, after not too many pages', async () => {
    stub = await StubExchange.start((response, { url }) => {
      const page = Number(query(url).get('page') ?? 0);
      json(response, 200, pageOf(6 + page * 3, 3, page));
    });
    const client = stub.client({ budget: { burst: 100 } });
    const outcomes = await lastValueFrom(pages(client, 'listWallets', { query: { size: 3 } }).pipe(toArray()));
    expect(outcomes.at(-1)).toMatchObject({ kind: 'failed', code: 'BAD_ANSWER' });
    expect(stub.asked.length).toBeLessThan(20);
  });

  test('pages that come round again are found out', async () => {
    stub = await StubExchange.start((response, { url }) => {
      const page = Number(query(url).get('page') ?? 0);
      const { _meta, wallets } = pageOf(100, 3, page % 2);
      json(response, 200, { _meta: { ..._meta, _page: { ..._meta._page, _pageNumber: page } }, wallets });
    });
    const outcomes = await lastValueFrom(pages(stub.client(), 'listWallets', { query: { size: 3 } }).pipe(toArray()));
    expect(outcomes.map(({ kind }) => kind)).toEqual(['answered', 'answered', 'failed']);
  });

  test('where the answer has no _page and more rows than were asked for, they are the whole list', async () => {
    stub = await StubExchange.start((response) => {
      const trades = ['1', '2', '3', '4', '5'].map((id) => ({ ...ORDER_TRADE, id }));
      json(response, 200, { _meta: { _primary_document: 'trades', _count: 5 }, trades });
    });
    const input = { path: { id: '1' }, query: { size: 3 } };
    const outcomes = await lastValueFrom(pages(stub.client(), 'listOrderTrades', input).pipe(toArray()));
    expect(outcomes.map(({ kind }) => kind)).toEqual(['answered']);
  });

  test('a list that the API describes as paged, and that is not, is read as it stands, also strictly', async () => {
    stub = await StubExchange.start((response) => {
      const wallets = ['w1', 'w2'].map((id) => ({ ...WALLET, id }));
      json(response, 200, { _meta: { _primary_document: 'wallets', _count: 2 }, wallets });
    });
    const outcomes = await lastValueFrom(pages(stub.client(), 'listWallets', { query: { size: 3 } }).pipe(toArray()));
    expect(idsOf(outcomes)).toEqual([['w1', 'w2']]);
  });

  test.each([
    [0, 3, 1],
    [2, 3, 1],
    [3, 3, 2],
    [7, 3, 3],
    [7, undefined, 4],
  ])('where the answer has no _page: %i rows by %j are %i requests', async (total, size, requests) => {
    stub = await StubExchange.start((response, { url }) => {
      const page = Number(query(url).get('page') ?? 0);
      const { _meta, wallets } = pageOf(total, 3, page);
      const trades = wallets.map(({ id }) => ({ ...ORDER_TRADE, id }));
      json(response, 200, { _meta: { _primary_document: 'trades', _count: _meta._count }, trades });
    });
    const outcomes = await lastValueFrom(
      pages(stub.client(), 'listOrderTrades', { path: { id: '1' }, query: size === undefined ? {} : { size } }).pipe(
        toArray(),
      ),
    );
    const ids = outcomes.flatMap((each) =>
      each.kind === 'answered' ? each.answer.trades.map(({ id }) => id) : [each.kind],
    );
    expect(ids).toEqual(Array.from({ length: total }, (_, index) => `w${index}`));
    expect(stub.asked.length).toBe(requests);
  });

  test('where it has none and the exchange shows one page for ever, that is found out', async () => {
    stub = await StubExchange.start((response) => {
      json(response, 200, { _meta: { _primary_document: 'trades', _count: 1 }, trades: [ORDER_TRADE] });
    });
    const outcomes = await lastValueFrom(
      pages(stub.client(), 'listOrderTrades', { path: { id: '1' } }).pipe(toArray()),
    );
    expect(outcomes.map(({ kind }) => kind)).toEqual(['answered', 'failed']);
  });

  test('reading on is lazy: no page is read after the subscription has ended', async () => {
    stub = await StubExchange.start((response, { url }) => {
      json(response, 200, pageOf(1_000, 3, Number(query(url).get('page') ?? 0)));
    });
    await new Promise<void>((resolve) => {
      const subscription = pages(stub.client(), 'listWallets', { query: { size: 3 } }).subscribe(() => {
        subscription.unsubscribe();
        resolve();
      });
    });
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(stub.asked.length).toBe(1);
  });
});

/**
 * Serves pages of `total` trades, two of which share each second, so that rows of the same moment lie on both sides of a page's
 * end.
 */
function tradesFrom(url: string, total: number, limit: number) {
  const rows = Array.from({ length: total }, (_, index) => ({
    ...TRADE,
    id: `${index + 1}`,
    settledAt: new Date(1_774_363_500_000 + Math.floor(index / 2) * 1_000).toISOString(),
  }));
  const after = query(url).get('secondaryOffset');
  const from = after === null ? 0 : rows.findIndex(({ id }) => id === after);
  const shown = rows.slice(from, from + limit);
  const last = shown.at(-1);
  const hasMore = from + limit < total;
  const cursor = { limit, sort: 'ASC' };
  return {
    _meta: {
      _primary_document: 'trades',
      _count: shown.length,
      offset: cursor,
      nextOffset:
        hasMore && last !== undefined ? { ...cursor, offset: last.settledAt, secondaryOffset: Number(last.id) } : null,
    },
    documents: { trades: shown },
  };
}

describe('by cursor', () => {
  test.each([
    [0, 2],
    [1, 2],
    [2, 2],
    [3, 2],
    [17, 2],
    [17, 5],
  ])('%i rows by %i: each once, in order', async (total, limit) => {
    stub = await StubExchange.start((response, { url }) => json(response, 200, tradesFrom(url, total, limit)));
    const outcomes = await lastValueFrom(
      pages(stub.client({ budget: { burst: 100 } }), 'listHistoricalTrades', { query: { limit, walletId: 'w' } }).pipe(
        toArray(),
      ),
    );
    const ids = outcomes.flatMap((each) =>
      each.kind === 'answered' ? each.answer.documents.trades.map(({ id }) => id) : [each.kind],
    );
    expect(ids).toEqual(Array.from({ length: total }, (_, index) => `${index + 1}`));
    expect(stub.asked.every(({ url }) => query(url).get('walletId') === 'w')).toBe(true);
    expect(stub.asked.slice(1).every(({ url }) => query(url).has('offset'))).toBe(true);
  });

  test('a cursor that stands still is an error, not a loop', async () => {
    stub = await StubExchange.start((response) => {
      const stuck = tradesFrom('/trades/historical', 10, 2);
      json(response, 200, stuck);
    });
    const outcomes = await lastValueFrom(
      pages(stub.client(), 'listHistoricalTrades', { query: { limit: 2 } }).pipe(toArray()),
    );
    expect(outcomes.map(({ kind }) => kind)).toEqual(['answered', 'failed']);
    expect(outcomes.at(-1)).toMatchObject({ code: 'BAD_ANSWER', details: 'the cursor stands still' });
    expect(stub.asked.length).toBe(2);
  });

  test('a limit of 1 would show one row for ever, so it is refused before it is asked', async () => {
    stub = await StubExchange.start(() => {});
    expect(() => pages(stub.client(), 'listHistoricalTrades', { query: { limit: 1 } })).toThrow('limit');
  });
});
