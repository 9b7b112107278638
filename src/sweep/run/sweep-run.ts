/** Plays a sweep from wherever it stands: generation by generation, each unit once, everything kept as soon as it is known. */

import type { ErrorParts } from '../../core/checks/oddsmith-error.ts';
import { steadyClock } from '../../time/steady-clock.ts';
import type { SweepEngine } from '../engine/engine.ts';
import { figureNamed } from '../result/figures.ts';
import { figureOfRows, hasBet, unmetOf } from '../result/trial-value.ts';
import type { Asks, Score } from '../search/search.ts';
import type { Objective } from '../space/read/objective.ts';
import type { StoredTrial, TrialStore } from '../store/trial-store.ts';
import type { SweepPlan } from '../sweep-plan.ts';
import type { EventPart, UnitGroup } from '../unit/market-groups.ts';
import type { TrialInputs, TrialUnits } from '../unit/trial-inputs.ts';
import { type UnitRow, unpackRow } from '../unit/unit-row.ts';
import { foldPartsOf } from './fold-parts.ts';
import { inOrderOfSearch } from './group-order.ts';
import { playUnits } from './play-units.ts';
import { newSweepSearch, type SweepGeneration, type SweepSearch, type SweepTrial } from './sweep-search.ts';
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
  /** Those that have a score. */
  readonly trials: number;
  readonly units: {
    readonly total: number;
    readonly known: number;
    readonly computed: number;
    readonly failed: number;
  };
  readonly isInterrupted: boolean;
  readonly elapsedMs: number;
}

/** Units that are asked for together. `end` is called as soon as each of them has a row or has failed. */
interface Asked {
  readonly units: readonly QueuedUnit[];
  /** How many of them are in the totals already. */
  readonly counted: number;
  end(): void;
}

/** A trial of a generation with the units that it is played on. */
interface PreparedTrial {
  readonly search: SweepSearch;
  readonly trial: SweepTrial;
  readonly units: readonly QueuedUnit[];
  readonly isWhole: boolean;
}

/** Units that are prepared at once: enough to cut jobs well, few beside the memory of a large search. */
const PREPARED_MAX = 50_000;

/** @throws OddsmithError CONFIG_INVALID where a fold has no events; NO_MARKETS; what an engine or the store throws */
export async function runSweep(parts: SweepParts): Promise<SweepOutcome> {
  return await new SweepRun(parts).run();
}

class SweepRun {
  readonly #parts: SweepParts;
  readonly #configuration: number;
  readonly #clock = steadyClock();
  readonly #costs = new UnitCosts();
  /** The number of units in the totals for each trial of a race, by the trial's number. */
  readonly #counted = new Map<number, number>();
  readonly #searches: readonly SweepSearch[];
  /** Those that have a number, and those that have a score. */
  #numbered = 0;
  #scored = 0;
  #failed: number;
  #best: Score | undefined;
  #total = 0;
  #known = 0;
  #computed = 0;

  constructor(parts: SweepParts) {
    this.#parts = parts;
    const { plan, inputs, store } = parts;
    this.#searches = [undefined, ...foldPartsOf(plan, inputs)].map((fold) => newSweepSearch(plan, inputs, fold));
    this.#configuration = store.configuration({ config: plan.config, objective: plan.objective }, this.#clock.now()).id;
    this.#failed = store.countAside();
  }

