/** Pages by number and by cursor equal those of a slow, obvious implementation. */

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { instant } from '../../../src/core/number/units.ts';
import {
  type KeysetPage,
  type KeysetQuery,
  keysetMeta,
  keysetPage,
} from '../../../src/sandbox/operations/shared/keyset.ts';
import { page, pagedMeta, type Sortable } from '../../../src/sandbox/operations/shared/paging.ts';

interface Row {
  readonly id: number;
  readonly name: string;
  readonly at: number | undefined;
}

const SORTABLE: Sortable<Row> = { id: ({ id }) => id, name: ({ name }) => name, settledAt: ({ at }) => at };
const ROWS: readonly Row[] = [
  { id: 1, name: 'b', at: 5 },
  { id: 2, name: 'a', at: undefined },
  { id: 3, name: 'b', at: 3 },
  { id: 4, name: 'c', at: 5 },
];

function idsOf(sort: readonly string[], number = 0, size = 25) {
  const found = page(ROWS, { page: number, size, sort }, SORTABLE);
  return found.kind === 'page' ? found.items.map(({ id }) => id) : found.status;
}

describe('pages by number', () => {
  test.each([
    { sort: [], ids: [4, 3, 2, 1], why: 'newest first without a sort' },
    { sort: ['id'], ids: [1, 2, 3, 4], why: 'ascending where the direction is not given' },
    { sort: ['id,desc'], ids: [4, 3, 2, 1], why: 'descending' },
    { sort: ['name,asc'], ids: [2, 3, 1, 4], why: 'equals newest first' },
    { sort: ['name', 'id,asc'], ids: [2, 1, 3, 4], why: 'the second criterion decides among equals' },
    { sort: ['settledAt'], ids: [3, 4, 1, 2], why: 'absent last when ascending' },
    { sort: ['settledAt,desc'], ids: [4, 1, 3, 2], why: 'absent last when descending' },
  ])('sorts: $why', ({ sort, ids }) => {
    expect(idsOf(sort)).toEqual(ids);
  });

  test.each(['price', 'toString', 'constructor', '__proto__', 'id,down', ''])('refuses to sort by %j', (sort) => {
    expect(idsOf([sort])).toBe(400);
  });

  test('cuts pages and counts them', () => {
    expect(idsOf(['id'], 0, 3)).toEqual([1, 2, 3]);
    expect(idsOf(['id'], 1, 3)).toEqual([4]);
    expect(idsOf(['id'], 2, 3)).toEqual([]);
    const found = page(ROWS, { page: 1, size: 3, sort: [] }, SORTABLE);
    if (found.kind === 'problem') throw new Error(found.title);
    expect(pagedMeta('orders', found)).toEqual({
      _primary_document: 'orders',
      _count: 1,
      _page: { _pageNumber: 1, _pageSize: 3, _totalElements: 4, _totalPages: 2 },
    });
  });

  test('reads a size above 2000 as that', () => {
    const found = page(ROWS, { page: 0, size: 5000, sort: [] }, SORTABLE);
    expect(found.kind === 'page' ? found.meta : found).toMatchObject({ _pageSize: 2000, _totalPages: 1 });
  });

  test('no page of an empty list', () => {
    const found = page([], { page: 0, size: 25, sort: [] }, SORTABLE);
    expect(found.kind === 'page' ? found.meta : found).toMatchObject({ _totalElements: 0, _totalPages: 0 });
  });

  test('refuses a page number that `_pageNumber` cannot hold', () => {
    expect(idsOf([], 2 ** 31 - 1)).toEqual([]);
    expect(idsOf([], 2 ** 31)).toBe(400);
    expect(idsOf([], 1e300)).toBe(400);
  });
});

const KEY = { at: ({ at }: Row) => instant(at ?? 0), id: ({ id }: Row) => id };
const first = (limit: number, sort: 'ASC' | 'DESC' = 'ASC'): KeysetQuery => ({ limit, sort });

