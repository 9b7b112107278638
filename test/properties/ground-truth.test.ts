import { beforeAll, describe, expect, test } from 'vitest';
import { budget } from '../support/budget.ts';
import {
  BIAS_MOST,
  BRACKET_LEAST,
  type Fidelity,
  fidelityOf,
  gatedScenario,
  HARD_BRACKET_LEAST,
  hardScenarios,
  runScenario,
} from '../support/ground-truth/fidelity.ts';

const SEEDS = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10];
const ORDERS_PER_SEED = 320;
const HARD_SEEDS = SEEDS.slice(0, budget({ each: 2, deep: 10 }));
const WRONG_SEEDS = SEEDS.slice(0, budget({ each: 2, deep: 10 }));

describe('law 9: the overlay against the truth of a seeded crowd', () => {
  const scenario = gatedScenario();
  let fidelity: Fidelity;
  let said: string;
  beforeAll(() => {
    fidelity = fidelityOf(SEEDS.map((seed) => runScenario(scenario, { seed, orders: ORDERS_PER_SEED })));
    said = `${scenario.name}; seeds ${SEEDS.join(' ')}: ${JSON.stringify(fidelity)}`;
  });

  test('holds the truth between its bounds for 99 % of orders', () => {
    expect(fidelity.orders).toBeGreaterThanOrEqual(3000);
    expect(fidelity.bracket, said).toBeGreaterThanOrEqual(BRACKET_LEAST);
  });

  test('has a central model that is off by at most one point of stake on average', () => {
    expect(Math.abs(fidelity.bias), said).toBeLessThanOrEqual(BIAS_MOST);
  });

  test('is no empty claim: orders match in part, and the bounds are apart and still tell something', () => {
    expect(fidelity.ordered, said).toBeGreaterThan(0.999);
    expect(fidelity.matched.truth, said).toBeGreaterThan(0.1);
    expect(fidelity.matched.truth, said).toBeLessThan(0.9);
    expect(fidelity.width, said).toBeGreaterThan(0.01);
    // The extremes are some seven times as far apart: an interval as wide as theirs would hold the truth and say
    // nothing.
    expect(fidelity.width, said).toBeLessThan(0.08);
    expect(fidelity.widest, said).toBeGreaterThan(4 * fidelity.width);
    expect(fidelity.conceivable, said).toBeGreaterThan(fidelity.bracket);
  });

  test.each(hardScenarios().map((hard) => [hard.name, hard] as const))(
    'holds the truth for 98 % of orders also with %s',
    (_, hard) => {
      const found = fidelityOf(HARD_SEEDS.map((seed) => runScenario(hard, { seed, orders: ORDERS_PER_SEED })));
      expect(found.bracket, JSON.stringify(found)).toBeGreaterThanOrEqual(HARD_BRACKET_LEAST);
      // Where orders of ours stand before others, what they match hangs on what became of those (law 5).
      expect(found.ordered).toBeGreaterThan(0.98);
    },
    300_000,
  );

  test.each(['ahead', 'behind'] as const)(
    'would notice a wrong reading of cancellations: %s',
    (cancellations) => {
      const wrong = fidelityOf(
        WRONG_SEEDS.map((seed) => runScenario({ ...scenario, cancellations }, { seed, orders: ORDERS_PER_SEED })),
      );
      expect(Math.abs(wrong.bias), JSON.stringify(wrong)).toBeGreaterThan(BIAS_MOST);
    },
    300_000,
  );

  test('gives the same figures for the same seed', () => {
    const again = runScenario(scenario, { seed: SEEDS[0] ?? 1, orders: 40 });
    expect(again).toEqual(runScenario(scenario, { seed: SEEDS[0] ?? 1, orders: 40 }));
  });
});
