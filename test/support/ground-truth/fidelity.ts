/** The scenarios of law 9, and how far the overlay's fill models are from the truth in each. */

import { CROWD_PROFILE, type CrowdProfile } from '../../../src/simulator/crowd/crowd-profile.ts';
import type { CancellationRule, FillBound } from '../../../src/simulator/overlay/fill-rules.ts';
import type { BotHabits } from './bot.ts';
import { type Judged, type RunOptions, runGroundTruth } from './run.ts';

export interface Scenario {
  readonly name: string;
  /** Whether law 9 sets bounds for this scenario. */
  readonly isGated: boolean;
  readonly crowd: CrowdProfile;
  readonly bot: BotHabits;
  readonly eventsPerMessage: number;
  readonly inPlayDelayMs?: number;
  readonly cancellations?: CancellationRule;
}

/** Shares of stake, from 0 to 1; `bracket`, `conceivable` and `ordered` are shares of orders. */
export interface Fidelity {
  readonly orders: number;
  readonly matched: Readonly<Record<'truth' | FillBound, number>>;
  /** Orders whose true fill lies between the pessimistic and the optimistic model's. */
  readonly bracket: number;
  /** Orders whose true fill lies between the lowest and the highest model's. */
  readonly conceivable: number;
  /** Orders for which the five models are in order. */
  readonly ordered: number;
  /** Central minus truth. */
  readonly bias: number;
  /** Standard error of the bias, from how much the runs differ. */
  readonly biasError: number;
  /** Mean size of central minus truth, order by order. */
  readonly error: number;
  /** Optimistic minus pessimistic. */
  readonly width: number;
  /** Highest minus lowest. */
  readonly widest: number;
}

export const BRACKET_LEAST = 0.99;
export const BIAS_MOST = 0.01;
/** The least share of orders that the interval holds in every scenario. */
export const HARD_BRACKET_LEAST = 0.98;

const CROWD: CrowdProfile = { ...CROWD_PROFILE, ordersPerSecond: 8, blindCancels: true };

const SMALL: BotHabits = {
  levelShareMin: 0.02,
  levelShareMax: 0.1,
  takerShare: 0,
  gapMs: 10_000,
  lifetimeMs: 60_000,
};

const GATED: Scenario = {
  name: 'passive, at most 10 % of a level, uniform cancellations, one event a message',
  isGated: true,
  crowd: CROWD,
  bot: SMALL,
  eventsPerMessage: 1,
};

/** Other settings of `fillRules.cancellations`. */
const RULES: readonly (readonly [name: string, rule: CancellationRule])[] = [
  ['ahead', 'ahead'],
  ['behind', 'behind'],
  ['log', 'log'],
  ['power: 0.5', { power: 0.5 }],
  ['power: 2', { power: 2 }],
  ['power: 3', { power: 3 }],
];

/** The scenario with bounds, and others in which one of its conditions is given up. */
export const SCENARIOS: readonly Scenario[] = [
  GATED,
  ungated('newest order of a level cancelled first', { crowd: { ...CROWD, cancellations: 'newest-first' } }),
  ungated('oldest order of a level cancelled first', { crowd: { ...CROWD, cancellations: 'oldest-first' } }),
  ungated('20 events a message', { eventsPerMessage: 20 }),
  ungated('orders the size of a level', { bot: { ...SMALL, levelShareMin: 0.8, levelShareMax: 1.2 } }),
  ungated('takers mixed in (30 %)', { bot: { ...SMALL, takerShare: 0.3 } }),
  ungated('orders given up after half the time', { bot: { ...SMALL, lifetimeMs: SMALL.lifetimeMs / 2 } }),
  ungated('half as many crowd orders to a level', { crowd: { ...CROWD, ordersPerSecond: 4 } }),
  ungated('in play, 5 s delay, goals with suspensions', { inPlayDelayMs: 5000 }),
  ...RULES.map(([name, cancellations]) => ungated(`the central rule \`${name}\``, { cancellations })),
];

function ungated(name: string, difference: Partial<Scenario>): Scenario {
  return { ...GATED, ...difference, name, isGated: false };
}

export function gatedScenario(): Scenario {
  return GATED;
}

/** The scenarios in which the interval misses the truth most. */
export function hardScenarios(): readonly Scenario[] {
  return SCENARIOS.filter(({ eventsPerMessage, bot }) => eventsPerMessage > 1 || bot.levelShareMax > 1);
}

/** The market shapes that a scenario's runs go through in turn. */
const FIELDS: readonly (readonly number[])[] = [
  [55, 45],
  [45, 28, 27],
  [30, 22, 16, 11, 8, 6, 4, 3],
];

/** One run, on a market of its own that follows from the seed. */
export function runScenario(
  scenario: Scenario,
  { seed, orders }: { readonly seed: number; readonly orders: number },
): readonly Judged[] {
  const weights = FIELDS[seed % FIELDS.length] ?? [1, 1];
  const options: RunOptions = {
    seed,
    crowd: { ...scenario.crowd, ordersPerSecond: (scenario.crowd.ordersPerSecond * weights.length) / 3 },
    bot: scenario.bot,
    weights,
    eventsPerMessage: scenario.eventsPerMessage,
    orders,
    ...(scenario.inPlayDelayMs === undefined ? {} : { inPlayDelayMs: scenario.inPlayDelayMs }),
    ...(scenario.cancellations === undefined ? {} : { cancellations: scenario.cancellations }),
  };
  return runGroundTruth(options);
}

/** The figures over runs with seeds of their own. */
export function fidelityOf(runs: readonly (readonly Judged[])[]): Fidelity {
  const judged = runs.flat();
  const sum = (pick: (order: Judged) => number): number => judged.reduce((total, order) => total + pick(order), 0);
  const count = (test: (order: Judged) => boolean): number => judged.filter(test).length / judged.length;
  const stake = sum((order) => order.stake);
  const share = (bound: FillBound): number => sum((order) => order.byModel[bound]) / stake;
  const bias = sum((order) => order.byModel.central - order.truth) / stake;
  const matched = {
    truth: sum((order) => order.truth) / stake,
    lowest: share('lowest'),
    pessimistic: share('pessimistic'),
    central: share('central'),
    optimistic: share('optimistic'),
    highest: share('highest'),
  };
  return {
    orders: judged.length,
    matched,
    bracket: count(({ truth, byModel }) => byModel.pessimistic <= truth && truth <= byModel.optimistic),
    conceivable: count(({ truth, byModel }) => byModel.lowest <= truth && truth <= byModel.highest),
    ordered: count(isOrdered),
    bias,
    biasError: standardError(runs, bias) / stake,
    error: sum((order) => Math.abs(order.byModel.central - order.truth)) / stake,
    width: matched.optimistic - matched.pessimistic,
    widest: matched.highest - matched.lowest,
  };
}

function isOrdered({ byModel: { lowest, pessimistic, central, optimistic, highest } }: Judged): boolean {
  return lowest <= pessimistic && pessimistic <= central && central <= optimistic && optimistic <= highest;
}

/** The standard error of a ratio of sums, with independent runs whose orders are not independent. */
function standardError(runs: readonly (readonly Judged[])[], bias: number): number {
  let squares = 0;
  for (const run of runs) {
    let rest = 0;
    for (const order of run) rest += order.byModel.central - order.truth - bias * order.stake;
    squares += rest * rest;
  }
  return runs.length < 2 ? Number.NaN : Math.sqrt((squares * runs.length) / (runs.length - 1));
}