function keyset(rows: readonly Row[], query: KeysetQuery): KeysetPage<Row> {
  const found = keysetPage(rows, query, KEY);
  if (found.kind === 'problem') throw new Error(found.details.join());
  return found;
}

/** Walks pages as the vendor's client does: it drops a repeated first row and stops without nextOffset. */
function walk(rows: readonly Row[], limit: number, sort: 'ASC' | 'DESC'): number[] {
  const seen: number[] = [];
  let query: KeysetQuery | undefined = first(limit, sort);
  for (let calls = 0; query !== undefined; calls += 1) {
    expect(calls).toBeLessThanOrEqual(rows.length + 1);
    const { items, nextOffset }: KeysetPage<Row> = keyset(rows, query);
    expect(items.length).toBeLessThanOrEqual(limit);
    const ids = items.map(({ id }) => id);
    seen.push(...(seen.length > 0 && ids[0] === seen.at(-1) ? ids.slice(1) : ids));
    query = nextOffset as KeysetQuery | undefined;
  }
  return seen;
}

describe('pages by cursor', () => {
  test('a page begins with the last row of the one before, told apart by its id', () => {
    const rows = [1, 2, 3].map((id) => ({ id, name: '', at: 1000 }));
    const start = keyset(rows, first(2));
    expect(start.items.map(({ id }) => id)).toEqual([1, 2]);
    expect(start.offset).toEqual({ limit: 2, sort: 'ASC' });
    expect(start.nextOffset).toEqual({ offset: '1970-01-01T00:00:01.000Z', secondaryOffset: 2, limit: 2, sort: 'ASC' });
    const next = keyset(rows, start.nextOffset as KeysetQuery);
    expect(next.items.map(({ id }) => id)).toEqual([2, 3]);
    expect(next.offset).toEqual(start.nextOffset);
    expect(next.nextOffset).toBeUndefined();
    expect(keysetMeta('markets', next)).toEqual({ _primary_document: 'markets', _count: 2, offset: next.offset });
  });

  test('without a second offset all rows of the date belong to the page, in either direction', () => {
    const rows = [
      { id: 1, name: '', at: 0 },
      { id: 2, name: '', at: 1000 },
      { id: 3, name: '', at: 1000 },
      { id: 4, name: '', at: 2000 },
    ];
    const offset = '1970-01-01T00:00:01Z';
    const ids = (sort: 'ASC' | 'DESC') => keyset(rows, { ...first(9, sort), offset }).items.map(({ id }) => id);
    expect(ids('ASC')).toEqual([2, 3, 4]);
    expect(ids('DESC')).toEqual([3, 2, 1]);
  });

  test('refuses a second offset alone, and an offset that is no date', () => {
    expect(keysetPage([], { ...first(2), secondaryOffset: 1 }, KEY)).toMatchObject({ status: 400 });
    expect(keysetPage([], { ...first(2), offset: '2026-02-30T00:00Z' }, KEY)).toMatchObject({ status: 400 });
    expect(keysetPage([], { ...first(2), offset: '2026-02-20T00:00Z', secondaryOffset: 1e300 }, KEY)).toMatchObject({
      status: 400,
    });
  });

  test('reads a limit above 2000 as that', () => {
    expect(keyset([], first(9000)).offset.limit).toBe(2000);
  });

  test('walking all pages gives each row once and in order, whatever dates the rows share', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: 4 }), { maxLength: 30 }),
        fc.integer({ min: 1, max: 7 }),
        fc.constantFrom('ASC' as const, 'DESC' as const),
        (dates, limit, sort) => {
          const rows = dates.map((at, index) => ({ id: index + 1, name: '', at }));
          const inOrder = [...rows].sort((left, right) => left.at - right.at || left.id - right.id);
          if (sort === 'DESC') inOrder.reverse();
          expect(walk(rows, limit, sort)).toEqual(inOrder.map(({ id }) => id));
        },
      ),
    );
  });
});