  /** First the search over all events, then those of the folds, side by side: so trials have the same numbers with folds and without. */
  async run(): Promise<SweepOutcome> {
    const { signal, store } = this.#parts;
    const startedAt = this.#clock.now();
    for (const { fold } of this.#searches) if (fold !== undefined) store.keepFold(this.#configuration, fold.facts);
    await this.#follow(this.#searches.filter(({ fold }) => fold === undefined));
    await this.#follow(this.#searches.filter(({ fold }) => fold !== undefined));
    if (!signal.aborted) await this.#judge();
    if (!signal.aborted) store.endTrials(this.#configuration, this.#numbered);
    const [total, known, computed] = [this.#total, this.#known, this.#computed];
    return {
      configuration: this.#configuration,
      trials: this.#scored,
      units: { total, known, computed, failed: this.#failed },
      isInterrupted: signal.aborted,
      elapsedMs: this.#clock.now() - startedAt,
    };
  }

  /** One generation of each search at once, so that trials are numbered in an order that no job can change. */
  async #follow(searches: readonly SweepSearch[]): Promise<void> {
    const { signal } = this.#parts;
    let left = searches;
    while (!signal.aborted && left.length > 0) {
      const asked = left.flatMap((search) => {
        const generation = search.next(() => this.#nextNumber());
        return generation === undefined ? [] : [{ search, generation }];
      });
      left = asked.map(({ search }) => search);
      for await (const prepared of this.#prepared(asked)) {
        this.#parts.store.keepTrials(this.#configuration, prepared.map(storedAs('begun')));
        await this.#play(prepared.map((trial) => this.#asked(trial)));
        if (signal.aborted) break;
      }
    }
  }

  #nextNumber(): number {
    this.#numbered += 1;
    return this.#numbered - 1;
  }

  /** The best trial of each fold is played on the events that its search has not seen. */
  async #judge(): Promise<void> {
    const { store } = this.#parts;
    const asked: Asked[] = [];
    for (const { fold, best } of this.#searches) {
      if (fold === undefined) continue;
      const units = best === undefined ? [] : await this.#unitsOf(best, fold.outOfSample);
      const keys = units.map(({ key }) => key);
      store.keepFold(this.#configuration, { ...fold.facts, isSearched: true, trial: best?.number, keys });
      asked.push({ units, counted: 0, end: () => undefined });
    }
    if (asked.length > 0) await this.#play(asked);
  }

  /** Trials with their units, some at a time. */
  async *#prepared(
    asked: readonly { readonly search: SweepSearch; readonly generation: SweepGeneration }[],
  ): AsyncGenerator<readonly PreparedTrial[]> {
    let [some, size]: [PreparedTrial[], number] = [[], 0];
    for (const { search, generation } of asked) {
      for (const trial of generation.trials) {
        const all = await this.#unitsOf(trial, search.fold?.inSample);
        const units = all.slice(0, generation.events);
        some.push({ search, trial, units, isWhole: units.length === all.length });
        size += units.length;
        if (size < PREPARED_MAX) continue;
        yield some;
        [some, size] = [[], 0];
      }
    }
    if (some.length > 0) yield some;
  }

  /** The units of a trial in the order of the search. */
  async #unitsOf({ assignment }: SweepTrial, part: EventPart | undefined): Promise<readonly QueuedUnit[]> {
    const { plan, inputs } = this.#parts;
    const played: TrialUnits = await inputs.unitsOf(plan.trialOf(assignment), part);
    const groups: readonly UnitGroup[] = inOrderOfSearch(played.groups);
    return groups.map((group) => ({ key: played.keyOf(group), trial: played, group }));
  }

  /** A trial of a race comes again with more event groups, of which the first ones were counted. */
  #asked(prepared: PreparedTrial): Asked {
    const { search, trial, units } = prepared;
    const counted = this.#counted.get(trial.number);
    if (search.asks === 'events') this.#counted.set(trial.number, Math.max(counted ?? 0, units.length));
    const end = (): void => {
      if (counted === undefined) this.#scored += 1;
      this.#score(prepared);
    };
    return { units, counted: counted ?? 0, end };
  }

