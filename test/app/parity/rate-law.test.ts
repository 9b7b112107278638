/** Over seeds: differences that come of times alone are all explained, and a limit that counts wrongly is not. */

import { expect, test } from 'vitest';
import type { ParityDifference } from '../../../src/result/parity.ts';
import { comparedSides } from '../../support/paper/made-sides.ts';
import { rateSides } from '../../support/paper/rate-sides.ts';

const SEEDS = Array.from({ length: 40 }, (_, seed) => seed + 1);

function differencesOf(seed: number, wrongBy: number): readonly ParityDifference[] {
  const limit = 2 + (seed % 5);
  const sides = rateSides({ seed, markets: 3 + (seed % 7), limit, readings: 60, wrongBy });
  const { differences } = comparedSides(...sides);
  return differences.filter(({ follows }) => follows === undefined);
}

function unexplained(seed: number, wrongBy: number): readonly ParityDifference[] {
  return differencesOf(seed, wrongBy).filter(({ cause }) => cause === 'unexplained');
}

test('no refusal is unexplained where the two sides differ by the times of their readings and answers', () => {
  const found = SEEDS.flatMap((seed) => unexplained(seed, 0).map((difference) => ({ seed, difference })));
  expect(found).toEqual([]);
  const causes = SEEDS.flatMap((seed) => differencesOf(seed, 0));
  const ofRates = causes.filter(({ details }) => details.startsWith('LIMIT_RATE'));
  expect(ofRates.filter(({ step }) => step === 'order').length, 'the order is first').toBeGreaterThan(10);
  expect(ofRates.filter(({ step }) => step === 'refusal').length, 'the refusal is first').toBeGreaterThan(10);
  expect(new Set(ofRates.map(({ cause }) => cause))).toEqual(new Set(['latency']));
});

test('a replay that counts one order too many is found out with each of the seeds', () => {
  expect(SEEDS.filter((seed) => unexplained(seed, 1).length === 0)).toEqual([]);
});

test('and so is one that counts one too few', () => {
  expect(SEEDS.filter((seed) => unexplained(seed, -1).length === 0)).toEqual([]);
});
