/** Decimals, instants and ids: exact in both directions, and a fault for everything that they cannot hold. */

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  AMOUNT_MAX,
  amountFromWire,
  amountToWire,
  partFromWire,
  priceFromWire,
  priceToWire,
  stakeFromWire,
  tickFromWire,
  tickToWire,
} from '../../../../src/betdex/wire/codec/decimals.ts';
import { idFromWire, idToWire } from '../../../../src/betdex/wire/codec/ids.ts';
import { faulty, read } from '../../../../src/codec/fault.ts';
import { instantFromWire, instantOrDateFromWire, instantToWire } from '../../../../src/codec/instants.ts';
import { decimalOfTick, TICK_COUNT, tick } from '../../../../src/core/number/ladder.ts';
import { instant, MONEY_SCALE, money, price } from '../../../../src/core/number/units.ts';

/** Converts through the text that is sent over the wire. */
const overTheWire = (value: number): unknown => JSON.parse(JSON.stringify(value));

describe('amounts', () => {
  test('every amount comes back as it went, to the millionth', () => {
    const most = AMOUNT_MAX * MONEY_SCALE;
    fc.assert(
      fc.property(fc.integer({ min: -most, max: most }), (micros) => {
        expect(amountFromWire(overTheWire(amountToWire(money(micros))))).toEqual(read(micros));
      }),
      { numRuns: 2000 },
    );
    // For the first number, the product with 10⁶ rounds to a neighbouring number.
    for (const micros of [4_383_318_860_542_027, -most, most, most - 1, 1, -1, 0]) {
      expect(amountFromWire(overTheWire(amountToWire(money(micros))))).toEqual(read(micros));
    }
  });

  test('beyond what a double can distinguish nothing is written and nothing is read', () => {
    expect(() => amountToWire(money(AMOUNT_MAX * MONEY_SCALE + 1))).toThrow('holds');
    for (const value of [1e308, -1e308, Number.NaN, Number.POSITIVE_INFINITY, AMOUNT_MAX + 0.01]) {
      expect(amountFromWire(value)).toEqual(faulty('BAD_AMOUNT'));
    }
    expect(amountFromWire('12')).toEqual(faulty('WRONG_TYPE'));
  });

  test('dust of floating sums is rounded to the millionth, and minus zero is zero', () => {
    expect(amountFromWire(0.1 + 0.2)).toEqual(read(300_000));
    expect(amountFromWire(-0)).toEqual(read(0));
  });

  test('the parts of a stake are never negative', () => {
    expect(partFromWire(0)).toEqual(read(0));
    expect(partFromWire(-0.001)).toEqual(faulty('BAD_AMOUNT'));
  });
});

describe('stakes of new orders', () => {
  test('every stake of at most three decimals is read exactly as it is spelt', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: AMOUNT_MAX * 1000 }), (thousandths) => {
        const text = `${Math.floor(thousandths / 1000)}.${String(thousandths % 1000).padStart(3, '0')}`;
        expect(stakeFromWire(JSON.parse(text))).toEqual(read(thousandths * 1000));
      }),
      { numRuns: 2000 },
    );
  });

  test('a fourth decimal is a fault, however large the stake', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1_000_000_000 }), fc.integer({ min: 1, max: 9 }), (thousandths, digit) => {
        const text = `${Math.floor(thousandths / 1000)}.${String(thousandths % 1000).padStart(3, '0')}${digit}`;
        expect(stakeFromWire(JSON.parse(text))).toEqual(faulty('BAD_STAKE'));
      }),
      { numRuns: 2000 },
    );
  });

  test.each([0, -0, -1, 1e308, 1e-9, Number.NaN, Number.POSITIVE_INFINITY, 0.1 + 0.2])('%s is no stake', (value) => {
    expect(stakeFromWire(value)).toEqual(faulty('BAD_STAKE'));
  });
});

