/** What befalls another run of the same app in one life, and the first run beside it. */

import type { Random } from '../../../src/core/random.ts';

export interface SisterAct {
  readonly afterMs: number;
  readonly kind: 'start' | 'kill' | 'pause' | 'end';
}

/** Longer than any heartbeat, and what it may be late by. */
export const PAUSE_MS = 40_000;

/** What befalls her in one life, and the first run beside her. */
export interface SisterPlan {
  readonly acts: readonly SisterAct[];
  /** What becomes of the first run meanwhile, for so long. */
  readonly first: { readonly afterMs: number; readonly kind: 'kill' | 'pause' | 'goesOn' };
}

/** For as long as these lives need: a pause, or a death, that outlasts the heartbeat. */
export const SISTERS_MS = 56_000;

export function sisterPlan(random: Random): SisterPlan {
  const first = (['kill', 'pause', 'goesOn'] as const)[random.below(3)] ?? 'goesOn';
  const at = 9_000 + random.below(4_000);
  // Again and again: in every state of the first run somebody tries to start her.
  const starts = Array.from({ length: 20 }, (_, index) => ({
    ...{ afterMs: random.below(1_500) + index * 2_000, kind: 'start' as const },
  }));
  const ending = (['kill', 'pause', 'end'] as const)[random.below(3)] ?? 'end';
  const isUntouched = first === 'kill' && random.chance(0.7);
  const acts = isUntouched ? starts : [...starts, { afterMs: at + 1_000 + random.below(6_000), kind: ending }];
  return { acts, first: { afterMs: at, kind: first } };
}
