/** The tree-structured Parzen estimator: it finds more than chance does, and its sequence depends on scores alone. */

import { describe, expect, test } from 'vitest';
import { Random } from '../../../src/core/number/random.ts';
import { newSearch } from '../../../src/sweep/search/new-search.ts';
import { decayed, normalBelow } from '../../../src/sweep/search/parzen.ts';
import type { Trial } from '../../../src/sweep/search/search.ts';
import { BRANIN, HARTMANN_6, type Landscape, numbersOf, played } from '../../support/sweep/optimum.ts';
import { spaceOf, sweepText } from '../../support/sweep/sweep-text.ts';

const GROUND = { events: 1, test: () => 1 };

function regret({ space, valueAt, least }: Landscape, method: 'tpe' | 'random', seed: number): number {
  const search = newSearch(space, { method, trials: 200, seed }, GROUND);
  const { scores } = played(search, ({ assignment }) => -valueAt(numbersOf(assignment, space.dimensions)));
  return -Math.max(...[...scores.values()].map(({ value }) => value ?? Number.NEGATIVE_INFINITY)) - least;
}

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

/** How likely so many heads or more of so many fair coins are. */
function signTest(wins: number, of: number): number {
  let sum = 0;
  let ways = 1;
  for (let heads = 0; heads <= of; heads += 1) {
    if (heads >= wins) sum += ways;
    ways = (ways * (of - heads)) / (heads + 1);
  }
  return sum / 2 ** of;
}

describe.each([
  { name: 'Branin', landscape: BRANIN, seeds: 21, most: 0.06 },
  { name: 'Hartmann in six dimensions', landscape: HARTMANN_6, seeds: 9, most: 0.35 },
])('on $name', ({ landscape, seeds, most }) => {
  test('200 trials find more than 200 random ones', () => {
    const pairs = Array.from({ length: seeds }, (_, at) => ({
      tpe: regret(landscape, 'tpe', at + 1),
      random: regret(landscape, 'random', at + 1),
    }));
    const ours = median(pairs.map(({ tpe }) => tpe));
    expect(ours).toBeGreaterThanOrEqual(0);
    expect(ours).toBeLessThan(median(pairs.map(({ random }) => random)) / 2);
    expect(ours).toBeLessThan(most);
    expect(signTest(pairs.filter(({ tpe, random }) => tpe < random).length, seeds)).toBeLessThan(0.05);
  });
});

describe('of mixed values', () => {
  const { space } = spaceOf(
    sweepText(
      [
        'params.mode: { values: [calm, wild] }',
        'params.hedge: { values: [true, false] }',
        'params.stop: { from: 1, to: 50, step: 1, scale: log }',
        'params.target: { from: 0.001, to: 10, scale: log }',
        'params.odds: { from: 1.5, to: 20, step: tick }',
        'params.open: { from: 1m, to: 20m, step: 30s }',
      ],
      ['search: tpe', 'where: params.stop > params.target'],
    ),
  );
  /** Best at wild, true, 7, 0.1, 4 and 10m. */
  const worth = ({ assignment }: Trial): number => {
    const of = (key: string) => assignment[`strategies[0].params.${key}`];
    const ratio = (a: number, b: number) => Math.abs(Math.log(a / b));
    return -(
      (of('mode') === 'wild' ? 0 : 2) +
      (of('hedge') === true ? 0 : 1) +
      ratio(Number(of('stop')), 7) +
      ratio(Number(of('target')), 0.1) / 2 +
      ratio(Number(of('odds')), 4) * 2 +
      (of('open') === '10m' ? 0 : 0.5)
    );
  };

  test('it goes to the right words and the right scale', () => {
    const { trials, scores } = played(newSearch(space, { method: 'tpe', trials: 160, seed: 3 }, GROUND), worth);
    const late = trials.slice(-64);
    const share = (key: string, value: unknown) =>
      late.filter(({ assignment }) => assignment[`strategies[0].params.${key}`] === value).length / late.length;
    expect(share('mode', 'wild')).toBeGreaterThan(0.7);
    expect(share('hedge', true)).toBeGreaterThan(0.7);
    const values = trials.map(({ number }) => scores.get(number)?.value ?? 0);
    const mean = (list: readonly number[]) => list.reduce((a, b) => a + b) / list.length;
    expect(mean(values.slice(-64))).toBeGreaterThan(mean(values.slice(0, 16)) + 1.5);
  });

  test('the sequence is one, in whatever order the scores of a generation arrive', () => {
    const search = () => newSearch(space, { method: 'tpe', trials: 80, seed: 5 }, GROUND);
    const random = Random.fromSeed(9);
    const shuffled = (trials: readonly Trial[]) =>
      trials
        .map((trial) => ({ trial, at: random.uniform() }))
        .sort((a, b) => a.at - b.at)
        .map(({ trial }) => trial);
    const straight = played(search(), worth).trials;
    expect(played(search(), worth, (trials) => trials.toReversed()).trials).toEqual(straight);
    expect(played(search(), worth, shuffled).trials).toEqual(straight);
    expect(played(search(), (trial) => -worth(trial)).trials).not.toEqual(straight);
    // Not by the first generation, which knows no scores.
    expect(played(search(), (trial) => -worth(trial)).trials.slice(0, 16)).toEqual(straight.slice(0, 16));
  });

  test('scores of later trials, as a sweep that goes on has them, change nothing', () => {
    const whole = played(newSearch(space, { method: 'tpe', trials: 80, seed: 5 }, GROUND), worth);
    const again = newSearch(space, { method: 'tpe', trials: 80, seed: 5 }, GROUND);
    const trials = [];
    for (let next = again.next(whole.scores); next !== undefined; next = again.next(whole.scores))
      trials.push(...next.trials);
    expect(trials).toEqual(whole.trials);
  });

  test('trials without a value are no good ones, and a search without any goes on', () => {
    const { trials } = played(newSearch(space, { method: 'tpe', trials: 60 }, GROUND), () => undefined);
    expect(trials).toHaveLength(60);
    const some = played(newSearch(space, { method: 'tpe', trials: 120, seed: 2 }, GROUND), (trial) =>
      trial.assignment['strategies[0].params.mode'] === 'calm' ? undefined : worth(trial),
    );
    const late = some.trials.slice(-40).filter(({ assignment }) => assignment['strategies[0].params.mode'] === 'wild');
    expect(late.length).toBeGreaterThan(28);
  });
});

test('the normal distribution is that of the tables', () => {
  for (let x = 0; x < 40; x += 0.37) expect(decayed(x) / Math.exp(-x)).toBeCloseTo(1, 13);
  expect(decayed(800)).toBe(0);
  for (const [z, below] of [
    [0, 0.5],
    [1, 0.8413447],
    [-1.959964, 0.025],
    [3, 0.9986501],
  ] as const)
    expect(normalBelow(z)).toBeCloseTo(below, 6);
});
