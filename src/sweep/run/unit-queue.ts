/** The units that are left to play, cut into jobs of a few seconds by what units were seen to cost. */

import type { StrategyBundle } from '../../loader/strategy-loader-bundle.ts';
import type { GroupOrder, SweepJob, TrialOrder, UnitOrder } from '../engine/engine.ts';
import type { UnitGroup } from '../unit/market-groups.ts';
import type { TrialUnits } from '../unit/trial-inputs.ts';
import type { UnitCosts } from './unit-costs.ts';

export interface QueuedUnit {
  readonly key: string;
  readonly trial: TrialUnits;
  readonly group: UnitGroup;
}

/** What a job is to take: long beside what it costs to give it out, short beside a sweep. */
const JOB_MS = 3_000;
/** Before the first unit was measured. */
const FIRST_JOB_MS = 200;
/** This many jobs are left for each that can be at play, so that all end at about the same time. */
const SHARES = 4;
const UNITS_MAX = 4_096;

export class UnitQueue {
  readonly #costs: UnitCosts;
  /** The last one is the next. */
  readonly #waiting: QueuedUnit[];
  #leftMs = 0;

  /** Units of one event group are to stand together, so that a job reads few markets for many trials. */
  constructor(units: readonly QueuedUnit[], costs: UnitCosts) {
    this.#costs = costs;
    this.#waiting = units.toReversed();
  }

  get size(): number {
    return this.#waiting.length;
  }

  /** Units that came back from a job that died. */
  again(units: readonly QueuedUnit[]): void {
    this.#waiting.push(...units.toReversed());
  }

  /** The units of the next job; empty where none is left. */
  take(slots: number): readonly QueuedUnit[] {
    this.#leftMs = this.#waiting.reduce((sum, { group }) => sum + this.#costs.expectedMs(group), 0);
    const share = this.#leftMs / (SHARES * Math.max(1, slots));
    const aim = this.#costs.isMeasured ? Math.min(JOB_MS, share) : FIRST_JOB_MS;
    const taken: QueuedUnit[] = [];
    for (let ms = 0; ms < aim && taken.length < UNITS_MAX; ) {
      const unit = this.#waiting.pop();
      if (unit === undefined) break;
      taken.push(unit);
      ms += this.#costs.expectedMs(unit.group);
    }
    return taken;
  }
}

/** One job of some units: what they share stands in it once. */
export function jobOf(number: number, units: readonly QueuedUnit[]): SweepJob {
  const trials = new Map<TrialUnits, number>();
  const groups = new Map<UnitGroup, number>();
  const bundles = new Map<string, StrategyBundle>();
  const orders = units.map(({ key, trial, group }): UnitOrder => {
    for (const bundle of trial.bundles) bundles.set(bundle.sha256, bundle);
    return { key, trial: placeIn(trials, trial), group: placeIn(groups, group) };
  });
  return {
    number,
    trials: Array.from(trials.keys(), ({ order }): TrialOrder => order),
    groups: Array.from(groups.keys(), ({ name, markets, sha256 }): GroupOrder => ({ name, markets, sha256 })),
    bundles: [...bundles.values()],
    units: orders,
  };
}

function placeIn<T>(places: Map<T, number>, thing: T): number {
  const known = places.get(thing);
  if (known !== undefined) return known;
  places.set(thing, places.size);
  return places.size - 1;
}
