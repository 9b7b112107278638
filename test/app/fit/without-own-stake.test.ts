/** A live run's tape without the run's own stake: what its levels hold then. */

import { describe, expect, test } from 'vitest';
import type { PlacedOrder } from '../../../src/app/parity/fit/own-levels.ts';
import { WithoutOwnStake } from '../../../src/app/parity/fit/without-own-stake.ts';
import type { UpdateSource } from '../../../src/backtest/simulation/backtest-source.ts';
import { defined } from '../../../src/core/checks/assert.ts';
import { tickOfDecimal } from '../../../src/core/number/ladder.ts';
import { RecordedBook } from '../../../src/simulator/overlay/recorded-book.ts';
import { type MadeOrder, madeOrder } from '../../support/fit/made-order.ts';
import { Script, START, type Step } from '../../support/scripted-run.ts';

const TICK = defined(tickOfDecimal(2), '2.0 is on the ladder');

/** For stake at 2.0, times in ms after the start. */
function holds(units: number): Step {
  return { level: [0, 'For', 2, units] };
}

function placed({ from = 0, fills = [], voidedAt, ...made }: MadeOrder): PlacedOrder {
  const order = madeOrder({
    ...{ ...made, from: START + from, fills: fills.map(([at, matched]) => [START + at, matched]) },
    ...(voidedAt === undefined ? {} : { voidedAt: START + voidedAt }),
    terms: { tick: TICK },
  });
  return { order, market: 0, outcome: 0 };
}

/** Units of the recorded participants at 2.0 after each update. */
function levels(source: UpdateSource): readonly number[] {
  const book = new RecordedBook(2);
  const seen: number[] = [];
  for (let update = source.next(); update !== undefined; update = source.next()) {
    update.recordInto(book);
    seen.push(book.amountAt(0, 0, TICK) / 1e6);
  }
  return seen;
}

function script(...updates: readonly (readonly [at: number, ...steps: Step[]])[]): UpdateSource {
  const made = new Script();
  const market = made.market();
  for (const [at, ...steps] of updates) market.at(at, ...steps);
  return made.source();
}

describe('the stake of the recorded participants', () => {
  test('is what was recorded less what is ours', () => {
    const source = script([100, holds(50)], [300, holds(60)], [500, holds(62)], [700, holds(52)]);
    const alone = new WithoutOwnStake(source, [placed({ from: 200, voidedAt: 600 })]);
    expect(levels(alone)).toEqual([0, 50, 50, 52, 52]);
  });

  test('holds all of a level until that has changed: the reading was under way', () => {
    const source = script([100, holds(50)], [210, { last: [0, 2] }], [300, holds(60)]);
    expect(levels(new WithoutOwnStake(source, [placed({ from: 200 })]))).toEqual([0, 50, 50, 50]);
  });

  test('is given anew when ours leaves, though the recorded level stays the same', () => {
    const source = script([100, holds(50)], [300, holds(60)], [500, { last: [0, 2] }]);
    expect(levels(new WithoutOwnStake(source, [placed({ from: 200, voidedAt: 400 })]))).toEqual([0, 50, 50, 60]);
  });

  test('is what is left where our fill was recorded before it was reported', () => {
    const source = script([100, holds(50)], [300, holds(60)], [400, { trade: [0, 2, 56] }, holds(4)], [600, holds(7)]);
    const alone = new WithoutOwnStake(source, [
      placed({
        from: 200,
        fills: [
          [500, 6],
          [9_000, 10],
        ],
      }),
    ]);
    expect(levels(alone)).toEqual([0, 50, 50, 0, 3]);
  });

  test('other levels, markets and events are as they were', () => {
    const updates = [
      [100, { level: [1, 'For', 2, 30] }],
      [300, { trade: [0, 3, 5] }, { last: [0, 3] }],
    ] as const;
    const alone = new WithoutOwnStake(script(...updates), [placed({ from: 50 })]);
    const plain = script(...updates);
    for (let update = plain.next(); update !== undefined; update = plain.next()) {
      const { count, kind, tick, amount, publishedAt } = update.columns();
      const same = defined(alone.next(), 'as many updates').columns();
      expect({ count: same.count, at: same.publishedAt }).toEqual({ count, at: publishedAt });
      for (const column of ['kind', 'tick', 'amount'] as const)
        expect([...same[column].subarray(0, count)]).toEqual([...{ kind, tick, amount }[column].subarray(0, count)]);
    }
  });
});

describe('an order that the prices never showed', () => {
  function neverShown(source: UpdateSource, order: PlacedOrder): boolean {
    const alone = new WithoutOwnStake(source, [order]);
    levels(alone);
    return alone.neverShown().length > 0;
  }

  test('is found where several readings hold less than its stake', () => {
    expect(neverShown(script([100, holds(5)], [300, holds(6)], [500, holds(7)]), placed({ from: 200 }))).toBe(true);
  });

  test('is none where the first reading alone does, or where it is filled before the next', () => {
    expect(neverShown(script([300, holds(6)], [500, holds(16)]), placed({ from: 200 }))).toBe(false);
    const filled = placed({ from: 200, fills: [[400, 10]] });
    expect(neverShown(script([250, holds(6)], [350, holds(3)], [500, holds(3)]), filled)).toBe(false);
  });
});
