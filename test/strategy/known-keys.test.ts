/** What `KnownKeys` remembers of earlier objects changes no answer. */

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { KnownKeys } from '../../src/strategy/decision/known-keys.ts';

const KNOWN = ['kind', 'order', 'price', 'stake'];

test('finds the first own key that is not known, whatever the objects before it had', () => {
  const inherited = fc.constantFrom({}, { stray: 1 }, { price: 1 });
  const keys = fc.uniqueArray(fc.constantFrom(...KNOWN, 'prise', 'stray', '0'), { maxLength: 6 });
  fc.assert(
    fc.property(fc.array(fc.tuple(keys, inherited), { maxLength: 30 }), (objects) => {
      const known = new KnownKeys(...KNOWN);
      for (const [own, prototype] of objects) {
        const written = Object.assign(Object.create(prototype), Object.fromEntries(own.map((key) => [key, 1])));
        expect(known.unknownKey(written)).toBe(Object.keys(written).find((key) => !KNOWN.includes(key)));
      }
    }),
  );
});
