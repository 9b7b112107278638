/** A part of a recording is the same book at an instant, whichever way it was reached. */

import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ViewEvent, ViewPart } from '../../../src/pages/view-data.ts';
import { bestOf, type OutcomeBook, PartReel } from '../../../src/web/view/play/book.ts';
import { ladderOfPart, textOf } from '../../support/view/naive-ladders.ts';

const OUTCOMES = 2;
const price = fc.constantFrom(1.01, 1.5, 2, 2.02, 3.05, 1000, 2.345);
const stake = fc.integer({ min: 0, max: 5 }).map((n) => n * 0.1);
const level = fc.uniqueArray(fc.tuple(price, fc.constantFrom(0.1, 0.3, 12.34)), { selector: ([at]) => at });
const event = fc
  .tuple(fc.constantFrom('for', 'against', 'trade', 'last'), fc.nat({ max: OUTCOMES - 1 }), price, stake)
  .map(([kind, outcome, at, size]): ViewEvent => [kind, outcome, at, kind === 'trade' ? size + 0.1 : size]);
const part: fc.Arbitrary<ViewPart> = fc.record({
  part: fc.constant(0),
  book: fc.record({
    outcomes: fc.array(
      fc.record({ for: level, against: level, traded: level, last: fc.option(price, { nil: undefined }) }),
      { minLength: OUTCOMES, maxLength: OUTCOMES },
    ),
  }),
  updates: fc
    .tuple(
      fc.uniqueArray(fc.integer({ min: 1, max: 60 }), { maxLength: 30 }),
      fc.array(fc.array(event, { maxLength: 6 }), { minLength: 30, maxLength: 30 }),
    )
    .map(([times, events]) =>
      times.toSorted((a, b) => a - b).map((at, index) => ({ at, events: events[index] ?? [] })),
    ),
});

/** As text, stakes in millionths, as the naive ladders are. */
function text(outcomes: readonly OutcomeBook[]): string {
  const millionths = (levels: ReadonlyMap<number, number>) =>
    new Map([...levels].map(([at, size]) => [at, Math.round(size * 1e6)]));
  return textOf(
    outcomes.map((book) => ({
      for: millionths(book.for),
      against: millionths(book.against),
      traded: millionths(book.traded),
      last: book.last,
    })),
  );
}

test('forward, backward and by leaps it is the book that the obvious fold makes', () => {
  fc.assert(
    fc.property(part, fc.array(fc.integer({ min: 0, max: 61 }), { maxLength: 25 }), (recorded, leaps) => {
      const reel = new PartReel(recorded);
      const there = Array.from({ length: 62 }, (_, at) => at);
      for (const at of [...there, ...there.toReversed(), ...leaps]) {
        reel.seek(at);
        expect(text(reel.outcomes)).toBe(ladderOfPart(recorded, at));
        for (const { traded, tradedSum } of reel.outcomes)
          expect(tradedSum).toBeCloseTo(
            [...traded.values()].reduce((sum, each) => sum + each, 0),
            6,
          );
      }
    }),
    { numRuns: 60 },
  );
});

test('what the last update changed is named, and what it left as it was is not', () => {
  const reel = new PartReel({
    part: 3,
    book: { outcomes: [{ for: [[2.1, 5]], against: [], traded: [], last: undefined }] },
    updates: [
      {
        at: 10,
        events: [
          ['for', 0, 2.1, 5],
          ['against', 0, 2, 7],
          ['trade', 0, 2.1, 1],
          ['last', 0, 2.1, 0],
        ],
      },
      { at: 20, events: [['against', 0, 2, 0]] },
    ],
  });
  reel.seek(10);
  expect(reel.changes()).toEqual([
    { kind: 'against', outcome: 0, price: 2000 },
    { kind: 'trade', outcome: 0, price: 2100 },
    { kind: 'last', outcome: 0, price: 2100 },
  ]);
  reel.seek(25);
  expect(reel.changes()).toEqual([{ kind: 'against', outcome: 0, price: 2000 }]);
  reel.seek(5);
  expect(reel.changes()).toEqual([]);
  expect(reel.applied).toBe(0);
});

test('the best price is the lowest that can be laid and the highest that can be backed', () => {
  const reel = new PartReel({
    part: 0,
    book: {
      outcomes: [
        {
          for: [
            [2.1, 5],
            [2.2, 1],
          ],
          against: [
            [2, 7],
            [1.9, 3],
          ],
          traded: [],
          last: 2,
        },
      ],
    },
    updates: [],
  });
  const [outcome] = reel.outcomes;
  expect(outcome && [bestOf(outcome, 'for'), bestOf(outcome, 'against')]).toEqual([2100, 2000]);
});

test('a part of 1,000 updates is folded from end to end in a frame', () => {
  const updates = Array.from({ length: 1000 }, (_, at) => ({
    at,
    events: Array.from(
      { length: 12 },
      (_, n): ViewEvent => ['for', n % 8, 2 + ((at * 7 + n) % 90) / 100, (at + n) % 5],
    ),
  }));
  const empty = { for: [], against: [], traded: [], last: undefined };
  const reel = new PartReel({ part: 0, book: { outcomes: Array.from({ length: 8 }, () => empty) }, updates });
  const times: number[] = [];
  for (let round = 0; round < 20; round += 1) {
    const before = performance.now();
    reel.seek(round % 2 === 0 ? -1 : 1000);
    times.push(performance.now() - before);
  }
  expect(Math.min(...times)).toBeLessThan(8);
});
