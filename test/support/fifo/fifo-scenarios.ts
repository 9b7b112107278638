/** The crowds that the ground truth is measured with, what is asked of each, and the figures of one. */

import { HABITS } from './fifo-crowd.ts';
import { SMALL } from './fifo-plan.ts';
import type { Judged, Scenario } from './fifo-truth.ts';

export interface Demanded extends Scenario {
  readonly bracketLeast: number;
  /** In points of the stake placed. */
  readonly biasMost: number;
  /** An interval can be true by being wide. */
  readonly widthMost: number;
}

const PLAIN: Demanded = {
  ...{ name: 'thick', crowd: HABITS, plan: SMALL, source: { everyMs: 0 } },
  ...{ bracketLeast: 0.98, biasMost: 2, widthMost: 5 },
};
const HARD = { bracketLeast: 0.96, biasMost: 3, widthMost: 7 };

export const SCENARIOS: readonly Demanded[] = [
  PLAIN,
  { ...PLAIN, name: 'thin', crowd: { ...HABITS, ordersPerSecond: 1.5 } },
  { ...PLAIN, name: 'newest cancelled first', crowd: { ...HABITS, cancels: 'newest-first' } },
  { ...PLAIN, name: 'oldest cancelled first', crowd: { ...HABITS, cancels: 'oldest-first' } },
  { ...PLAIN, name: 'a message each second', source: { everyMs: 1_000 } },
  { ...PLAIN, name: 'the best three levels', source: { everyMs: 0, depth: 3 } },
  { ...PLAIN, name: 'takers who sweep', crowd: { ...HABITS, takerReach: 5, takerSize: 8, takerShare: 0.12 } },
  { ...PLAIN, name: 'whales', crowd: { ...HABITS, whaleShare: 0.02 } },
  { ...PLAIN, name: 'makers who requote', crowd: { ...HABITS, requoting: 16, ordersPerSecond: 4 }, ...HARD },
  { ...PLAIN, name: 'makers who refill', crowd: { ...HABITS, refillShare: 0.7, lifeMs: 100_000 }, ...HARD },
  {
    ...PLAIN,
    name: 'orders the size of a level, in one queue',
    plan: { shareLeast: 0.8, shareMost: 1.2, gapMs: 8_000, lifeMs: 30_000, joinsBest: true },
    ...{ ...HARD, widthMost: 12 },
  },
  {
    ...PLAIN,
    name: 'orders the size of a level, in one queue, that stay long',
    plan: { shareLeast: 0.8, shareMost: 1.2, gapMs: 8_000, lifeMs: 80_000, joinsBest: true },
    ...{ ...HARD, widthMost: 12 },
  },
];

/** Bracket as a share of orders; the rest in points (hundredths) of the stake placed. */
export interface Fidelity {
  readonly orders: number;
  readonly bracket: number;
  readonly bias: number;
  readonly width: number;
  readonly matched: number;
  readonly error: number;
}

export function fidelityOf(judged: readonly Judged[]): Fidelity {
  const sum = (of: (each: Judged) => number): number => judged.reduce((total, each) => total + of(each), 0);
  const points = (of: (each: Judged) => number): number => (100 * sum(of)) / sum(({ stake }) => stake);
  const within = judged.filter(
    ({ truth, delivered }) => delivered.pessimistic <= truth && truth <= delivered.optimistic,
  );
  return {
    orders: judged.length,
    bracket: within.length / judged.length,
    bias: points(({ truth, delivered }) => delivered.central - truth),
    width: points(({ delivered }) => delivered.optimistic - delivered.pessimistic),
    matched: points(({ truth }) => truth),
    error: points(({ truth, delivered }) => Math.abs(delivered.central - truth)),
  };
}

/** What of a scenario's demands does not hold; undefined where all do. */
export function breachOf(asked: Demanded, { bracket, bias, width }: Fidelity): string | undefined {
  if (bracket < asked.bracketLeast)
    return `the interval holds ${100 * bracket} % of orders, of ${100 * asked.bracketLeast}`;
  if (Math.abs(bias) > asked.biasMost) return `the central bias is ${bias} points, of ${asked.biasMost}`;
  return width > asked.widthMost ? `the interval is ${width} points wide, of ${asked.widthMost}` : undefined;
}
