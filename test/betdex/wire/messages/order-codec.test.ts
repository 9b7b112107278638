/** Orders and requests for orders, converted between the core's types and the API's documents. */

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { BatchBody, CreateOrderRequest } from '../../../../src/betdex/wire/basics/requests.ts';
import {
  type NewOrder,
  newOrderOf,
  newOrdersOfBatch,
  newOrdersToWire,
  requestOf,
} from '../../../../src/betdex/wire/messages/new-order-codec.ts';
import { orderToWire, type WireOrder } from '../../../../src/betdex/wire/messages/order-codec.ts';
import { Order } from '../../../../src/betdex/wire/shapes/orders.ts';
import { documentReader, requestReader } from '../../../../src/codec/codec-read.ts';
import { writer } from '../../../../src/codec/codec-write.ts';
import { faultText, type WireResult } from '../../../../src/codec/fault.ts';
import { decimalOfTick, TICK_COUNT, tick } from '../../../../src/core/number/ladder.ts';
import { instant, money } from '../../../../src/core/number/units.ts';
import { CANCELLATION_REASONS, MATCH_BEHAVIORS, ORDER_STATUSES } from '../../../../src/core/order.ts';
import { SIDES } from '../../../../src/core/side.ts';
import { namedShape, strictFaults } from '../../../support/wire-strict.ts';

const readDocument = documentReader(Order);
const readBatch = requestReader(BatchBody);
const readOne = requestReader(CreateOrderRequest);
const writeOne = writer(CreateOrderRequest);

function newOrderFromWire(body: unknown): WireResult<NewOrder> {
  const request = readOne(body);
  return request.kind === 'read' ? newOrderOf(request.value) : request;
}

function newOrdersFromWire(body: unknown): WireResult<readonly NewOrder[]> {
  const batch = readBatch(body);
  return batch.kind === 'read' ? newOrdersOfBatch(batch.value) : batch;
}

const newOrderToWire = (order: NewOrder): unknown => writeOne(requestOf(order));

const overTheWire = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

const anId = fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER });
const aTick = fc.integer({ min: 0, max: TICK_COUNT - 1 }).map(tick);
const anAmount = fc.integer({ min: 0, max: 8_000_000_000_000_000 }).map(money);
const anInstant = fc.integer({ min: 0, max: 4_102_444_800_000 }).map(instant);
const aText = fc.string({ maxLength: 20 });

const anOrder: fc.Arbitrary<WireOrder> = fc.record(
  {
    id: anId,
    appId: aText,
    marketId: aText,
    walletId: aText,
    side: fc.constantFrom(...SIDES),
    outcomeId: aText,
    outcomeTitle: aText,
    tick: aTick,
    stake: anAmount,
    stakeUnmatched: anAmount,
    stakeVoided: anAmount,
    keepWhenInPlay: fc.boolean(),
    createdAt: anInstant,
    modifiedAt: anInstant,
    commissionRateId: aText,
    reference: aText,
    status: fc.constantFrom(...ORDER_STATUSES),
    matchBehavior: fc.constantFrom(...MATCH_BEHAVIORS),
    cancellationReason: fc.constantFrom(...CANCELLATION_REASONS),
  },
  {
    requiredKeys: [
      'id',
      'marketId',
      'side',
      'outcomeId',
      'outcomeTitle',
      'tick',
      'stake',
      'stakeUnmatched',
      'stakeVoided',
      'keepWhenInPlay',
      'createdAt',
      'modifiedAt',
      'status',
      'matchBehavior',
    ],
  },
);

const aNewOrder: fc.Arbitrary<NewOrder> = fc.record(
  {
    walletId: aText,
    marketId: aText,
    side: fc.constantFrom(...SIDES),
    outcomeId: aText,
    tick: aTick,
    stake: fc.integer({ min: 1, max: 8_000_000_000_000 }).map((thousandths) => money(thousandths * 1000)),
    keepWhenInPlay: fc.boolean(),
    matchBehavior: fc.constantFrom(...MATCH_BEHAVIORS),
    reference: fc.string({ minLength: 1, maxLength: 20 }),
    commissionRateId: aText,
  },
  {
    requiredKeys: ['walletId', 'marketId', 'side', 'outcomeId', 'tick', 'stake', 'keepWhenInPlay', 'matchBehavior'],
  },
);

const PLAIN: NewOrder = {
  walletId: 'app-User-1',
  marketId: '8801',
  side: 'For',
  outcomeId: '24101',
  tick: tick(0),
  stake: money(2_000_000),
  keepWhenInPlay: false,
  matchBehavior: 'RetainUnmatched',
};
const REQUEST = { walletId: 'app-User-1', marketId: '8801', side: 'For', outcomeId: '24101', price: 1.01, stake: 2 };

