/** How many outcomes of a recorded market may win. */

import { expect, it } from 'vitest';
import { winnersOfCount } from '../../src/core/market.ts';

it.each([
  ['one winner', 1, { min: 1, max: 1 }],
  ['three places, of which fewer may be filled', 3, { min: 1, max: 3 }],
  ['a count of 0, which says that it is not known: none to all', 0, { min: 0, max: 8 }],
])('%s', (_what, count, range) => {
  expect(winnersOfCount(count, 8)).toEqual(range);
});
