/** Moving averages, ranges and traded volume over windows of time, beside what their definitions give. */

import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import {
  exponentialAverage,
  type OutcomeView,
  rangeOver,
  simpleAverage,
  tradedOver,
  volumeWeightedPrice,
} from '../../src/index.ts';
import { createFixedMarket, type LevelTable } from '../../src/strategy/testing/fixed-market.ts';
import { type Added, slowAverage, slowExponential, slowRange } from '../support/naive-indicators.ts';
import { gatedView } from '../support/strategy-view.ts';

const START = 1_800_000_000_000;

/** Steps of time with the value from then on; some repeat a value, some have none, and some clocks are set back. */
const steps = fc
  .array(
    fc.record({
      step: fc.oneof(fc.nat(3), fc.nat(5_000), fc.nat(100_000), fc.constant(-50)),
      value: fc.oneof(
        fc.integer({ min: 1_01, max: 10_00 }).map((cents) => cents / 100),
        fc.constantFrom(2, undefined),
      ),
    }),
    { maxLength: 300 },
  )
  .map((all) => {
    let now = START;
    return all.map(({ step, value }): Added => {
      now += step;
      return { now, value };
    });
  });

const windows = fc.integer({ min: 1, max: 60_000 });

/** After each step the fast one says what the slow one says of all steps until then. */
function sameAs<T>(
  make: (window: number) => { add(now: number, value: number | undefined): T; readonly value: T },
  slow: (added: readonly Added[], window: number) => T,
  expectSame: (fast: T, slow: T) => void,
): void {
  fc.assert(
    fc.property(steps, windows, (added, window) => {
      const fast = make(window);
      for (const [at, { now, value }] of added.entries()) {
        const given = fast.add(now, value);
        expectSame(given, slow(added.slice(0, at + 1), window));
        expect(fast.value).toBe(given);
      }
    }),
    { numRuns: 40 },
  );
}

const close = (fast: number | undefined, slow: number | undefined): void => {
  if (slow === undefined) expect(fast).toBeUndefined();
  else expect(fast).toBeCloseTo(slow, 6);
};

describe('over a window', () => {
  it('the simple average is that of all moments in it', () => sameAs(simpleAverage, slowAverage, close));
  it('the exponential average forgets by half-lives', () => sameAs(exponentialAverage, slowExponential, close));
  it('the range is that of all values that held in it', () =>
    sameAs(rangeOver, slowRange, (fast, slow) => expect(fast).toEqual(slow)));

  it('a price that stood long counts for long', () => {
    const average = simpleAverage('10s');
    average.add(START, 2);
    average.add(START + 9_000, 3);
    expect(average.add(START + 10_000, undefined)).toBeCloseTo(2.1, 12);
    expect(average.isFull).toBe(true);
    expect(average.add(START + 19_000, undefined)).toBe(3);
  });

  it('is full once it was watched through', () => {
    for (const made of [simpleAverage('1m'), rangeOver('1m'), exponentialAverage('15s')]) {
      made.add(START, 2);
      made.add(START + 59_999, 2);
      expect(made.isFull).toBe(false);
      made.add(START + 60_000, undefined);
      expect(made.isFull).toBe(true);
    }
  });

  test.each<[window: string | number]>([[0], ['25h'], ['soon'], [Number.NaN]])('cannot last %s', (window) => {
    for (const make of [simpleAverage, exponentialAverage, rangeOver, tradedOver])
      expect(() => make(window)).toThrow(RangeError);
  });

  it('stays small however long it is fed', () => {
    const [average, range] = [simpleAverage('1s'), rangeOver('1s')];
    setFlagsFromString('--expose-gc');
    const collect: () => void = runInNewContext('gc');
    const heap = () => {
      collect();
      return process.memoryUsage().heapUsed;
    };
    const before = heap();
    for (let i = 0; i < 300_000; i += 1) {
      average.add(START + 100 * i, 2 + (i % 7) / 100);
      range.add(START + 100 * i, 2 + (i % 7) / 100);
    }
    expect(heap() - before).toBeLessThan(1e6);
    expect(average.value).toBeCloseTo(2.03, 1);
  });

  it('cannot be changed but by its own methods', () => {
    for (const made of [simpleAverage('1s'), exponentialAverage('1s'), rangeOver('1s'), tradedOver('1s')]) {
      expect(Object.isFrozen(made)).toBe(true);
      expect(Object.isFrozen(Object.getPrototypeOf(made))).toBe(true);
      expect('constructor' in made).toBe(false);
    }
  });
});

function outcomeWith(tradedLevels: LevelTable): OutcomeView {
  const { view, open } = gatedView(createFixedMarket({ outcomes: [{ id: 'a', tradedLevels }] }));
  open();
  return view.outcome('a') ?? expect.fail('it is there');
}

describe('traded volume', () => {
  const ladder = [
    [2, 100],
    [2.5, 300],
  ] as const;

  it('weights prices by stake', () => {
    expect(volumeWeightedPrice(outcomeWith(ladder))).toBeCloseTo(2.375, 12);
    expect(volumeWeightedPrice(outcomeWith([]))).toBeUndefined();
  });

  it('counts within a window what was traded since it began', () => {
    const traded = tradedOver('1m');
    expect(traded.add(START, outcomeWith(ladder))).toEqual({ stake: 0, price: undefined });
    const more = [...ladder, [3, 50]] as const;
    expect(traded.add(START + 10_000, outcomeWith(more))).toEqual({ stake: 50, price: 3 });
    const most = [...more, [2.02, 150]] as const;
    const both = traded.add(START + 50_000, outcomeWith(most));
    expect(both.stake).toBe(200);
    expect(both.price).toBeCloseTo((50 * 3 + 150 * 2.02) / 200, 9);
    // The first trade leaves the window a minute after it.
    expect(traded.add(START + 69_999, outcomeWith(most)).stake).toBe(200);
    expect(traded.add(START + 70_000, outcomeWith(most)).stake).toBe(150);
    expect(traded.add(START + 110_000, outcomeWith(most))).toEqual({ stake: 0, price: undefined });
    expect(traded.isFull).toBe(true);
  });

  it('begins anew where a source does', () => {
    const traded = tradedOver('1m');
    traded.add(START, outcomeWith(ladder));
    expect(traded.add(START + 1_000, outcomeWith([[2, 5]]))).toEqual({ stake: 0, price: undefined });
    expect(traded.add(START + 2_000, outcomeWith([[2, 8]]))).toEqual({ stake: 3, price: 2 });
  });
});
