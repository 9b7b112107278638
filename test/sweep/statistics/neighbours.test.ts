/** Neighbours in the space, and the surface over it. */

import { expect, test } from 'vitest';
import { readDimension } from '../../../src/sweep/space/read/read-dimension.ts';
import type { DimensionConfig } from '../../../src/sweep/space/read/sweep-schema.ts';
import { surfaceOf } from '../../../src/sweep/statistics/surface.ts';
import { areNeighbours } from '../../../src/sweep/statistics/sweep-statistics.ts';

const dimension = (key: string, config: DimensionConfig) => readDimension(key, config, () => 'here');

const SPACE = [
  dimension('steps', { from: 0.1, to: 0.9, step: 0.1 }),
  dimension('time', { from: '30s', to: '20m', step: '30s' }),
  dimension('price', { from: 1.9, to: 3, step: 'tick' }),
  dimension('ordered', { values: [1, 5, 25] }),
  dimension('words', { values: ['a', 'b', 'c'] }),
  dimension('range', { from: 0, to: 10 }),
  dimension('ratio', { from: 0.001, to: 10, scale: 'log' }),
];
const POINT = { steps: 0.3, time: '2m', price: 2, ordered: 5, words: 'b', range: 5, ratio: 0.1 };

test.each([
  { name: 'itself', to: {}, near: false },
  { name: 'one step', to: { steps: 0.4 }, near: true },
  { name: 'two steps', to: { steps: 0.5 }, near: false },
  { name: 'one step in other units', to: { time: '90s' }, near: true },
  { name: 'two such steps', to: { time: '3m' }, near: false },
  { name: 'the tick above 2, which is wider', to: { price: 2.02 }, near: true },
  { name: 'the tick below 2', to: { price: 1.99 }, near: true },
  { name: 'two ticks', to: { price: 1.98 }, near: false },
  { name: 'the next value of a list', to: { ordered: 25 }, near: true },
  { name: 'another word', to: { words: 'c' }, near: false },
  { name: 'a tenth of the range', to: { range: 6 }, near: true },
  { name: 'more than a tenth', to: { range: 6.1 }, near: false },
  { name: 'a tenth of a logarithmic range', to: { ratio: 0.25 }, near: true },
  { name: 'more than a tenth of it', to: { ratio: 0.26 }, near: false },
  { name: 'a step in several keys', to: { steps: 0.2, ordered: 1, range: 4.5 }, near: true },
  { name: 'a step in one and two in another', to: { steps: 0.2, time: '3m' }, near: false },
])('$name: $near', ({ to, near }) => {
  const other = { ...POINT, ...to };
  expect(areNeighbours(SPACE, POINT, other)).toBe(near);
  expect(areNeighbours(SPACE, other, POINT)).toBe(near);
});

test('values of a range are taken together in parts of about equally many trials', () => {
  const [key] = [dimension('range', { from: 0, to: 100 })];
  const trials = Array.from({ length: 80 }, (_, at) => ({ assignment: { range: at }, value: -at }));
  const [surface] = surfaceOf([key], [...trials, { assignment: { range: 99 }, value: undefined }], 'maximize');
  expect(surface?.values).toHaveLength(8);
  expect(surface?.values[1]).toEqual({ from: 10, to: 19, trials: 10, best: -10, median: -14.5 });
  const [least] = surfaceOf([key], trials, 'minimize');
  expect(least?.values[1]).toMatchObject({ best: -19, median: -14.5 });
});

test('words stand in the order of the space, and are never taken together', () => {
  const values = Array.from({ length: 20 }, (_, at) => `w${19 - at}`);
  const trials = values.toReversed().map((words, at) => ({ assignment: { words }, value: at }));
  const [surface] = surfaceOf([dimension('words', { values })], trials, 'maximize');
  expect(surface?.values.map(({ from }) => from)).toEqual(values);
});
