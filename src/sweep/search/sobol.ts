/** Points of Sobol's sequence: they fill a space more evenly than random ones. */

import { assert, defined } from '../../core/checks/assert.ts';
import { Random } from '../../core/number/random.ts';
import { coordinateAt } from '../space/dimension.ts';
import type { Space } from '../space/space.ts';
import type { PointSource } from './proposals.ts';
import { DIRECTIONS } from './sobol-directions.ts';

/** The first one has no row in the table. */
export const SOBOL_DIMENSIONS = DIRECTIONS.length + 1;

const BITS = 32;

/**
 * Points in the Gray code order of Antonov and Saleev (1979), from the point of all zeros on. `shiftSeed` shifts each
 * dimension by a random word, bit by bit (a digital shift: the evenness stays); undefined: the published points.
 */
export function sobolPoints(space: Space, shiftSeed: number | undefined): PointSource {
  const { dimensions } = space;
  assert(dimensions.length <= SOBOL_DIMENSIONS, 'the number of keys is checked when the search is read');
  const random = Random.fromSeed(shiftSeed ?? 0);
  const shifts = dimensions.map(() => (shiftSeed === undefined ? 0 : random.uint32()));
  const directions = dimensions.map((_, dimension) => directionWords(dimension));
  const words = new Uint32Array(dimensions.length);
  let at = 0;
  return () => {
    if (at > 0) {
      const bit = trailingZeros(at);
      for (const [dimension, word] of words.entries()) words[dimension] = word ^ (directions[dimension]?.[bit] ?? 0);
    }
    at += 1;
    // All points of 32 bits have been.
    if (at > 2 ** BITS) return undefined;
    return dimensions.map((each, dimension) =>
      coordinateAt(each, (((words[dimension] ?? 0) ^ (shifts[dimension] ?? 0)) >>> 0) / 2 ** BITS),
    );
  };
}

function trailingZeros(number: number): number {
  return BITS - 1 - Math.clz32(number & -number);
}

/** The words that change a coordinate, for each bit of the point's number; Joe and Kuo (2003), section 2. */
function directionWords(dimension: number): Uint32Array {
  const words = new Uint32Array(BITS);
  if (dimension === 0) return words.map((_, bit) => 2 ** (BITS - 1 - bit));
  const { degree, polynomial, first } = defined(DIRECTIONS[dimension - 1], 'the table has a row for the dimension');
  for (let bit = 0; bit < BITS; bit += 1) {
    if (bit < degree) {
      words[bit] = (first[bit] ?? 0) << (BITS - 1 - bit);
      continue;
    }
    const back = words[bit - degree] ?? 0;
    let word = back ^ (back >>> degree);
    for (let term = 1; term < degree; term += 1) {
      if (((polynomial >> (degree - 1 - term)) & 1) === 1) word ^= words[bit - term] ?? 0;
    }
    words[bit] = word;
  }
  return words;
}
