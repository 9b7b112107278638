/** The plateau score of trials whose neighbours are given. */

import { expect, test } from 'vitest';
import { plateauOf } from '../../../src/research/search/plateau.ts';

test.each([
  ['all near', [10, 9.5, 10.9], 1],
  ['half of them', [9.1, 8.9], 0.5],
  ['a much better one is as far as a much worse one', [12, 8], 0],
  ['one within exactly one standard error', [9], 1],
  ['one without a value is not near', [10, undefined], 0.5],
] as const)('%s', (_, neighbours, score) => {
  expect(plateauOf({ value: 10, standardError: 1, neighbours })).toMatchObject({ kind: 'plateau', score });
});

test('without neighbours, or a standard error, it is not known', () => {
  expect(plateauOf({ value: 1, standardError: 1, neighbours: [] })).toMatchObject({ kind: 'notKnown' });
  for (const standardError of [0, Number.NaN, Infinity]) {
    expect(plateauOf({ value: 1, standardError, neighbours: [1] })).toMatchObject({ kind: 'notKnown' });
  }
});
