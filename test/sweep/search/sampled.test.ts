/** Searches that depend on no score: grids, random points, Sobol's sequence, Latin hypercubes. */

import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { newSearch } from '../../../src/sweep/search/new-search.ts';
import type { Search } from '../../../src/sweep/search/search.ts';
import { sobolPoints } from '../../../src/sweep/search/sobol.ts';
import { readConstraint } from '../../../src/sweep/space/constraint-tree.ts';
import type { Dimension } from '../../../src/sweep/space/dimension.ts';
import type { Space } from '../../../src/sweep/space/space.ts';
import { numbersOf, played, range } from '../../support/sweep/optimum.ts';
import { spaceOf, sweepText } from '../../support/sweep/sweep-text.ts';

const GROUND = { events: 1, test: () => 1 };
const METHODS = ['random', 'sobol', 'latin-hypercube', 'tpe'] as const;

function steps(key: string, count: number): Dimension {
  return {
    kind: 'steps',
    key,
    path: [key],
    written: key,
    unit: 'number',
    from: 0n,
    step: 1n,
    decimals: 0,
    count,
    isLog: false,
  };
}

const cube = (dimensions: number): Space => ({
  dimensions: Array.from({ length: dimensions }, (_, at) => range(`k${at}`, 0, 1)),
});

const proposed = (search: Search, space: Space) =>
  played(search, ({ number }) => (number * 7919) % 101).trials.map(({ assignment }) =>
    numbersOf(assignment, space.dimensions),
  );

describe('a grid', () => {
  const HUGE: Space = { dimensions: Array.from({ length: 12 }, (_, at) => steps(`k${at}`, 10)) };

  test('of 10¹² points is begun at once', () => {
    const search = newSearch(HUGE, 'grid', GROUND);
    const first = search.next(new Map())?.trials ?? [];
    expect(first).toHaveLength(1_000);
    expect(numbersOf(first[123]?.assignment ?? {}, HUGE.dimensions)).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3]);
    expect(search.next(new Map())?.trials[0]?.number).toBe(1_000);
  });

  test('of 10¹² points passes over what cannot fulfil its condition without looking at each', () => {
    const keys = HUGE.dimensions.map(({ key }) => key);
    const condition = readConstraint(`k0 >= 9 and k1 + k2 == 18 and not (k3 < 9 or k11 <= 7)`, ([name]) => ({
      kind: 'key',
      type: 'number',
      key: String(name),
    }));
    const first = newSearch({ ...HUGE, condition }, 'grid', GROUND).next(new Map())?.trials ?? [];
    expect(first).toHaveLength(1_000);
    expect(keys.map((key) => first[0]?.assignment[key])).toEqual([9, 9, 9, 9, 0, 0, 0, 0, 0, 0, 0, 8]);
    expect(keys.map((key) => first[2]?.assignment[key])).toEqual([9, 9, 9, 9, 0, 0, 0, 0, 0, 0, 1, 8]);
  });

  test('skips what its condition excludes, numbers without gaps, and ends', () => {
    const { space } = spaceOf(
      sweepText(
        ['params.stop: { from: 1, to: 50, step: 1 }', 'params.target: { from: 1, to: 20, step: 1 }'],
        ['where: params.stop > 2 * params.target'],
      ),
    );
    const { trials } = played(newSearch(space, { method: 'grid', generation: 7 }, GROUND), () => 0);
    const points = trials.map(({ assignment }) => numbersOf(assignment, space.dimensions));
    expect(points).toHaveLength(
      Array.from({ length: 50 }, (_, at) => Math.min(20, Math.floor(at / 2))).reduce((a, b) => a + b),
    );
    expect(points.every(([stop = 0, target = 0]) => stop > 2 * target)).toBe(true);
    expect(trials.map(({ number }) => number)).toEqual(trials.map((_, at) => at));
    const some = played(newSearch(space, { method: 'grid', generation: 7, trials: 10 }, GROUND), () => 0);
    expect(some.trials).toEqual(trials.slice(0, 10));
  });
});

