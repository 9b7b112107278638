/** Bodies, queries and URLs of requests, with their limits. */

import { describe, expect, test } from 'vitest';
import {
  CancelledOrdersQuery,
  EventsQuery,
  MarketsQuery,
  MetricsQuery,
  OrdersQuery,
  PricesQuery,
} from '../../../../src/betdex/wire/basics/queries.ts';
import { CancelBody, HeartbeatBody, SessionBody } from '../../../../src/betdex/wire/basics/requests.ts';
import { ENDPOINTS } from '../../../../src/betdex/wire/endpoints.ts';
import { requestReader } from '../../../../src/codec/codec-read.ts';
import { writer } from '../../../../src/codec/codec-write.ts';
import { pathWithValues, queryReader, queryToWire } from '../../../../src/codec/request-address.ts';

const readQuery = (schema: Parameters<typeof queryReader>[0], text: string) =>
  queryReader(schema)(new URLSearchParams(text).entries());

describe('bodies', () => {
  test.each([
    [9_999, 'faults'],
    [10_000, 'read'],
    [300_000, 'read'],
    [300_001, 'faults'],
    [15_000.5, 'faults'],
    ['15000', 'faults'],
  ])('a heartbeat of %s ms: %s', (timeoutMs, kind) => {
    expect(requestReader(HeartbeatBody)({ timeoutMs }).kind).toBe(kind);
  });

  test('a cancellation names at least one of the four arrays', () => {
    const readBody = requestReader(CancelBody);
    expect(readBody({ orderIds: ['1', '2'], unknown: 1 })).toEqual({ kind: 'read', value: { orderIds: ['1', '2'] } });
    for (const body of [{}, { unknown: ['1'] }, { orderIds: null }]) expect(readBody(body).kind).toBe('faults');
    expect(readBody({ marketIds: [7] })).toEqual({
      kind: 'faults',
      faults: [{ code: 'WRONG_TYPE', path: 'marketIds[0]' }],
    });
    expect(writer(CancelBody)({ walletIds: ['w'] })).toEqual({ walletIds: ['w'] });
    expect(readBody({ orderIds: Array.from({ length: 51 }, String) }).kind).toBe('read');
  });

  test('a session is asked for with an app id and a key, and a wallet where the key is its own', () => {
    const readBody = requestReader(SessionBody);
    expect(readBody({ appId: 'a', apiKey: 'k', walletId: null })).toEqual({
      kind: 'read',
      value: { appId: 'a', apiKey: 'k' },
    });
    expect(readBody({ appId: 'a' })).toEqual({ kind: 'faults', faults: [{ code: 'MISSING', path: 'apiKey' }] });
    expect(readBody(undefined).kind).toBe('faults');
  });

  test('faults end at a hundred, however long the list', () => {
    const result = requestReader(CancelBody)({ orderIds: Array.from({ length: 100_000 }, () => 1) });
    expect(result.kind === 'faults' && result.faults.length).toBe(100);
  });
});

