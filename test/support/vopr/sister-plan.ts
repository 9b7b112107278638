/** What happens to another run of the same app in one life, and the first run beside it. */

import type { Random } from '../../../src/core/number/random.ts';

export interface SisterAct {
  readonly afterMs: number;
  readonly kind: 'start' | 'kill' | 'pause' | 'end';
}

/** Longer than any heartbeat, and what it may be late by. */
export const PAUSE_MS = 40_000;

/** What happens to the other run in one life, and to the first run beside it. */
export interface SisterPlan {
  readonly acts: readonly SisterAct[];
  /** What happens to the first run meanwhile, and for how long. */
  readonly first: { readonly afterMs: number; readonly kind: 'kill' | 'pause' | 'goesOn'; readonly forMs: number };
}

/** For as long as these lives need: a pause, or a death, that outlasts the heartbeat. */
export const SISTERS_MS = 62_000;

/** How often its start is tried. */
const START_EVERY_MS = 2_000;

/**
 * Mostly the first run dies, and the other one is started while the first one's heartbeat is active; then the other run dies, and the
 * first one is back before the other's heartbeat has lapsed, or long after.
 */
export function sisterPlan(random: Random): SisterPlan {
  const kind = random.chance(0.7) ? 'kill' : random.chance(0.5) ? 'pause' : 'goesOn';
  const at = 7_000 + random.below(4_000);
  const endsAt = at + 19_000 + random.below(12_000);
  const isUntouched = random.chance(0.25);
  // Again and again: its start is tried in every state of the first run.
  const startsUntil = isUntouched ? SISTERS_MS : endsAt + random.below(4_000) - 2_000;
  const starts = Array.from({ length: Math.floor(startsUntil / START_EVERY_MS) }, (_, index) => ({
    ...{ afterMs: random.below(1_500) + index * START_EVERY_MS, kind: 'start' as const },
  }));
  const ending = random.chance(0.6) ? 'kill' : random.chance(0.5) ? 'pause' : 'end';
  const acts = isUntouched ? starts : [...starts, { afterMs: endsAt, kind: ending } as const];
  const forMs = isUntouched ? PAUSE_MS : endsAt - at - 1_000 + random.below(6_000);
  return { acts, first: { afterMs: at, kind, forMs } };
}
