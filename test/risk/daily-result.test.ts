/** The settled loss of a UTC day. */

import { describe, expect, it } from 'vitest';
import { instant } from '../../src/core/units.ts';
import { DailyResult } from '../../src/risk/daily-result.ts';
import { units } from './desk.ts';

const on = (day: number, hour: number): ReturnType<typeof instant> => instant(Date.UTC(2026, 2, day, hour));

describe('the result of a day', () => {
  it('is no loss before anything has settled, nor on a day in profit', () => {
    const daily = new DailyResult();
    expect(daily.loss(on(24, 12))).toBe(0);
    daily.record(units(5), on(24, 12));
    expect(daily.loss(on(24, 13))).toBe(0);
  });

  it('sums losses and profits of the same day', () => {
    const daily = new DailyResult();
    daily.record(units(-30), on(24, 0));
    daily.record(units(10), on(24, 23));
    expect(daily.loss(on(24, 23))).toBe(units(20));
  });

  it('starts anew each day, with nothing carried over', () => {
    const daily = new DailyResult();
    daily.record(units(-30), on(24, 23));
    expect(daily.loss(on(25, 0))).toBe(0);
    daily.record(units(-1), on(25, 1));
    expect(daily.loss(on(25, 1))).toBe(units(1));
  });
});
