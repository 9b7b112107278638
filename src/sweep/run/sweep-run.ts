/** Plays a sweep from wherever it stands: generation by generation, each unit once, everything kept as soon as it is known. */

import type { ErrorParts } from '../../core/checks/oddsmith-error.ts';
import { steadyClock } from '../../time/steady-clock.ts';
import type { SweepEngine } from '../engine/engine.ts';
import { type GroupRow, scoreTrial } from '../result/score-trial.ts';
import type { Score, Trial } from '../search/search.ts';
import type { StoredTrial, TrialStore } from '../store/trial-store.ts';
import type { SweepPlan } from '../sweep-plan.ts';
import type { UnitGroup } from '../unit/market-groups.ts';
import type { TrialInputs, TrialUnits } from '../unit/trial-inputs.ts';
import { unpackRow } from '../unit/unit-row.ts';
import { inOrderOfSearch } from './group-order.ts';
import { signedRanks } from './paired-test.ts';
import { playUnits } from './play-units.ts';
import { UnitCosts } from './unit-costs.ts';
import type { QueuedUnit } from './unit-queue.ts';

export interface SweepParts {
  readonly plan: SweepPlan;
  readonly engine: SweepEngine;
  readonly store: TrialStore;
  readonly inputs: TrialInputs;
  /** Once it is aborted the sweep ends soon: what was played by then is kept. */
  readonly signal: AbortSignal;
  onProgress(progress: SweepProgress): void;
}

export interface SweepProgress {
  /** Units of the generations so far. */
  readonly total: number;
  /** Those that were computed before, or for another trial. */
  readonly known: number;
  /** Those that were played by this process, also where they failed. */
  readonly computed: number;
  readonly best: Score | undefined;
  readonly failures: number;
}

export interface SweepOutcome {
  readonly configuration: number;
  readonly scores: ReadonlyMap<number, Score>;
  readonly units: {
    readonly total: number;
    readonly known: number;
    readonly computed: number;
    readonly failed: number;
  };
  /** By the key of its unit. */
  readonly failures: ReadonlyMap<string, ErrorParts>;
  readonly isInterrupted: boolean;
  readonly elapsedMs: number;
}

/** A trial of a generation with the units that it is played on. */
interface PreparedTrial {
  readonly trial: Trial;
  readonly units: readonly QueuedUnit[];
  readonly isWhole: boolean;
}

/** Units that are prepared at once: enough to cut jobs well, few beside the memory of a large search. */
const PREPARED_MAX = 50_000;

export async function runSweep(parts: SweepParts): Promise<SweepOutcome> {
  return await new SweepRun(parts).run();
}

class SweepRun {
  readonly #parts: SweepParts;
  readonly #configuration: number;
  readonly #clock = steadyClock();
  readonly #costs = new UnitCosts();
  readonly #scores = new Map<number, Score>();
  readonly #failures = new Map<string, ErrorParts>();
  /** By number of the trial: how many of its units are in the totals. */
  readonly #counted = new Map<number, number>();
  #best: Score | undefined;
  #total = 0;
  #known = 0;
  #computed = 0;

