/** PBO beside R's package pbo on stored matrices, and beside the slow version that follows the paper. */

import { expect, test } from 'vitest';
import { Random } from '../../../src/core/number/random.ts';
import { overfittingOf } from '../../../src/research/search/pbo.ts';
import { answersOf } from '../../support/research/answers.ts';
import { known } from '../../support/research/known.ts';
import { naivePbo } from '../../support/research/naive-pbo.ts';

interface Answer {
  readonly phi: number;
  readonly below: number;
  readonly chosen: readonly number[];
  readonly logits: readonly number[];
}
interface PboAnswers {
  readonly trials: readonly (readonly number[])[];
  readonly sharpe: Answer;
  readonly mean: Answer;
}

/** R replaces infinite logits by 6, for its plots. */
const R_INFINITE = 6;

for (const matrix of ['noise', 'skill', 'bets', 'ties', 'decay']) {
  for (const measure of ['sharpe', 'mean'] as const) {
    test(`${matrix}, by ${measure}: each division is as R's pbo has it`, () => {
      const answers = answersOf<PboAnswers>(`pbo-${matrix}`);
      const answer = answers[measure];
      const found = known(overfittingOf({ trials: answers.trials, measure }));
      expect(found.divisions).toBe(252);
      expect(found.probability).toBeCloseTo(answer.phi, 15);
      expect(found.lossProbability).toBeCloseTo(answer.below, 15);
      expect([...found.chosen].map((trial) => trial + 1)).toEqual(answer.chosen);
      found.logits.forEach((logit, at) => {
        expect(logit === Infinity ? R_INFINITE : logit).toBeCloseTo(answer.logits[at] ?? Number.NaN, 12);
      });
    });
  }
}

test('where groups do not divide by ten, and trials have spreads of 0, it is as the slow version has it', () => {
  const random = Random.fromSeed(6);
  for (const rows of [20, 37, 41]) {
    const trials = Array.from({ length: 6 }, (_, at) =>
      Array.from({ length: rows }, () => (at === 0 ? 1 : random.below(2_000) / 7 - 140)),
    );
    for (const measure of ['sharpe', 'mean'] as const) {
      const found = known(overfittingOf({ trials, measure }));
      expect(found.probability, `${rows} rows, ${measure}`).toBeCloseTo(naivePbo(trials, measure), 15);
    }
  }
});

test('what is good in every block is not overfitted, what is good in half of them is', () => {
  const random = Random.fromSeed(7);
  const noise = () => Array.from({ length: 100 }, () => random.normal());
  const good = noise().map((each) => each + 2);
  const lasting = known(overfittingOf({ trials: [noise(), noise(), good, noise()], measure: 'mean' }));
  expect(lasting.probability).toBe(0);
  expect(lasting.lossProbability).toBe(0);
  expect(new Set(lasting.chosen)).toEqual(new Set([2]));
  // Each trial lives on its own tenth: in sample it is best, out of it worst.
  const lucky = Array.from({ length: 10 }, (_, trial) => {
    return Array.from({ length: 100 }, (_, row) => (Math.floor(row / 10) === trial ? 9 + trial / 100 : -1));
  });
  expect(known(overfittingOf({ trials: lucky, measure: 'mean' })).probability).toBe(1);
});

test('on noise it averages about a half: a bound, no p-value, and it says so', () => {
  const random = Random.fromSeed(8);
  let sum = 0;
  const repeats = 60;
  for (let each = 0; each < repeats; each += 1) {
    const trials = Array.from({ length: 12 }, () => Array.from({ length: 60 }, () => random.normal()));
    sum += known(overfittingOf({ trials, measure: 'sharpe' })).probability;
  }
  expect(sum / repeats).toBeGreaterThan(0.4);
  expect(sum / repeats).toBeLessThan(0.6);
  const one = known(
    overfittingOf({ trials: [[...Array(20).keys()], [...Array(20).keys()].reverse()], measure: 'mean' }),
  );
  expect(one.doesNotSay).toContain('no p-value');
});

test('one trial, few groups and equal trials are not known, with the reason', () => {
  const row = Array.from({ length: 30 }, (_, at) => at % 3);
  const of = (trials: readonly (readonly number[])[]) => overfittingOf({ trials, measure: 'mean' });
  expect(of([])).toMatchObject({ kind: 'notKnown', reason: expect.stringMatching(/at least two trials/) });
  expect(of([row])).toMatchObject({ kind: 'notKnown', reason: expect.stringMatching(/at least two trials/) });
  expect(of([row.slice(0, 19), row.slice(1, 20)])).toMatchObject({
    reason: expect.stringMatching(/^19 events are too few \(20 needed\)\.$/),
  });
  expect(of([row, row])).toMatchObject({ reason: expect.stringMatching(/same profits/) });
});