describe.each(METHODS)('%s', (method) => {
  test('proposes no point of a finite space twice, all of them, and then ends', () => {
    const { space } = spaceOf(
      sweepText(
        [
          'params.stop: { from: 1, to: 10, step: 1 }',
          'params.mode: { values: [calm, wild] }',
          'params.target: { values: [1, 3, 7] }',
        ],
        ['where: params.stop > params.target or params.mode == "wild"'],
      ),
    );
    const { trials } = played(newSearch(space, { method, trials: 1_000 }, GROUND), ({ number }) => (number * 37) % 11);
    const all = played(newSearch(space, 'grid', GROUND), () => 0).trials;
    const texts = (list: typeof all) => list.map(({ assignment }) => JSON.stringify(assignment)).sort();
    expect(texts(trials)).toEqual(texts(all));
    expect(all.length).toBeLessThan(60);
  });

  test('keeps to its number of trials, and to its seed', () => {
    const space = cube(3);
    const of = (seed: number) => proposed(newSearch(space, { method, trials: 50, seed }, GROUND), space);
    expect(of(1)).toHaveLength(50);
    expect(of(1)).toEqual(of(1));
    expect(of(1)).not.toEqual(of(2));
  });

  test('finds points that fulfil a condition of one point in a thousand', () => {
    const { space } = spaceOf(
      sweepText(['params.target: { from: 1, to: 20 }'], [`search: random`, 'where: params.target < 1.019']),
    );
    const { trials } = played(newSearch(space, { method, trials: 20 }, GROUND), ({ number }) => number);
    expect(trials).toHaveLength(20);
    expect(trials.every(({ assignment }) => Number(assignment['strategies[0].params.target']) < 1.019)).toBe(true);
  });
});

describe('Latin hypercube', () => {
  test('each of as many parts as trials is hit once in each dimension', () => {
    const space = cube(5);
    const points = proposed(newSearch(space, { method: 'latin-hypercube', trials: 64 }, GROUND), space);
    for (let axis = 0; axis < 5; axis += 1) {
      const parts = points.map((point) => Math.floor((point[axis] ?? 0) * 64)).sort((a, b) => a - b);
      expect(parts).toEqual(Array.from({ length: 64 }, (_, at) => at));
    }
    const first = points.map((point) => Math.floor((point[0] ?? 0) * 64));
    expect(points.map((point) => Math.floor((point[1] ?? 0) * 64))).not.toEqual(first);
  });
});

describe("Sobol's sequence", () => {
  interface Reference {
    /** By the point's number, its coordinates in `dimensions`. */
    readonly points: Readonly<Record<string, readonly number[]>>;
    readonly dimensions: readonly number[];
    readonly far: { readonly number: number; readonly point: readonly number[] };
  }
  const text = readFileSync(new URL('./sobol-reference.json', import.meta.url), 'utf8');
  const reference: Reference = JSON.parse(text);

  test('is the published one', () => {
    const next = sobolPoints(cube(100), undefined);
    const points = Array.from({ length: 64 }, () => next() ?? []);
    for (const [number, coordinates] of Object.entries(reference.points))
      expect(
        reference.dimensions.map((dimension) => points[Number(number)]?.[dimension - 1]),
        number,
      ).toEqual(coordinates);
  });

  test('also far into it', () => {
    const next = sobolPoints(cube(8), undefined);
    for (let at = 0; at < reference.far.number; at += 1) next();
    expect(next()).toEqual(reference.far.point);
  });

  test('keeps its evenness when it is shifted: each of 64 parts once in each dimension, each of 8 × 8 in the first two', () => {
    for (const seed of [1, 2, 3]) {
      const next = sobolPoints(cube(100), seed);
      const points = Array.from({ length: 64 }, () => next() ?? []);
      for (let axis = 0; axis < 100; axis += 1)
        expect(new Set(points.map((point) => Math.floor((point[axis] ?? 0) * 64))).size, `dimension ${axis + 1}`).toBe(
          64,
        );
      expect(new Set(points.map(([x = 0, y = 0]) => Math.floor(x * 8) * 8 + Math.floor(y * 8))).size).toBe(64);
    }
  });
});
