/** The signed-rank test beside scipy, and beside a count of all signs. */

import { expect, test } from 'vitest';
import { Random } from '../../../src/core/number/random.ts';
import { signedRanksOf } from '../../../src/research/paired/wilcoxon.ts';
import { answersOf } from '../../support/research/answers.ts';
import { known } from '../../support/research/known.ts';

interface WilcoxonAnswers {
  readonly cases: readonly {
    readonly name: string;
    readonly mode: 'exact' | 'approx';
    readonly differences: readonly number[];
    readonly greater: number;
    readonly less: number;
    readonly twoSided: number;
  }[];
}

test.each(answersOf<WilcoxonAnswers>('wilcoxon').cases)('$name: as scipy has it', (each) => {
  const found = known(signedRanksOf(each.differences));
  expect(found.method).toBe(each.mode === 'exact' ? 'exact' : 'normal');
  expect(found.chanceAbove).toBeCloseTo(each.greater, 12);
  expect(found.chanceBelow).toBeCloseTo(each.less, 12);
  expect(found.pValue).toBeCloseTo(each.twoSided, 12);
});

/** Every assignment of signs, one after the other. */
function enumerated(differences: readonly number[]): { above: number; below: number } {
  const sizes = differences.filter((each) => each !== 0).map(Math.abs);
  const ranks = sizes.map((size) => {
    const lower = sizes.filter((other) => other < size).length;
    return lower + (sizes.filter((other) => other === size).length + 1) / 2;
  });
  const sumOf = (isPositive: (at: number) => boolean) =>
    ranks.reduce((sum, rank, at) => (isPositive(at) ? sum + rank : sum), 0);
  const signs = differences.filter((each) => each !== 0).map((each) => each > 0);
  const observed = sumOf((at) => signs[at] === true);
  let above = 0;
  let below = 0;
  for (let bits = 0; bits < 2 ** ranks.length; bits += 1) {
    const sum = sumOf((at) => ((bits >> at) & 1) === 1);
    if (sum >= observed) above += 1;
    if (sum <= observed) below += 1;
  }
  return { above: above / 2 ** ranks.length, below: below / 2 ** ranks.length };
}

test('ties and zeros: the chances are those of all signs, counted one by one', () => {
  const random = Random.fromSeed(12);
  for (let each = 0; each < 60; each += 1) {
    const differences = Array.from({ length: 1 + random.below(11) }, () => random.below(7) - 3);
    const found = signedRanksOf(differences);
    if (differences.every((difference) => difference === 0)) {
      expect(found).toEqual({ kind: 'notKnown', reason: 'No pair differs.' });
      continue;
    }
    const { above, below } = enumerated(differences);
    expect(known(found)).toMatchObject({ chanceAbove: above, chanceBelow: below, method: 'exact' });
  }
});

test('25 pairs are counted, 26 are not, and both say nearly the same', () => {
  const differences = Array.from({ length: 26 }, (_, at) => (at % 3 === 0 ? -1 : 1) * (at + 0.5));
  const exact = known(signedRanksOf(differences.slice(1)));
  const normal = known(signedRanksOf(differences));
  expect([exact.method, normal.method]).toEqual(['exact', 'normal']);
  expect(Math.abs(exact.pValue - normal.pValue)).toBeLessThan(0.05);
});
