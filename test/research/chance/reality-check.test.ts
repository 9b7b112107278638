/** White's reality check beside Python's arch, on stored matrices with the same resamples and with our own. */

import { expect, test } from 'vitest';
import { Random } from '../../../src/core/number/random.ts';
import { realityCheck, stationaryBootstrap } from '../../../src/research/chance/reality-check.ts';
import { answersOf } from '../../support/research/answers.ts';
import { known } from '../../support/research/known.ts';

interface RealityCheckAnswers {
  readonly cases: readonly {
    readonly name: string;
    readonly block: number;
    readonly trials: readonly (readonly number[])[];
    /** A text for each resample: the character with code 48 + index for each place. */
    readonly indices: readonly string[];
    readonly pValue: number;
    readonly best: number;
    readonly pValueOfManyResamples: number;
  }[];
}
const { cases } = answersOf<RealityCheckAnswers>('reality-check');

test.each(cases)('$name: over the same resamples, exactly as many exceed the best as in arch', (each) => {
  let next = 0;
  const resampler = (into: Uint32Array) => {
    const row = each.indices[next] ?? '';
    next += 1;
    expect(row).toHaveLength(into.length);
    for (let at = 0; at < into.length; at += 1) into[at] = row.charCodeAt(at) - 48;
  };
  const resamples = each.indices.length;
  const check = known(realityCheck({ trials: each.trials, resampler: () => resampler, resamples }));
  expect(check.exceeding / resamples).toBe(each.pValue);
  expect(check.bestMean).toBeCloseTo(each.best, 12);
  expect(check.pValue).toBe((1 + check.exceeding) / (1 + resamples));
});

test.each(cases)('$name: over resamples of our own, nearly as many as in 20,000 of arch', (each) => {
  const resampler = stationaryBootstrap({ seed: 5, meanBlock: each.block });
  const { pValue } = known(realityCheck({ trials: each.trials, resampler, resamples: 4_000 }));
  // Four standard errors of both numbers of resamples together.
  const p = Math.max(each.pValueOfManyResamples, 0.001);
  const near = 4 * Math.sqrt(p * (1 - p) * (1 / 4_000 + 1 / 20_000)) + 1 / 4_000;
  expect(Math.abs(pValue - each.pValueOfManyResamples)).toBeLessThan(near);
});

test('blocks have the mean length asked for, and the last event group is followed by the first', () => {
  const resampler = stationaryBootstrap({ seed: 1, meanBlock: 8 })();
  const into = new Uint32Array(50);
  let breaks = 0;
  let wraps = 0;
  const repeats = 2_000;
  const drawn = new Float64Array(50);
  for (let each = 0; each < repeats; each += 1) {
    resampler(into);
    into.forEach((row, at) => {
      drawn[row] = (drawn[row] ?? 0) + 1;
      const before = into[at - 1];
      if (before === undefined) return;
      if (row === 0 && before === 49) wraps += 1;
      if (row !== (before + 1) % 50) breaks += 1;
    });
  }
  // A new block begins at one in eight, and is the next group anyway at one in fifty of these.
  expect(breaks / (repeats * 49)).toBeCloseTo((1 / 8) * (49 / 50), 2);
  expect(wraps).toBeGreaterThan(0);
  for (const count of drawn) expect(Math.abs(count / repeats - 1)).toBeLessThan(0.25);
});

test('a profit in all event groups is found among noise', () => {
  const random = Random.fromSeed(2);
  const trials = Array.from({ length: 30 }, (_, trial) =>
    Array.from({ length: 80 }, () => random.normal() + (trial === 17 ? 0.8 : 0)),
  );
  const resampler = stationaryBootstrap({ seed: 3, meanBlock: 4 });
  expect(realityCheck({ trials, resampler, resamples: 999 })).toMatchObject({ best: 17, pValue: 0.001 });
});

test('another trial than the best is asked about: as often as worthless trials have a best above its mean', () => {
  const random = Random.fromSeed(2);
  const trials = Array.from({ length: 8 }, (_, trial) =>
    Array.from({ length: 60 }, () => random.normal() + (trial === 5 ? 0.8 : 0)),
  );
  const means = trials.map((profits) => profits.reduce((sum, profit) => sum + profit, 0) / 60);
  const drawn = stationaryBootstrap({ seed: 3, meanBlock: 2 })();
  const into = new Uint32Array(60);
  let above = 0;
  for (let each = 0; each < 499; each += 1) {
    drawn(into);
    const largest = trials.map((profits, trial) => {
      return [...into].reduce((sum, row) => sum + (profits[row] ?? 0), 0) / 60 - (means[trial] ?? 0);
    });
    if (Math.max(...largest) > (means[2] ?? 0)) above += 1;
  }
  const resampler = stationaryBootstrap({ seed: 3, meanBlock: 2 });
  const found = known(realityCheck({ trials, resampler, resamples: 499, asked: 2 }));
  expect(found).toMatchObject({ best: 5, pValue: 0.002, asked: { at: 2, pValue: (1 + above) / 500 } });
  expect(found.asked?.mean).toBeCloseTo(means[2] ?? 0, 12);
});

