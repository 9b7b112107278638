/** BCa intervals by event group: beside scipy, how often they hold the truth, and what they refuse to say. */

import { expect, test } from 'vitest';
import { Random } from '../../../src/core/number/random.ts';
import { bootstrapInterval, ratioInterval } from '../../../src/research/chance/bootstrap.ts';
import { answersOf } from '../../support/research/answers.ts';
import { known } from '../../support/research/known.ts';

const OPTIONS = { seed: 1, resamples: 2_000, level: 0.95 };
const ones = (count: number): readonly number[] => new Array<number>(count).fill(1);
const perEvent = (profits: readonly number[], options = OPTIONS) =>
  ratioInterval({ above: profits, below: ones(profits.length), ...options });

interface BcaAnswers {
  readonly cases: readonly {
    readonly name: string;
    readonly values: readonly number[];
    readonly low: number;
    readonly high: number;
    readonly error: number;
    readonly weights: readonly number[];
    readonly ratioLow: number;
    readonly ratioHigh: number;
  }[];
}

test.each(answersOf<BcaAnswers>('bca').cases)('$name: the interval is that of scipy', (each) => {
  const options = { ...OPTIONS, resamples: 40_000 };
  const interval = known(perEvent(each.values, options));
  // Ends by 40,000 and 100,000 draws differ by some hundredths of the standard error; bets at one price by one step.
  const near = 0.06 * each.error;
  expect(Math.abs(interval.standardError / each.error - 1)).toBeLessThan(0.02);
  expect(Math.abs(interval.low - each.low)).toBeLessThan(near);
  expect(Math.abs(interval.high - each.high)).toBeLessThan(near);
  const ratio = known(ratioInterval({ above: each.values, below: each.weights, ...options, level: 0.9 }));
  expect(Math.abs(ratio.low - each.ratioLow)).toBeLessThan(near);
  expect(Math.abs(ratio.high - each.ratioHigh)).toBeLessThan(near);
});

test('the same seed gives the same interval, another one nearly the same', () => {
  const profits = [3, -1, -1, 4, -1, 2, -1, -1, 5, -1, -1, 2];
  expect(perEvent(profits)).toEqual(perEvent(profits));
  const [a, b] = [known(perEvent(profits)), known(perEvent(profits, { ...OPTIONS, seed: 2 }))];
  expect(a.low).not.toBe(b.low);
  expect(Math.abs(a.low - b.low)).toBeLessThan(0.2 * a.standardError);
  expect(a.low).toBeLessThan(a.estimate);
  expect(a.high).toBeGreaterThan(a.estimate);
});

test('whole groups are drawn: bets that always win together give no narrower interval than one bet of their size', () => {
  const profits = [3, -1, -1, 4, -1, 2, -1, -1];
  const many = ratioInterval({ above: profits.map((each) => each * 10), below: profits.map(() => 10), ...OPTIONS });
  expect(known(many).low).toBeCloseTo(known(perEvent(profits)).low, 12);
});

test('the true value lies in nine of ten 90 % intervals, for skewed profits too', () => {
  const random = Random.fromSeed(20);
  let inside = 0;
  const repeats = 250;
  for (let each = 0; each < repeats; each += 1) {
    const profits = Array.from({ length: 60 }, () => (random.chance(0.25) ? 3.2 : -1));
    const { low, high } = known(perEvent(profits, { seed: each, resamples: 400, level: 0.9 }));
    if (low <= 0.05 && 0.05 <= high) inside += 1;
  }
  // The standard error of the share is 0.019.
  expect(inside / repeats).toBeGreaterThan(0.84);
  expect(inside / repeats).toBeLessThan(0.96);
});

test.each([
  ['no group', [], /^0 event groups: an interval needs at least 5\.$/],
  ['one group', [3], /^1 event group: an interval needs/],
  ['two groups', [3, -1], /^2 event groups: an interval needs/],
  ['groups that are all equal', [0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1], /no spread/],
  ['groups that are all zero', [0, 0, 0, 0, 0, 0], /no spread/],
])('%s: not known, with the reason', (_, profits, reason) => {
  expect(perEvent(profits)).toEqual({ kind: 'notKnown', reason: expect.stringMatching(reason) });
});

test('a statistic without a value, or with one in too few resamples, is not known', () => {
  const profits = [1, -1, 2, -1, 0, 3];
  const none = ratioInterval({ above: profits, below: profits.map(() => 0), ...OPTIONS });
  expect(none).toMatchObject({ kind: 'notKnown', reason: expect.stringMatching(/divided by is 0/) });
  const one = ratioInterval({ above: profits, below: [0, 0, 2, 0, 0, 0], ...OPTIONS });
  expect(one).toMatchObject({ kind: 'notKnown', reason: expect.stringMatching(/One event group alone/) });
  const two = ratioInterval({ above: [...profits, 1, 4, -2, 1], below: [0, 0, 2, 0, 0, 1, 0, 0, 0, 0], ...OPTIONS });
  expect(two).toMatchObject({ kind: 'notKnown', reason: expect.stringMatching(/many resamples have none/) });
});

test('no input gives NaN', () => {
  const random = Random.fromSeed(3);
  for (let each = 0; each < 300; each += 1) {
    const groups = random.below(9);
    const draw = () => (random.chance(0.6) ? 0 : random.below(3) - 1);
    const columns = [Array.from({ length: groups }, draw), Array.from({ length: groups }, () => Math.abs(draw()))];
    const statistic = (sums: ArrayLike<number>) => (sums[1] === 0 ? undefined : (sums[0] ?? 0) / (sums[1] ?? 1));
    const interval = bootstrapInterval({ columns, statistic, seed: each, resamples: 100, level: 0.9 });
    if (interval.kind === 'notKnown') expect(interval.reason).toMatch(/^[A-Z0-9].*\.$/);
    else
      for (const end of [interval.low, interval.high, interval.standardError]) expect(end).toEqual(expect.any(Number));
    if (interval.kind === 'interval') expect(Number.isFinite(interval.low + interval.high)).toBe(true);
  }
});
