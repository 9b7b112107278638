/** The caps per outcome, market, event, strategy and wallet hold for all strategies and wallets together. */

import { describe, expect, it } from 'vitest';
import { Random } from '../../src/core/number/random.ts';
import { FIGURES, RiskWorld } from '../support/risk/risk-world.ts';

const SEEDS = [1, 2, 3, 4, 5, 6];
const LIMITS = { outcome: 90, market: 110, event: 170, strategy: 200, wallet: 260 };

describe('caps', () => {
  it.each(SEEDS)('are exceeded by nothing we send, and what was adopted is never added to (seed %i)', (seed) => {
    const random = Random.fromSeed(seed);
    const world = new RiskWorld(random, { limits: LIMITS });
    let approved = 0;
    let adopted = 0;
    for (let i = 0; i < 500; i += 1) {
      const candidate = world.candidate();
      const before = world.figures(candidate);
      const verdict = world.place(candidate);
      if (verdict === 'sent') {
        approved += 1;
        const after = world.figures(candidate);
        for (const key of FIGURES) {
          const most = Math.max(LIMITS[key] * 1e6, before[key]);
          expect(after[key], `${key} at step ${i} of seed ${seed}`).toBeLessThanOrEqual(most);
        }
      }
      if (random.chance(0.5)) world.exchangeActs();
      if (random.chance(0.02)) {
        world.adopt(world.candidate());
        adopted += 1;
      }
      if (random.chance(0.03)) world.begin(random.below(world.markets.length));
    }
    expect(approved).toBeGreaterThan(40);
    expect(adopted).toBeGreaterThan(2);
  });

  it.each(SEEDS)('hold to the last unit where nothing is adopted (seed %i)', (seed) => {
    const random = Random.fromSeed(100 + seed);
    const world = new RiskWorld(random, { limits: LIMITS });
    for (let i = 0; i < 400; i += 1) {
      world.place(world.candidate());
      if (random.chance(0.5)) world.exchangeActs();
      const about = world.candidate();
      const figures = world.figures(about);
      for (const key of FIGURES) expect(figures[key], `${key}, step ${i}`).toBeLessThanOrEqual(LIMITS[key] * 1e6);
    }
  });
});