  constructor(parts: SweepParts) {
    this.#parts = parts;
    const { plan } = parts;
    this.#configuration = parts.store.configuration(
      { config: plan.config, objective: plan.objective },
      this.#clock.now(),
    ).id;
    for (const { key, error, isAside } of parts.store.failures().values()) if (isAside) this.#failures.set(key, error);
  }

  async run(): Promise<SweepOutcome> {
    const { plan, inputs, signal } = this.#parts;
    const startedAt = this.#clock.now();
    const search = plan.search({ events: inputs.countGroups(plan.config), test: signedRanks });
    while (!signal.aborted) {
      const generation = search.next(this.#scores);
      if (generation === undefined) break;
      for await (const prepared of this.#prepared(generation.trials, generation.events)) {
        await this.#play(prepared);
        if (signal.aborted) break;
      }
    }
    const [total, known, computed] = [this.#total, this.#known, this.#computed];
    return {
      configuration: this.#configuration,
      scores: this.#scores,
      units: { total, known, computed, failed: this.#failures.size },
      failures: this.#failures,
      isInterrupted: signal.aborted,
      elapsedMs: this.#clock.now() - startedAt,
    };
  }

  /** Trials with their units, some at a time. */
  async *#prepared(trials: readonly Trial[], events: number | undefined): AsyncGenerator<readonly PreparedTrial[]> {
    let [some, size]: [PreparedTrial[], number] = [[], 0];
    for (const trial of trials) {
      const prepared = await this.#prepare(trial, events);
      some.push(prepared);
      size += prepared.units.length;
      if (size < PREPARED_MAX) continue;
      yield some;
      [some, size] = [[], 0];
    }
    if (some.length > 0) yield some;
  }

  async #prepare(trial: Trial, events = Number.POSITIVE_INFINITY): Promise<PreparedTrial> {
    const { plan, inputs } = this.#parts;
    const played: TrialUnits = await inputs.unitsOf(plan.optionsOf(trial.assignment));
    const groups: readonly UnitGroup[] = inOrderOfSearch(played.groups);
    const units = groups.slice(0, events).map((group) => ({ key: played.keyOf(group), trial: played, group }));
    return { trial, units, isWhole: units.length === groups.length };
  }

  async #play(trials: readonly PreparedTrial[]): Promise<void> {
    const { store, engine, signal, onProgress } = this.#parts;
    store.keepTrials(this.#configuration, trials.map(storedAs('begun')));
    const left = new Map<PreparedTrial, number>();
    const byKey = new Map<string, PreparedTrial[]>();
    const missing: QueuedUnit[] = [];
    for (const trial of trials) {
      const unknown = trial.units.filter(({ key }) => !this.#failures.has(key) && store.row(key) === undefined);
      left.set(trial, unknown.length);
      this.#count(trial, unknown.length);
      for (const unit of unknown) {
        const asked = byKey.get(unit.key);
        if (asked === undefined) missing.push(unit);
        byKey.set(unit.key, [...(asked ?? []), trial]);
      }
      if (unknown.length === 0) this.#score(trial);
    }
    const tell = (): void => {
      const [total, known, computed] = [this.#total, this.#known, this.#computed];
      onProgress({ known, computed, total, best: this.#best, failures: this.#failures.size });
    };
    tell();
    const onUnit = (unit: QueuedUnit, error: ErrorParts | undefined): void => {
      if (error !== undefined) this.#failures.set(unit.key, error);
      const asking = byKey.get(unit.key) ?? [];
      this.#computed += 1;
      this.#known += asking.length - 1;
      for (const trial of asking) {
        const rest = (left.get(trial) ?? 0) - 1;
        left.set(trial, rest);
        if (rest === 0) this.#score(trial);
      }
      tell();
    };
    await playUnits({ engine, store, costs: this.#costs, signal, onUnit }, byGroup(missing));
  }

  /** A trial of a race comes again with more event groups, of which the first ones were counted. */
  #count({ trial, units }: PreparedTrial, unknown: number): void {
    const counted = this.#counted.get(trial.number) ?? 0;
    this.#counted.set(trial.number, Math.max(counted, units.length));
    this.#total += units.length - counted;
    this.#known += units.length - counted - unknown;
  }

  #score(prepared: PreparedTrial): void {
    const { store, plan } = this.#parts;
    const { trial, units, isWhole } = prepared;
    const rows = units.flatMap(({ key, group }): GroupRow[] => {
      const packed = store.row(key);
      const row = packed === undefined ? undefined : unpackRow(packed);
      return row === undefined ? [] : [{ group: group.name, row }];
    });
    const isComplete = rows.length === units.length;
    const score = scoreTrial(trial.number, rows, plan.objective);
    // The figure of a trial with a hole in it would not be comparable.
    const counted = isComplete ? score : { ...score, value: undefined };
    this.#scores.set(trial.number, counted);
    if ((counted.value ?? Number.NEGATIVE_INFINITY) > (this.#best?.value ?? Number.NEGATIVE_INFINITY))
      this.#best = counted;
    const state = isComplete ? (isWhole ? 'played' : 'pruned') : 'failed';
    store.keepTrials(this.#configuration, [storedAs(state)(prepared)]);
  }
}

function storedAs(state: StoredTrial['state']): (prepared: PreparedTrial) => StoredTrial {
  return ({ trial, units }) => ({ ...trial, state, keys: units.map(({ key }) => key) });
}

/** Units of one event group together. */
function byGroup(units: readonly QueuedUnit[]): readonly QueuedUnit[] {
  const groups = new Map<UnitGroup, QueuedUnit[]>();
  for (const unit of units) {
    const group = groups.get(unit.group);
    if (group === undefined) groups.set(unit.group, [unit]);
    else group.push(unit);
  }
  return [...groups.values()].flat();
}
