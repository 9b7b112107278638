/** The life of one synthetic market as a list of planned steps: opening, suspensions with jumps, in play, its end. */

import type { Random } from '../../core/number/random.ts';
import { type Instant, instant } from '../../core/number/units.ts';

/** One step of a market's life. */
export type LifeStep = { readonly at: Instant } & (
  | { readonly kind: 'open' }
  | { readonly kind: 'goInPlay' }
  /** Something happened on the field: trading stops, and a moment later the crowd's orders lapse. */
  | { readonly kind: 'suspend' }
  | { readonly kind: 'lapse' }
  /** Trading resumes; with `jump` at new odds. */
  | { readonly kind: 'resume'; readonly jump: boolean }
  | { readonly kind: 'remove'; readonly outcome: number; readonly basis: 'win' | 'place' }
  | { readonly kind: 'lock' }
  | { readonly kind: 'settle' }
  | { readonly kind: 'void' }
);

/** When a market opens, goes in play and ends, and what happens to it. */
export interface MatchPlan {
  readonly opensAt: Instant;
  /** When the market goes in play; absent: never. */
  readonly startsAt?: Instant;
  readonly endsAt: Instant;
  /** The mean number of goals, wickets or falls while in play. */
  readonly jumpsMean: number;
  /** A non-runner, removed halfway to the start. */
  readonly removes?: { readonly outcome: number; readonly basis: 'win' | 'place' };
  readonly ending: 'settle' | 'void';
}

const LAPSE_AFTER_MS = 200;
const SUSPENDED_MIN_MS = 5_000;
const SUSPENDED_MEAN_MS = 15_000;
const SETTLE_AFTER_MS = 30_000;

/** The planned steps, in order of time. */
export function planLife(plan: MatchPlan, random: Random): readonly LifeStep[] {
  const steps: LifeStep[] = [{ at: plan.opensAt, kind: 'open' }];
  const playsUntil = plan.startsAt ?? plan.endsAt;
  if (plan.removes !== undefined) {
    const at = instant(plan.opensAt + Math.floor((playsUntil - plan.opensAt) / 2));
    steps.push({ at, kind: 'suspend' });
    steps.push({ at: instant(at + 1000), kind: 'remove', ...plan.removes });
    steps.push({ at: instant(at + SUSPENDED_MIN_MS), kind: 'resume', jump: false });
  }
  if (plan.startsAt !== undefined) steps.push({ at: plan.startsAt, kind: 'goInPlay' });
  if (plan.startsAt !== undefined) steps.push(...jumps(plan.startsAt, plan, random));
  if (plan.ending === 'void') return [...steps, { at: plan.endsAt, kind: 'void' }];
  const settlesAt = instant(plan.endsAt + SETTLE_AFTER_MS);
  return [...steps, { at: plan.endsAt, kind: 'lock' }, { at: settlesAt, kind: 'settle' }];
}

/** Jumps as Poisson arrivals. None begins before the one before is over, or so late that it would outlast the match. */
function jumps(from: Instant, plan: MatchPlan, random: Random): LifeStep[] {
  const steps: LifeStep[] = [];
  if (plan.jumpsMean <= 0) return steps;
  const meanGap = (plan.endsAt - from) / plan.jumpsMean;
  let at = from + 1 + Math.floor(random.exponential() * meanGap);
  for (;;) {
    const resumesAt = at + SUSPENDED_MIN_MS + Math.floor(random.exponential() * SUSPENDED_MEAN_MS);
    if (resumesAt >= plan.endsAt) return steps;
    steps.push({ at: instant(at), kind: 'suspend' });
    steps.push({ at: instant(at + LAPSE_AFTER_MS), kind: 'lapse' });
    steps.push({ at: instant(resumesAt), kind: 'resume', jump: true });
    at = resumesAt + 1 + Math.floor(random.exponential() * meanGap);
  }
}
