/** Which orders of a run are compared, until when, why others are not, and what is drawn together. */

import { describe, expect, test } from 'vitest';
import {
  type FitMarket,
  placeOn,
  type RestedHere,
  reasonsBefore,
  restedHere,
  unitsOf,
} from '../../../src/app/parity/fit/compared-orders.ts';
import { defined } from '../../../src/core/checks/assert.ts';
import { type MadeOrder, madeOrder } from '../../support/fit/made-order.ts';

const MARKET: FitMarket = {
  ...{ index: 0, id: 'm', outcomes: ['o0', 'o1'], firstAt: 0, lastAt: 10_000 },
  ...{ hasTrades: true, crossMatching: false, gaps: [] },
};

function rested(made: MadeOrder = {}, market: Partial<FitMarket> = {}): RestedHere {
  const of = { ...MARKET, ...market };
  const placed = defined(placeOn(new Map([[of.id, of]]), madeOrder(made)), 'the order is on the tape');
  return defined(restedHere(placed, 9_000), 'the order rested');
}

function reasonOf(made: MadeOrder, market?: Partial<FitMarket>, mode: 'live' | 'paper' = 'live') {
  return reasonsBefore([rested(made, market)], { mode, downs: [] })[0];
}

describe('a comparison ends', () => {
  test('with the cancellation', () => {
    expect(rested({ from: 100, voidedAt: 500 })).toMatchObject({ from: 100, to: 500 });
  });

  test('after a fill as much later as that had taken', () => {
    expect(rested({ from: 100, fills: [[500, 10]] })).toMatchObject({ from: 100, to: 900 });
  });

  test('at the latest with the tape and the journal', () => {
    expect(rested({ from: 100 }).to).toBe(9_000);
    expect(rested({ from: 100, fills: [[8_000, 10]] }).to).toBe(9_000);
    expect(rested({ from: 100, voidedAt: 8_500 }, { lastAt: 8_200 }).to).toBe(8_200);
  });
});

describe('an order is left out', () => {
  test.each([
    ['unsure', { isUnsure: true }, {}],
    ['noTrades', {}, { hasTrades: false }],
    ['gap', { from: 100, voidedAt: 500 }, { gaps: [{ from: 400, to: 450 }] }],
    ['tookOnArrival', { taken: 2 }, {}],
    ['noTime', { from: 100, voidedAt: 100 }, {}],
    [undefined, { from: 100, voidedAt: 500 }, { gaps: [{ from: 500, to: 600 }] }],
  ] as const)('%s', (reason, made, market) => {
    expect(reasonOf(made, market)).toBe(reason);
  });

  test('where the process was down while it rested', () => {
    const downs = [{ from: 200, to: 300 }];
    expect(reasonsBefore([rested({ voidedAt: 500 })], { mode: 'live', downs })).toEqual(['gap']);
  });

  test('of a paper run not for what it took: its tape holds nothing of that', () => {
    expect(reasonOf({ taken: 2 }, {}, 'paper')).toBeUndefined();
  });

  test('of a market or an outcome that is on no tape at that time', () => {
    const markets = new Map([['m', { ...MARKET, firstAt: 50 }]]);
    expect(placeOn(markets, madeOrder({ terms: { market: 'other' } }))).toBeUndefined();
    expect(placeOn(markets, madeOrder({ terms: { outcome: 'other' } }))).toBeUndefined();
    expect(placeOn(markets, madeOrder({ from: 40 }))).toBeUndefined();
    expect(placeOn(markets, madeOrder({ from: 60 }))).toBeDefined();
  });

  test('with every other of a live run that stood in its queue at the same time', () => {
    const three = [
      rested({ from: 0, voidedAt: 300 }),
      rested({ from: 200, voidedAt: 400 }),
      rested({ from: 400, voidedAt: 600 }),
    ];
    expect(reasonsBefore(three, { mode: 'live', downs: [] })).toEqual(['sharedQueue', 'sharedQueue', undefined]);
    expect(reasonsBefore(three, { mode: 'paper', downs: [] })).toEqual([undefined, undefined, undefined]);
  });

  test('not for one at another price or on the other side', () => {
    const others = [rested({}), rested({ terms: { tick: 101 } }), rested({ terms: { side: 'Against' } })];
    expect(reasonsBefore(others, { mode: 'live', downs: [] })).toEqual([undefined, undefined, undefined]);
  });

  test('for one on another outcome where the market cross matches', () => {
    for (const [crossMatching, reason] of [
      [true, 'crossMatched'],
      [false, undefined],
    ] as const) {
      const two = [{}, { terms: { outcome: 'o1' } }].map((made) => rested(made, { crossMatching }));
      expect(reasonsBefore(two, { mode: 'live', downs: [] })).toEqual([reason, reason]);
    }
  });
});

describe('drawn together are', () => {
  test('orders that stood in one queue at one time', () => {
    const orders = [
      rested({ from: 300, voidedAt: 400 }),
      rested({ from: 0, voidedAt: 100 }),
      rested({ from: 50, voidedAt: 150 }),
      rested({ from: 120, voidedAt: 200, terms: { tick: 101 } }),
    ];
    const { kind, count, of } = unitsOf(orders);
    expect({ kind, count }).toEqual({ kind: 'queue', count: 3 });
    expect(of[1]).toBe(of[2]);
    expect(new Set(of).size).toBe(3);
  });

  test('all of a market, where there are many', () => {
    const orders = Array.from({ length: 40 }, (_, order) => rested({}, { index: order % 20 }));
    expect(unitsOf(orders)).toMatchObject({ kind: 'market', count: 20 });
  });
});
