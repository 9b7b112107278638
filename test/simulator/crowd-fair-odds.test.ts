import { describe, expect, test } from 'vitest';
import { Random } from '../../src/core/number/random.ts';
import { AGAINST, FOR } from '../../src/core/side.ts';
import { FairOdds } from '../../src/simulator/crowd/fair-odds.ts';

const SHAPES = [
  { weights: [3, 1], winners: 1 },
  { weights: [45, 28, 27], winners: 1 },
  { weights: [30, 22, 16, 11, 8, 6, 4, 3], winners: 1 },
  { weights: [30, 22, 16, 11, 8, 6, 4, 3], winners: 3 },
] as const;

function total(fair: FairOdds, outcomes: number): number {
  let sum = 0;
  for (let outcome = 0; outcome < outcomes; outcome += 1) sum += fair.probability(outcome);
  return sum;
}

describe('fair odds', () => {
  test.each(SHAPES)(
    'sum to the number of winners and stay inside (0, 1) through drift and jumps: $winners',
    (shape) => {
      const random = Random.fromSeed(1);
      const fair = new FairOdds(shape);
      for (let move = 0; move < 5_000; move += 1) {
        if (move % 500 === 0) fair.jump(random);
        else fair.drift(random, 0.05);
        for (const outcome of fair.active) {
          const p = fair.probability(outcome);
          if (!(p > 0 && p < 1)) expect.fail(`outcome ${outcome} stands at ${p} after move ${move}`);
        }
      }
      expect(total(fair, shape.weights.length)).toBeCloseTo(shape.winners, 9);
    },
  );

  test.each(SHAPES)(
    'are a martingale: the winners drawn after any way are as likely as at the start: $winners',
    (shape) => {
      const random = Random.fromSeed(2);
      const start = new FairOdds(shape);
      const runs = 2500;
      const won = new Array<number>(shape.weights.length).fill(0);
      for (let run = 0; run < runs; run += 1) {
        const fair = new FairOdds(shape);
        for (let move = 0; move < 40; move += 1) fair.drift(random, 0.2);
        fair.jump(random);
        const winners = fair.drawWinners(random);
        if (winners.length !== shape.winners) expect.fail(`run ${run} drew ${winners.length} winners`);
        for (const outcome of winners) won[outcome] = (won[outcome] ?? 0) + 1;
      }
      for (const [outcome, count] of won.entries()) {
        const p = start.probability(outcome);
        const deviation = Math.abs(count / runs - p) / Math.sqrt((p * (1 - p)) / runs);
        expect(deviation).toBeLessThan(4);
      }
    },
  );

  test('hand the chance of a non-runner to the others and never draw it', () => {
    const random = Random.fromSeed(3);
    for (const shape of SHAPES.slice(1)) {
      const fair = new FairOdds(shape);
      const held = fair.probability(1) / shape.winners;
      expect(fair.remove(1)).toBeCloseTo(held, 12);
      expect(fair.probability(1)).toBe(0);
      expect(total(fair, shape.weights.length)).toBeCloseTo(shape.winners, 9);
      for (let draw = 0; draw < 200; draw += 1) expect(fair.drawWinners(random)).not.toContain(1);
    }
  });

  test('put both sides of a quote at or behind the fair price', () => {
    const fair = new FairOdds({ weights: [1, 1], winners: 1 });
    expect(fair.tick(0, FOR)).toBe(99);
    expect(fair.tick(0, AGAINST)).toBe(99);
    const uneven = new FairOdds({ weights: [45, 28, 27], winners: 1 });
    expect(uneven.tick(0, FOR) - uneven.tick(0, AGAINST)).toBe(1);
  });
});