describe('prices', () => {
  test('every tick of the ladder comes back as it went', () => {
    for (let at = 0; at < TICK_COUNT; at += 1)
      expect(tickFromWire(overTheWire(tickToWire(tick(at))))).toEqual(read(at));
  });

  test('a price near a ladder price is not that price', () => {
    for (let at = 0; at < TICK_COUNT; at += 1) {
      expect(tickFromWire(decimalOfTick(tick(at)) + 1e-9)).toEqual(faulty('OFF_LADDER'));
      expect(tickFromWire(decimalOfTick(tick(at)) + 0.001)).toEqual(faulty('OFF_LADDER'));
    }
    expect(tickFromWire(1010)).toEqual(faulty('OFF_LADDER'));
  });

  test.each([1, 0, -2.5, 1e308, -1e308, Number.NaN, Number.POSITIVE_INFINITY])('%s is no price at all', (value) => {
    expect(tickFromWire(value)).toEqual(faulty('BAD_PRICE'));
    expect(priceFromWire(value)).toEqual(faulty('BAD_PRICE'));
  });

  test('the price of a fill may lie between ladder prices', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1001, max: 1_000_000 }), (thousandths) => {
        expect(priceFromWire(overTheWire(priceToWire(price(thousandths))))).toEqual(read(thousandths));
      }),
    );
    expect(priceFromWire('2.5')).toEqual(faulty('WRONG_TYPE'));
  });
});

describe('instants', () => {
  test('every instant of four-digit years comes back as it went', () => {
    fc.assert(
      fc.property(fc.integer({ min: -62_167_219_200_000, max: 253_402_300_799_999 }), (ms) => {
        const text = instantToWire(instant(ms));
        expect(text).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
        expect(instantFromWire(text)).toEqual(read(ms));
      }),
      { numRuns: 2000 },
    );
    expect(() => instantToWire(instant(253_402_300_800_000))).toThrow('four-digit');
  });

  test.each([
    ['2026-03-24T14:45:01.000Z', 0],
    ['2026-03-24T14:45:01Z', 0],
    ['2026-03-24T14:45:01', 0],
    ['2026-03-24T14:45', -1000],
    ['2026-03-24T14:45:01.5Z', 500],
    ['2026-03-24T14:45:01.123456789Z', 123],
    ['2026-03-24T15:45:01+01:00', 0],
    ['2026-03-24T15:45:01.007+0100', 7],
    ['2026-03-24T09:15:01-05:30', 0],
    ['2026-03-25T00:45:01+10:00', 0],
  ])('%s is read', (text, ms) => {
    expect(instantFromWire(text)).toEqual(read(Date.UTC(2026, 2, 24, 14, 45, 1) + ms));
  });

  test.each([
    '2026-02-30T00:00:00Z',
    '2025-02-29T00:00:00Z',
    '2026-13-01T00:00:00Z',
    '2026-01-01T24:00:00Z',
    '2026-01-01T23:60:00Z',
    '2026-01-01T23:59:60Z',
    '2026-01-01T00:00:00+24:00',
    '2026-01-01T00:00:00+01:60',
    '2026-01-01T00:00:00+01',
    '2026-01-01 00:00:00Z',
    '2026-01-01',
    '0000-01-01T00:00:00+01:00',
    '9999-12-31T23:59:59-01:00',
    ' 2026-01-01T00:00:00Z',
    '2026-01-01T00:00:00.Z',
    '2026-01-01T00:00:00z',
    '',
    'now',
  ])('%s is a fault', (text) => {
    expect(instantFromWire(text)).toEqual(faulty('BAD_INSTANT'));
  });

  test('numbers are no date-times; a leap day is one; a date alone only where dates are meant', () => {
    expect(instantFromWire(0)).toEqual(faulty('BAD_INSTANT'));
    expect(instantFromWire('2024-02-29T00:00:00Z')).toEqual(read(Date.UTC(2024, 1, 29)));
    expect(instantOrDateFromWire('2024-02-29')).toEqual(read(Date.UTC(2024, 1, 29)));
    expect(instantOrDateFromWire('2024-02-29T01:00:00Z')).toEqual(read(Date.UTC(2024, 1, 29, 1)));
    expect(instantOrDateFromWire('2023-02-29')).toEqual(faulty('BAD_INSTANT'));
  });
});

describe('ids', () => {
  test('every whole number comes back as it went', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER }), (id) => {
        expect(idFromWire(idToWire(id))).toEqual(read(id));
      }),
    );
    expect(idFromWire(String(Number.MAX_SAFE_INTEGER))).toEqual(read(Number.MAX_SAFE_INTEGER));
  });

  test.each(['', '-1', '007', '1.0', '1e3', ' 1', '0x10', '9007199254740993', 'FOOTBALL', '١'])(
    '%s is no id',
    (text) => {
      expect(idFromWire(text)).toEqual(faulty('BAD_ID'));
    },
  );

  test('an id is never a JSON number, and only whole numbers are written', () => {
    expect(idFromWire(7)).toEqual(faulty('WRONG_TYPE'));
    expect(() => idToWire(1.5)).toThrow('whole number');
    expect(() => idToWire(-1)).toThrow('whole number');
  });
});