  async #play(all: readonly Asked[]): Promise<void> {
    const { store, engine, signal, onProgress } = this.#parts;
    const left = new Map<Asked, number>();
    const byKey = new Map<string, Asked[]>();
    const missing: QueuedUnit[] = [];
    for (const asked of all) {
      const { units, counted } = asked;
      const unknown = units.filter(({ key }) => !store.isKnown(key));
      left.set(asked, unknown.length);
      this.#total += units.length - counted;
      this.#known += units.length - counted - unknown.length;
      for (const unit of unknown) {
        const asking = byKey.get(unit.key);
        if (asking === undefined) missing.push(unit);
        byKey.set(unit.key, [...(asking ?? []), asked]);
      }
      if (unknown.length === 0) asked.end();
    }
    const tell = (): void => {
      const [total, known, computed] = [this.#total, this.#known, this.#computed];
      onProgress({ known, computed, total, best: this.#best, failures: this.#failed });
    };
    tell();
    const onUnit = (unit: QueuedUnit, error: ErrorParts | undefined): void => {
      if (error !== undefined) this.#failed += 1;
      const asking = byKey.get(unit.key) ?? [];
      this.#computed += 1;
      this.#known += asking.length - 1;
      for (const asked of asking) {
        const rest = (left.get(asked) ?? 0) - 1;
        left.set(asked, rest);
        if (rest === 0) asked.end();
      }
      tell();
    };
    await playUnits({ engine, store, costs: this.#costs, signal, onUnit }, byGroup(missing));
  }

  #score(prepared: PreparedTrial): void {
    const { store, plan } = this.#parts;
    const { search, trial, units, isWhole } = prepared;
    const rows = units.flatMap(({ key, group }): GroupRow[] => {
      const packed = store.row(key);
      const row = packed === undefined ? undefined : unpackRow(packed);
      return row === undefined ? [] : [{ group: group.name, row }];
    });
    const isComplete = rows.length === units.length;
    const { asks } = search;
    const score = scoreTrial(trial.number, rows, { objective: plan.objective, asks, isWhole });
    // The figure of a trial with a hole in it would not be comparable, and one without any event is none.
    const counted = isComplete && units.length > 0 ? score : { ...score, value: undefined };
    search.tell(trial, counted, isWhole);
    if (
      search.fold === undefined &&
      (counted.value ?? Number.NEGATIVE_INFINITY) > (this.#best?.value ?? Number.NEGATIVE_INFINITY)
    )
      this.#best = counted;
    const state = isComplete ? (isWhole ? 'played' : 'pruned') : 'failed';
    store.keepTrials(this.#configuration, [storedAs(state)(prepared)]);
  }
}

function storedAs(state: StoredTrial['state']): (prepared: PreparedTrial) => StoredTrial {
  return ({ search, trial: { number, assignment }, units }) => ({
    ...{ number, assignment, state },
    keys: units.map(({ key }) => key),
    fold: search.fold?.fold,
  });
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

export interface GroupRow {
  /** Name of the event group. */
  readonly group: string;
  readonly row: UnitRow;
}

interface ScoreChoice {
  readonly objective: Objective;
  readonly asks: Asks;
  /** It was played on all events of its search: in a round of a race, which is a part of them, constraints are not asked for yet. */
  readonly isWhole: boolean;
}

/**
 * The score of a trial by the objective of its search: higher is better. `asks`: contributions of event groups are worked out where a
 * search asks for them, and nowhere else.
 */
export function scoreTrial(
  trial: number,
  played: readonly GroupRow[],
  { objective, asks, isWhole }: ScoreChoice,
): Score {
  const { bound, goal } = objective;
  const sign = goal === 'minimize' ? -1 : 1;
  const rows = played.map(({ row }) => row);
  const has = isWhole ? unmetOf(rows, objective).length === 0 : hasBet(rows, bound);
  const whole = has ? figureOfRows(rows, objective) : undefined;
  const value = whole === undefined ? undefined : sign * whole;
  if (asks !== 'events') return { trial, value, byEvent: undefined };
  const figure = figureNamed(objective.figure);
  const byEvent = new Map<string, number>();
  for (const { group, row } of played) {
    const contribution = figure.of({ rows: [row], bound });
    if (contribution !== undefined) byEvent.set(group, sign * contribution);
  }
  return { trial, value, byEvent };
}
