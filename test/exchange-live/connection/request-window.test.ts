/** The limit on requests within any period. */

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { RequestWindow } from '../../../src/exchange-live/connection/request-window.ts';

const SPAN = 1_000;
const MAX = 20;

test('no stretch of time ever holds more than the limit, and all the room there is can be used', () => {
  const steps = fc.array(fc.tuple(fc.nat({ max: 400 }), fc.nat({ max: 30 })), { maxLength: 80 });
  fc.assert(
    fc.property(steps, (moves) => {
      const window = new RequestWindow({ max: MAX, spanMs: SPAN });
      const made: { at: number; count: number }[] = [];
      let now = 5_000;
      for (const [wait, wish] of moves) {
        now += wait;
        const inSpan = made.filter(({ at }) => at > now - SPAN).reduce((sum, { count }) => sum + count, 0);
        expect(window.room(now)).toBe(MAX - inSpan);
        const count = Math.min(wish, window.room(now));
        if (count > 0) window.take(now, count);
        if (count > 0) made.push({ at: now, count });
      }
    }),
  );
});

test('it opens again when the oldest requests have left the stretch', () => {
  const window = new RequestWindow({ max: MAX, spanMs: SPAN });
  expect(window.openAt(0)).toBe(0);
  window.take(0, 5);
  window.take(300, 15);
  expect(window.openAt(300)).toBe(1_000);
  expect(window.room(999)).toBe(0);
  expect(window.room(1_000)).toBe(5);
  expect(window.openAt(1_000)).toBe(1_000);
  window.take(1_000, 5);
  expect(window.openAt(1_000)).toBe(1_300);
});

test('taking more than there is room for is a bug', () => {
  const window = new RequestWindow({ max: MAX, spanMs: SPAN });
  expect(() => window.take(0, MAX + 1)).toThrow(/room/);
});
