/** Which models can be distinguished from the best one by the errors of orders. */

import { describe, expect, test } from 'vitest';
import { type Judgement, judgeModels } from '../../../src/app/parity/fit/judge-models.ts';
import { Random } from '../../../src/core/number/random.ts';

function judged(errors: readonly (readonly number[])[], unitOf?: readonly number[]): Judgement {
  const orders = errors[0]?.length ?? 0;
  return judgeModels({
    errors: errors.map((of) => new Float64Array(of)),
    unitOf: new Int32Array(unitOf ?? Array.from({ length: orders }, (_, order) => order)),
    seed: 1,
  });
}

/** Around a mean, by chance. */
function drawn(mean: number, orders: number, random: Random): readonly number[] {
  return Array.from({ length: orders }, () => mean + random.normal() / 10);
}

describe('judgeModels', () => {
  test('distinguishes a model that is worse for every order', () => {
    const random = Random.fromSeed(1);
    const best = drawn(0.2, 50, random);
    const { models, best: index } = judged([best.map((error) => error + 0.05), best]);
    expect(index).toBe(1);
    expect(models.map(({ isLike }) => isLike)).toEqual([false, true]);
    expect(models[0]?.worseBy.low).toBeCloseTo(0.05, 9);
  });

  test('does not distinguish one that is worse by chance', () => {
    const random = Random.fromSeed(2);
    const { models } = judged([drawn(0.2, 40, random), drawn(0.2, 40, random), drawn(0.5, 40, random)]);
    expect(models.map(({ isLike }) => isLike)).toEqual([true, true, false]);
  });

  test('does not distinguish models that fill alike', () => {
    const { models, deciding } = judged([
      [0.1, 0.2],
      [0.1, 0.2],
    ]);
    expect(models.map(({ isLike }) => isLike)).toEqual([true, true]);
    expect(deciding).toBe(0);
  });

  test('counts orders of one unit as one', () => {
    const random = Random.fromSeed(3);
    // Two queues, of which one speaks for the first model and one against it, each with many orders.
    const first = [...drawn(0.1, 30, random), ...drawn(0.5, 30, random)];
    const second = [...drawn(0.4, 30, random), ...drawn(0.3, 30, random)];
    const unitOf = first.map((_, order) => (order < 30 ? 0 : 1));
    expect(judged([first, second], unitOf)).toMatchObject({
      deciding: 2,
      models: [{ isLike: true }, { isLike: true }],
    });
  });

  test('says the same for the same seed', () => {
    const random = Random.fromSeed(4);
    const errors = [drawn(0.2, 30, random), drawn(0.25, 30, random)];
    expect(judged(errors)).toEqual(judged(errors));
  });

  test('rules the true model out in few of many trials', () => {
    let ruledOut = 0;
    for (let trial = 0; trial < 40; trial += 1) {
      const random = Random.fromSeed(100 + trial);
      // Nineteen that are equally good, as far as there is a truth.
      const { models } = judged(Array.from({ length: 19 }, () => drawn(0.2, 30, random)));
      if (models[9]?.isLike === false) ruledOut += 1;
    }
    expect(ruledOut).toBeLessThanOrEqual(4);
  });
});
