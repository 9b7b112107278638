/** The difference of filled shares over the time at rest, on curves that can be added up by hand. */

import { describe, expect, test } from 'vitest';
import { fillError } from '../../../src/app/parity/fit/fill-error.ts';
import { type MadeOrder, madeOrder, units } from '../../support/fit/made-order.ts';

/** An order of 10 that came to rest at 0; times in ms, stakes in units. */
function errorOf(run: MadeOrder, model: readonly (readonly [at: number, units: number])[], to = 100) {
  const fills = model.map(([at, stake]) => ({ at, stake: units(stake) }));
  return fillError({ order: madeOrder(run), from: 0, to }, fills);
}

describe('the error', () => {
  test('is nothing for the same fills at the same times', () => {
    expect(
      errorOf(
        {
          fills: [
            [20, 4],
            [50, 10],
          ],
        },
        [
          [20, 4],
          [50, 6],
        ],
      ),
    ).toEqual({ error: 0, filled: units(10) });
  });

  test('is the share of the time for one that fills all too early, or too late', () => {
    const filled: MadeOrder = { fills: [[50, 10]] };
    expect(errorOf(filled, [[20, 10]]).error).toBeCloseTo(0.3, 12);
    expect(errorOf(filled, [[80, 10]]).error).toBeCloseTo(0.3, 12);
  });

  test('is half for one that never fills what was filled at half of the time, or fills it at once', () => {
    const filled: MadeOrder = { fills: [[50, 10]] };
    expect(errorOf(filled, []).error).toBeCloseTo(0.5, 12);
    expect(errorOf(filled, [[0, 10]]).error).toBeCloseTo(0.5, 12);
  });

  test('counts parts by their share', () => {
    // From 20 to 50 the model has 3 of 10 too much, from 50 on 1 too little.
    expect(errorOf({ fills: [[50, 4]] }, [[20, 3]]).error).toBeCloseTo(0.3 * 0.3 + 0.5 * 0.1, 12);
  });

  test('counts nothing that comes after the end', () => {
    expect(errorOf({ fills: [] }, [[100, 10]])).toEqual({ error: 0, filled: units(10) });
    expect(errorOf({ fills: [] }, [[101, 10]])).toEqual({ error: 0, filled: 0 });
  });

  test('is of what rested alone, where the order took some as it came', () => {
    const taker: MadeOrder = { fills: [[50, 10]], taken: 6 };
    const model = [
      [0, 6],
      [20, 4],
    ] as const;
    expect(errorOf(taker, model).error).toBeCloseTo(0.3, 12);
  });
});