describe('orders', () => {
  test('every order passes the strict check as written, and is read as it was written', () => {
    fc.assert(
      fc.property(anOrder, (order) => {
        const document = overTheWire(orderToWire(order));
        expect(strictFaults(namedShape('Order'), document)).toEqual([]);
        const { id, market, stake, createdAt, ...same } = document as Record<string, unknown>;
        expect(same).toMatchObject({ side: order.side, status: order.status, outcomeId: order.outcomeId });
        expect([id, market, stake, createdAt]).toEqual([
          String(order.id),
          { _ref: 'markets.id', _ids: [order.marketId] },
          order.stake / 1e6,
          new Date(order.createdAt).toISOString(),
        ]);
        expect(readDocument(document)).toEqual({ kind: 'read', value: document });
      }),
      { numRuns: 500 },
    );
  });

  const [order] = fc.sample(anOrder, { numRuns: 1, seed: 7 });
  const document = orderToWire(order as WireOrder) as Record<string, unknown>;

  test('words that we do not know are kept, fields that we do not know are dropped, null is absent', () => {
    const strange = { ...document, status: 'Melted', matchBehavior: 'Sometimes', cancellationReason: 'Boredom' };
    const { reference, walletId, ...rest } = strange as Record<string, unknown>;
    expect(readDocument({ ...strange, new: 1, reference: null, walletId: null })).toEqual({
      kind: 'read',
      value: rest,
    });
  });

  test.each([undefined, null, 7, 'order', [], true])('%s is no order and does not throw', (value) => {
    expect(readDocument(value).kind).toBe('faults');
  });
});

describe('requests for orders', () => {
  test('every batch comes back as it went', () => {
    fc.assert(
      fc.property(fc.array(aNewOrder, { minLength: 1, maxLength: 50 }), (orders) => {
        expect(newOrdersFromWire(overTheWire(newOrdersToWire(orders)))).toEqual({ kind: 'read', value: orders });
      }),
      { numRuns: 50 },
    );
    expect(newOrderFromWire(overTheWire(newOrderToWire(PLAIN)))).toEqual({ kind: 'read', value: PLAIN });
  });

  test('what is written are the specification’s fields, unset ones left out', () => {
    expect(newOrderToWire({ ...PLAIN, extra: 1 } as NewOrder)).toEqual({
      ...REQUEST,
      keepWhenInPlay: false,
      matchBehavior: 'RetainUnmatched',
    });
  });

  test('keepWhenInPlay and matchBehavior have defaults, commissionRateId may be null', () => {
    expect(newOrderFromWire({ ...REQUEST, commissionRateId: null })).toEqual({ kind: 'read', value: PLAIN });
  });

  test('1 to 50 requests make a batch', () => {
    const batchOf = (count: number) => newOrdersFromWire({ requests: Array.from({ length: count }, () => REQUEST) });
    expect([0, 1, 50, 51].map((count) => batchOf(count).kind)).toEqual(['faults', 'read', 'read', 'faults']);
    expect(batchOf(51)).toEqual({ kind: 'faults', faults: [{ code: 'OUT_OF_RANGE', path: 'requests' }] });
    expect(newOrdersFromWire({}).kind).toBe('faults');
  });

  test.each([
    ['price', 1, 'BAD_PRICE'],
    ['price', 2.505, 'OFF_LADDER'],
    ['price', -2, 'BAD_PRICE'],
    ['price', 1e308, 'BAD_PRICE'],
    ['price', '2.5', 'WRONG_TYPE'],
    ['stake', 0, 'OUT_OF_RANGE'],
    ['stake', -5, 'OUT_OF_RANGE'],
    ['stake', 1.0001, 'BAD_STAKE'],
    ['stake', 1e308, 'BAD_STAKE'],
    ['stake', undefined, 'MISSING'],
    ['side', 'Back', 'UNKNOWN_WORD'],
    ['matchBehavior', 'Never', 'UNKNOWN_WORD'],
    ['keepWhenInPlay', 'false', 'WRONG_TYPE'],
    ['walletId', 7, 'WRONG_TYPE'],
    ['outcomeId', null, 'MISSING'],
  ])('%s %s is %s, named with its index', (key, value, code) => {
    const batch = { requests: [REQUEST, { ...REQUEST, [key]: value }] };
    expect(newOrdersFromWire(batch)).toEqual({ kind: 'faults', faults: [{ code, path: `requests[1].${key}` }] });
  });

  test('every faulty item is named, in words for the answer’s details', () => {
    const result = newOrdersFromWire({
      requests: [{ ...REQUEST, price: 2.505 }, REQUEST, { ...REQUEST, stake: 0.0005 }],
    });
    expect(result.kind === 'faults' && result.faults.map(faultText)).toEqual([
      'requests[0].price: the price is not one of the 350 ladder prices (OFF_LADDER)',
      'requests[2].stake: the stake is not positive, too large, or has more than three decimals (BAD_STAKE)',
    ]);
  });

  test('a price of 2.5 is tick 124 both ways', () => {
    expect(newOrderFromWire({ ...REQUEST, price: 2.5 })).toMatchObject({ value: { tick: 124 } });
    expect(newOrderToWire({ ...PLAIN, tick: tick(124) })).toMatchObject({ price: decimalOfTick(tick(124)) });
  });
});
