/** The best trial: keys as they were written, and those of its params that end where the space does. */

import { expect, test } from 'vitest';
import { readDimension } from '../../../src/sweep/space/read/read-dimension.ts';
import { bestTrialOf } from '../../../src/sweep/statistics/best-trial.ts';
import { surfaceOf } from '../../../src/sweep/statistics/surface.ts';
import type { ProfitsOfTrial } from '../../../src/sweep/statistics/trial-profits.ts';

const SPACE = {
  'params.take': { from: 1, to: 4, step: 1 },
  'params.lean': { from: 0, to: 1 },
  'params.word': { values: ['a', 'b', 'c'] },
  'params.pair': { values: [1, 2] },
  'latency.requestMs': { values: [20, 80, 200] },
};
const DIMENSIONS = Object.entries(SPACE).map(([written, entry]) => readDimension(written, entry, () => 'here'));

type Settings = Readonly<Record<string, string | number>>;
const MIDDLE: Settings = { take: 2, lean: 0.5, word: 'b', pair: 1, latency: 80 };

function trialOf(number: number, value: number | undefined, settings: Settings = {}): ProfitsOfTrial {
  const { latency = 80, ...params } = { ...MIDDLE, ...settings };
  const entries = Object.entries(params).map(([name, each]) => [`strategies[0].params.${name}`, each]);
  const assignment = { ...Object.fromEntries(entries), 'latency.requestMs': latency };
  return { number, value, assignment, units: [], isWhole: true, isOfFold: false, profits: new Float64Array() };
}

test('the best trial is the first of the equal ones, and has its settings by the keys of the file', () => {
  const trials = [trialOf(0, undefined), trialOf(1, 3), trialOf(2, 5, { take: 3 }), trialOf(3, 5)];
  expect(bestTrialOf(trials, 'maximize', DIMENSIONS)).toEqual({
    trial: 2,
    value: 5,
    settings: [
      { key: 'params.take', value: 3 },
      { key: 'params.lean', value: 0.5 },
      { key: 'params.word', value: 'b' },
      { key: 'params.pair', value: 1 },
      { key: 'latency.requestMs', value: 80 },
    ],
    atEdge: [],
  });
  expect(bestTrialOf(trials, 'minimize', DIMENSIONS)?.trial).toBe(1);
  expect(bestTrialOf([trialOf(0, undefined)], 'maximize', DIMENSIONS)).toBe(undefined);
});

test.each([
  { at: { take: 4 }, edges: ['params.take'] },
  { at: { take: 1, lean: 0.97 }, edges: ['params.take', 'params.lean'] },
  { at: { lean: 0.9 }, edges: [] },
  { at: { word: 'a' }, edges: [], why: 'words have no order' },
  { at: { pair: 2 }, edges: [], why: 'each of two values is an edge' },
  { at: { latency: 20 }, edges: [], why: 'a latency cannot be chosen' },
])('$at is at the edge of $edges', ({ at, edges }) => {
  expect(bestTrialOf([trialOf(0, 1, at)], 'maximize', DIMENSIONS)?.atEdge).toEqual(edges);
});

test('a key explains the share of the differences that its value makes, and a key without a part in them none', () => {
  const scored = [1, 2, 3, 4].flatMap((take) =>
    ['a', 'b', 'c'].map((word, at) => ({ ...trialOf(0, 10 * take + (at === 1 ? 1 : 0), { take, word }) })),
  );
  const surface = surfaceOf(DIMENSIONS, scored, 'maximize');
  const effects = Object.fromEntries(surface.map(({ key, effect }) => [key, effect]));
  expect(effects['params.take']).toBeGreaterThan(0.99);
  expect(effects['params.word']).toBe(0);
  expect(effects['params.pair']).toBe(0);
  // A key whose values are all different explains anything: that says nothing.
  const single = scored.map((trial, at) => ({ ...trialOf(0, trial.value, { lean: at / 100 }) }));
  expect(surfaceOf(DIMENSIONS, single, 'maximize')[1]?.effect).toBe(0);
});
