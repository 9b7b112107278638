import fc from 'fast-check';
import { expect, test } from 'vitest';
import { editDistance, nearest } from '../../src/core/collections/nearest.ts';

test('finds slips of the finger and nothing far-fetched', () => {
  const known = ['limits', 'latency', 'strategies', 'seed', 'out'];
  expect(nearest('limts', known)).toBe('limits');
  expect(nearest('lmiits', known)).toBe('limits');
  expect(nearest('Strategie', known)).toBe('strategies');
  expect(nearest('sede', known)).toBe('seed');
  expect(nearest('wallets', known)).toBeUndefined();
  expect(nearest('xx', known)).toBeUndefined();
});

test('the distance is a distance', () => {
  const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 8 });
  fc.assert(
    fc.property(word, word, (a, b) => {
      const distance = editDistance(a, b);
      expect(distance).toBe(editDistance(b, a));
      expect(distance === 0).toBe(a === b);
      expect(distance).toBeLessThanOrEqual(Math.max(a.length, b.length));
      expect(distance).toBeGreaterThanOrEqual(Math.abs(a.length - b.length));
    }),
  );
  expect([editDistance('ab', 'ba'), editDistance('kitten', 'sitting'), editDistance('', 'abc')]).toEqual([1, 3, 3]);
});
