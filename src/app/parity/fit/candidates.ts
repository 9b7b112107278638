/** The cancellation models that a run's fills are compared with. */

import type { CancellationRule } from '../../../simulator/overlay/fill-rules.ts';

/** Powers are given in quarters, and beyond 4 hardly differ from one another. */
const POWER_STEP = 0.25;
const POWER_MAX = 4;

/** From all behind us to all ahead of us. `pro-rata` is the power of 1. */
export const CANDIDATES: readonly CancellationRule[] = ['behind', 'log', ...powers(), 'ahead'];

function powers(): readonly CancellationRule[] {
  return Array.from({ length: POWER_MAX / POWER_STEP }, (_, index) => {
    const power = (index + 1) * POWER_STEP;
    return power === 1 ? 'pro-rata' : { power };
  });
}
