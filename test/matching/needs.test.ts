/** The fast measure of a position with one winner gives what the plain one gives, wherever it gives a result. */

import { expect, it } from 'vitest';
import { createExposureColumns, measureNeeds, type Needs } from '../../src/core/exposure.ts';
import type { Money } from '../../src/core/number/units.ts';
import { measureOneWinner } from '../../src/matching/records/needs.ts';
import { Random } from '../support/random.ts';

const BASE = 2;
const ROOM = 8;

function nothing(): Needs {
  return { required: 0 as Money, matched: 0 as Money };
}

/** The cells of one position among those of others, each with stakes below a maximum. */
function drawn(random: Random, outcomes: number, most: number) {
  const columns = createExposureColumns(ROOM);
  const removed = new Uint8Array(ROOM);
  for (let cell = 0; cell < ROOM; cell += 1) {
    columns.win[cell] = random.between(-most, most);
    columns.lose[cell] = random.between(-most, most);
    columns.unmatchedWin[cell] = random.between(0, most);
    columns.unmatchedLose[cell] = random.between(0, most);
  }
  const shape = { firstSlot: BASE, outcomes, winners: { min: 1, max: 1 }, removed };
  return { columns, removed, shape };
}

it('agrees with the plain measure wherever it vouches, whatever the sizes', () => {
  const random = new Random(7);
  let vouched = 0;
  for (let i = 0; i < 5_000; i += 1) {
    const outcomes = random.between(1, 6);
    const { columns, removed, shape } = drawn(random, outcomes, 10 ** random.between(0, 15));
    const own = nothing();
    const plain = nothing();
    measureNeeds(columns, shape, plain);
    if (!measureOneWinner(columns, removed, BASE, outcomes, own)) continue;
    vouched += 1;
    expect(own).toEqual(plain);
  }
  expect(vouched).toBeGreaterThan(4_000);
});

it('leaves a removed outcome, and what sums could round, to the plain measure', () => {
  const { columns, removed } = drawn(new Random(1), 3, 1_000);
  expect(measureOneWinner(columns, removed, BASE, 3, nothing())).toBe(true);
  removed[BASE + 2] = 1;
  expect(measureOneWinner(columns, removed, BASE, 3, nothing())).toBe(false);
  removed[BASE + 2] = 0;
  columns.unmatchedLose[BASE + 1] = 2 ** 52;
  expect(measureOneWinner(columns, removed, BASE, 3, nothing())).toBe(false);
});