test('a resample that is as good as the best does not exceed it, as in arch', () => {
  const profits = [2, 0, 0, 0, 0, 0, 0, 0, 0, 0];
  // The first group twice: its mean is above the trial's own by as much as that is above 0; then three times.
  const rows = [
    [0, 0, 1, 2, 3, 4, 5, 6, 7, 8],
    [0, 0, 0, 2, 3, 4, 5, 6, 7, 8],
  ];
  let next = 0;
  const resampler = (into: Uint32Array) => {
    into.set(rows[next] ?? []);
    next += 1;
  };
  const check = realityCheck({ trials: [profits], resampler: () => resampler, resamples: 2 });
  expect(check).toMatchObject({ exceeding: 1, pValue: 2 / 3 });
});

test('trials that do not fit side by side are resampled alike, piece by piece', () => {
  const [groups, count, resamples] = [1_000, 4_500, 19];
  const profitOf = (trial: number, group: number) => ((trial * 7_919 + group * 104_729) % 1_009) / 504 - 1;
  const read: number[] = [];
  function* trials() {
    for (let trial = 0; trial < count; trial += 1) {
      read.push(trial);
      yield Float64Array.from({ length: groups }, (_, group) => profitOf(trial, group) + (trial === 4_321 ? 0.2 : 0));
    }
  }
  const resampler = stationaryBootstrap({ seed: 1, meanBlock: 2 });
  const found = known(realityCheck({ trials: trials(), resampler, resamples, asked: 3 }));
  expect(read).toHaveLength(count);
  const draw = resampler();
  const into = new Uint32Array(groups);
  const all = [...trials()];
  const means = all.map((profits) => profits.reduce((sum, profit) => sum + profit, 0) / groups);
  const maxima = Array.from({ length: resamples }, () => {
    draw(into);
    let most = -Infinity;
    for (const [trial, profits] of all.entries()) {
      let sum = 0;
      for (const row of into) sum += profits[row] ?? 0;
      most = Math.max(most, sum / groups - (means[trial] ?? 0));
    }
    return most;
  });
  const above = (trial: number) => maxima.filter((maximum) => maximum > (means[trial] ?? 0)).length;
  expect(found).toMatchObject({ best: 4_321, exceeding: above(4_321), asked: { at: 3, pValue: (1 + above(3)) / 20 } });
});

test('won lays at long odds are read with caution, backs and lays at short odds are not', () => {
  const random = Random.fromSeed(4);
  const cautionOf = (profitOf: () => number, groups: number) => {
    const trials = Array.from({ length: 9 }, () => Array.from({ length: groups }, profitOf));
    return known(realityCheck({ trials, resampler: stationaryBootstrap({ seed: 1, meanBlock: 1 }), resamples: 19 }))
      .caution;
  };
  const lay = (price: number) => () => (random.chance(1 / price) ? 1 - price : 1);
  const back = (price: number) => () => (random.chance(1 / price) ? price - 1 : -1);
  expect(cautionOf(lay(20), 200)).toMatch(/decide these profits \(skewness -\d\.\d\): over 200 event groups/);
  expect(cautionOf(() => 1 + random.uniform(), 30)).toMatch(/^The best trial has no loss in any event group/);
  expect(cautionOf(lay(3), 400)).toBeUndefined();
  expect(cautionOf(lay(3), 100)).toBeDefined();
  expect(cautionOf(lay(8), 4_000)).toBeUndefined();
  expect(cautionOf(back(20), 200)).toBeUndefined();
});

test('no trial, few event groups and trials without any luck are not known', () => {
  const of = (trials: readonly (readonly number[])[]) =>
    realityCheck({ trials, resampler: stationaryBootstrap({ seed: 1, meanBlock: 2 }), resamples: 99 });
  expect(of([])).toMatchObject({ kind: 'notKnown' });
  expect(of([[1, 2, 3]])).toMatchObject({
    kind: 'notKnown',
    reason: expect.stringMatching(/^3 events are too few \(10 needed\)\.$/),
  });
  expect(of([new Array<number>(12).fill(1), new Array<number>(12).fill(0)])).toMatchObject({
    reason: expect.stringMatching(/same profit in all event groups/),
  });
});