describe('queries', () => {
  test('defaults, lists in both spellings, booleans and sorting', () => {
    const text =
      'ids=1%2C2&ids=3&statuses=Open,Locked&published=true&size=5&page=0&sort=name&sort=createdAt%2Cdesc&x=1';
    expect(readQuery(MarketsQuery, text)).toEqual({
      kind: 'read',
      value: {
        ids: ['1', '2', '3'],
        statuses: ['Open', 'Locked'],
        published: true,
        page: 0,
        size: 5,
        sort: ['name', 'createdAt,desc'],
      },
    });
    expect(readQuery(MarketsQuery, '')).toEqual({ kind: 'read', value: { page: 0, size: 25, sort: [] } });
  });

  test('an empty list is a list, an empty value is none', () => {
    expect(readQuery(OrdersQuery, 'ids=&references=&fromCreatedAt=')).toEqual({
      kind: 'read',
      value: { ids: [], references: [], page: 0, size: 25, sort: [] },
    });
  });

  test('order lists refuse a size above 500, other lists clamp one above 2000', () => {
    expect(readQuery(OrdersQuery, 'size=500')).toMatchObject({ value: { size: 500 } });
    expect(readQuery(OrdersQuery, 'size=501')).toEqual({
      kind: 'faults',
      faults: [{ code: 'OUT_OF_RANGE', path: 'size' }],
    });
    for (const size of ['1000000000000000', '9007199254740993', '9'.repeat(400), '5000.0']) {
      expect(readQuery(OrdersQuery, `size=${size}`).kind).toBe('faults');
      expect(readQuery(MarketsQuery, `size=${size}`)).toMatchObject({ value: { size: 2000 } });
    }
    for (const size of ['9007199254740993.5', '2000.5', '-9007199254740993', '1e2'])
      expect(readQuery(MarketsQuery, `size=${size}`).kind).toBe('faults');
    expect(readQuery(CancelledOrdersQuery, 'limit=500')).toMatchObject({ value: { limit: 500, sort: 'ASC' } });
    expect(readQuery(MarketsQuery, 'size=9000')).toMatchObject({ value: { size: 2000 } });
  });

  test.each([
    [OrdersQuery, 'statuses=Unmatched%2CMelted', 'statuses[1]'],
    [OrdersQuery, 'fromStake=much', 'fromStake'],
    [OrdersQuery, 'page=-1', 'page'],
    [OrdersQuery, 'page=1.5', 'page'],
    [OrdersQuery, 'size=0', 'size'],
    [OrdersQuery, 'sort=createdAt%2Csideways', 'sort[0]'],
    [OrdersQuery, 'fromCreatedAt=2026-02-30T00:00:00Z', 'fromCreatedAt'],
    [OrdersQuery, 'page=1&page=2', 'page'],
    [MarketsQuery, 'published=yes', 'published'],
    [EventsQuery, 'starting=Soon', 'starting'],
    [CancelledOrdersQuery, 'sort=asc', 'sort'],
    [CancelledOrdersQuery, 'secondaryOffset=abc', 'secondaryOffset'],
    [PricesQuery, 'directOnly=true', 'marketIds'],
    [MetricsQuery, 'fromDateTime=yesterday', 'fromDateTime'],
  ])('refuses a value that the parameter cannot have (%#: %s)', (schema, text, path) => {
    const result = readQuery(schema, text);
    expect(result.kind === 'faults' && result.faults.map((fault) => fault.path)).toEqual([path]);
  });

  test('floats may read 1.0, and periods are bounded by dates or by date-times', () => {
    expect(readQuery(OrdersQuery, 'fromStake=1.0&page=2.0')).toMatchObject({ value: { fromStake: 1, page: 2 } });
    const period = { fromDateTime: '2026-01-01', toDateTime: '2026-01-02T00:00:00.000Z' };
    expect(readQuery(MetricsQuery, new URLSearchParams(period).toString())).toEqual({ kind: 'read', value: period });
  });

  test('names of the language’s own are no parameters', () => {
    expect(readQuery(OrdersQuery, '__proto__=1&constructor=2&toString=3').kind).toBe('read');
  });
});

describe('addresses', () => {
  test('lists are one value, only sort repeats, and what has a meaning is escaped', () => {
    const text = queryToWire(OrdersQuery, {
      statuses: ['Unmatched', 'PartiallyMatched'],
      ids: [],
      fromCreatedAt: '2026-03-24T14:45:01.000Z',
      sort: ['createdAt,desc', 'id'],
      walletIds: undefined,
    });
    expect(text.split('&').sort()).toEqual([
      'fromCreatedAt=2026-03-24T14%3A45%3A01.000Z',
      'ids=',
      'sort=createdAt%2Cdesc',
      'sort=id',
      'statuses=Unmatched%2CPartiallyMatched',
    ]);
  });

  test('a query comes back as it went', () => {
    const values = { ids: ['1', '2'], published: false, page: 3, size: 7, sort: ['name,asc'] };
    expect(readQuery(MarketsQuery, queryToWire(MarketsQuery, values))).toEqual({ kind: 'read', value: values });
  });

  test('parts of a path are escaped whole', () => {
    const { path } = ENDPOINTS.findEvents;
    expect(pathWithValues(path, { source: 'a/b', reference: 'c d?' })).toBe('/events/by-reference/a%2Fb/c%20d%3F');
    expect(() => pathWithValues(path, { source: 'a' })).toThrow('needs reference');
  });
});
