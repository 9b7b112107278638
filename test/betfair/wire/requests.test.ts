/** How requests are read: null is absent, numbers may be texts, unknown fields are dropped, and faults are named. */

import { expect, test } from 'vitest';
import { operationOf, restFailure, rpcCallOf, rpcFailure } from '../../../src/betfair/wire/envelope.ts';
import { OPERATIONS } from '../../../src/betfair/wire/operations.ts';
import { streamRequestOf } from '../../../src/betfair/wire/stream/requests.ts';
import { looseReader } from '../../../src/codec/codec-read.ts';

const readPlace = looseReader(OPERATIONS.placeOrders.params);

test('a field that is null is absent, and one that is unknown is dropped', () => {
  const instruction = {
    orderType: 'LIMIT',
    selectionId: 47972,
    handicap: null,
    side: 'BACK',
    limitOrder: { price: 2.5, size: 2, persistenceType: 'LAPSE', timeInForce: null, minFillSize: null },
    limitOnCloseOrder: null,
    customerOrderRef: null,
    mood: 'hopeful',
  };
  const read = readPlace({ marketId: '1.1', instructions: [instruction], customerRef: null, async: null });
  expect(read).toEqual({
    kind: 'read',
    value: {
      marketId: '1.1',
      instructions: [
        {
          orderType: 'LIMIT',
          selectionId: 47972,
          side: 'BACK',
          limitOrder: { price: 2.5, size: 2, persistenceType: 'LAPSE' },
        },
      ],
    },
  });
});

test('numbers and flags may be written as texts, and ids as numbers', () => {
  const limitOrder = { size: '2', price: '3.5', persistenceType: 'LAPSE' };
  const instruction = { selectionId: '47972', handicap: '0', side: 'LAY', orderType: 'LIMIT', limitOrder };
  const read = readPlace({ marketId: 1.125, instructions: [instruction], async: 'false' });
  expect(read).toMatchObject({
    kind: 'read',
    value: {
      marketId: '1.125',
      async: false,
      instructions: [{ selectionId: 47972, handicap: 0, limitOrder: { size: 2, price: 3.5 } }],
    },
  });
});

test('what is missing, of another type or no word of its list is a fault with its place', () => {
  const read = readPlace({ marketId: '1.1', instructions: [{ selectionId: 'x', side: 'UP', orderType: 'LIMIT' }] });
  expect(read).toEqual({
    kind: 'faults',
    faults: [
      { code: 'WRONG_TYPE', path: 'instructions[0].selectionId' },
      { code: 'UNKNOWN_WORD', path: 'instructions[0].side' },
    ],
  });
  expect(readPlace({ instructions: [] })).toEqual({ kind: 'faults', faults: [{ code: 'MISSING', path: 'marketId' }] });
});

test('a call names its operation in the body or in the address', () => {
  const body = { jsonrpc: '2.0', method: 'SportsAPING/v1.0/listEvents', params: { filter: {} }, id: 7 };
  expect(rpcCallOf('SportsAPING', body)).toEqual({ id: 7, operation: 'listEvents', params: { filter: {} } });
  const inPath = rpcCallOf('SportsAPING', { params: null, id: 'a' }, 'SportsAPING/v1.0/listEvents');
  expect(inPath).toEqual({ id: 'a', operation: 'listEvents', params: {} });
  expect(rpcCallOf('AccountAPING', body).operation).toBeUndefined();
  expect(operationOf('SportsAPING', 'toString')).toBeUndefined();
});

test('an exception and a fault have the forms of JSON-RPC and of REST', () => {
  const exception = { kind: 'exception', errorCode: 'INVALID_SESSION_INFORMATION', errorDetails: '' } as const;
  const detail = {
    APINGException: { requestUUID: 'u', errorCode: 'INVALID_SESSION_INFORMATION', errorDetails: '' },
    exceptionname: 'APINGException',
  };
  expect(rpcFailure('SportsAPING', { id: 1 }, exception, 'u')).toEqual({
    jsonrpc: '2.0',
    error: { code: -32099, message: 'ANGX-0003', data: detail },
    id: 1,
  });
  expect(restFailure('SportsAPING', exception, 'u')).toEqual({
    status: 400,
    body: { detail, faultcode: 'Client', faultstring: 'ANGX-0003' },
  });
  const fault = { kind: 'fault', fault: 'MANDATORY_NOT_DEFINED' } as const;
  expect(rpcFailure('AccountAPING', { id: undefined }, fault, 'u')).toEqual({
    jsonrpc: '2.0',
    error: { code: -32602, message: 'DSC-0018' },
  });
});

test('the lines of a client are read by their op; a fault keeps the id that it can see', () => {
  const line = '{"op":"marketSubscription","id":"2","marketFilter":{"marketIds":["1.1"],"bspMarket":null},"clk":null}';
  expect(streamRequestOf(line)).toEqual({
    kind: 'read',
    value: { op: 'marketSubscription', id: 2, marketFilter: { marketIds: ['1.1'] } },
  });
  expect(streamRequestOf('{"op":"heartbeat"}')).toEqual({ kind: 'read', value: { op: 'heartbeat' } });
  const badField = streamRequestOf('{"op":"marketSubscription","id":3,"marketDataFilter":{"fields":["EX_LUCK"]}}');
  expect(badField).toMatchObject({ kind: 'faults', id: 3, faults: [{ code: 'UNKNOWN_WORD' }] });
  expect(streamRequestOf('{"op":"constructor","id":4}')).toMatchObject({ kind: 'faults', id: 4 });
  expect(streamRequestOf('nonsense')).toEqual({ kind: 'faults', faults: [{ code: 'NOT_JSON', path: '' }] });
});
