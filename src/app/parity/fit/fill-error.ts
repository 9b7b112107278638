/** How far a model's filling of one order is from the run's: the difference of the filled shares, averaged over time. */

import type { ModelFill } from './replay-orders.ts';
import type { RunOrder } from './run-orders.ts';

/** An order of the run while it rested, up to where its comparison ends. */
export interface RestedOrder {
  readonly order: RunOrder;
  readonly from: number;
  readonly to: number;
}

interface FillError {
  /** A number from 0 to 1. */
  readonly error: number;
  /** What the model had filled by the end, of what rested. */
  readonly filled: number;
}

interface Step {
  readonly at: number;
  /** How much of what rested is filled from this time on. */
  readonly stake: number;
}

/**
 * 1 ÷ (to − from) × ∫ |R(t) − M(t)| dt, where R and M are the shares of what rested that the run and the model had filled by t. Exact,
 * since both are steps.
 */
export function fillError({ order, from, to }: RestedOrder, fills: readonly ModelFill[]): FillError {
  const rested = restedStake(order);
  const run = order.fills.map(({ at, matched }) => ({ at, stake: matched - order.taken }));
  const model = stepsOf(order, fills);
  const times = [...run, ...model].map(({ at }) => at).filter((at) => at > from && at < to);
  const cuts = [from, ...times.sort((a, b) => a - b), to];
  let area = 0;
  for (let i = 1; i < cuts.length; i += 1) {
    const [since = 0, until = 0] = [cuts[i - 1], cuts[i]];
    area += Math.abs(stakeAt(run, since) - stakeAt(model, since)) * (until - since);
  }
  return { error: area / (rested * (to - from)), filled: stakeAt(model, to) };
}

/** What the order had left when it came to rest. */
export function restedStake({ terms, taken }: RunOrder): number {
  return terms.stake - taken;
}

/** What of it the run had filled by a time. */
export function runFilled(order: RunOrder, at: number): number {
  return (order.fills.findLast((fill) => fill.at <= at)?.matched ?? order.taken) - order.taken;
}

function stepsOf({ taken }: RunOrder, fills: readonly ModelFill[]): readonly Step[] {
  let sum = -taken;
  return fills.map(({ at, stake }) => {
    sum += stake;
    return { at, stake: sum };
  });
}

function stakeAt(steps: readonly Step[], at: number): number {
  return Math.max(0, steps.findLast((step) => step.at <= at)?.stake ?? 0);
}
