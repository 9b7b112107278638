/**
 * Each fold searched alone, by plain nested loops over tapes that hold its events in sample and no others: slow, obvious, and the judge
 * of the sweep that plays all folds side by side.
 */

import { loadSweep } from '../../../src/app/config/resolve/load-sweep.ts';
import { openTapes } from '../../../src/app/sweep/open-sweep.ts';
import { defined } from '../../../src/core/checks/assert.ts';
import { FIGURES } from '../../../src/sweep/result/figures.ts';
import { inOrderOfSearch } from '../../../src/sweep/run/group-order.ts';
import { type GroupRow, scoreTrial } from '../../../src/sweep/run/sweep-run.ts';
import { signedRanks } from '../../../src/sweep/run/sweep-search.ts';
import { jobOf } from '../../../src/sweep/run/unit-queue.ts';
import type { Score } from '../../../src/sweep/search/search.ts';
import type { Assignment } from '../../../src/sweep/space/dimension.ts';
import type { FoldChoice } from '../../../src/sweep/space/read/read-folds.ts';
import type { SweepPlan } from '../../../src/sweep/sweep-plan.ts';
import { TrialInputs } from '../../../src/sweep/unit/trial-inputs.ts';
import { UnitPlayer } from '../../../src/sweep/unit/unit-player.ts';
import { unpackRow } from '../../../src/sweep/unit/unit-row.ts';
import { DAY, MINUTE } from '../made-races.ts';
import { naiveFolds } from './naive-folds.ts';

export interface NaiveTrial {
  readonly assignment: Assignment;
  /** Of the rows that it was played on last, in order: the key with the bytes. */
  readonly rows: readonly string[];
}

export interface NaiveSearch {
  /** Undefined: over all events. */
  readonly fold: number | undefined;
  readonly trials: readonly NaiveTrial[];
  /** Of a fold: the best trial, and its rows on the events out of sample. */
  readonly best: Assignment | undefined;
  readonly outside: readonly string[];
}

/** `tapes`: one for each race, in the order of their number. */
export async function naiveSearches(
  config: string,
  tapes: readonly string[],
  choice: FoldChoice,
): Promise<readonly NaiveSearch[]> {
  const plan = await loadSweep(config, Object.keys(FIGURES));
  const events = tapes.map((_, race) => {
    const startsAt = DAY + race * 5 * MINUTE;
    return { name: `race-${race}`, startsAt, endsAt: startsAt + MINUTE };
  });
  const searches = [await naiveSearch(plan, { fold: undefined, inside: tapes, outside: [] })];
  for (const [index, { inSample, outOfSample }] of naiveFolds(events, choice).entries()) {
    const [inside, outside] = [inSample, outOfSample].map((races) => races.map((race) => tapes[race] ?? ''));
    searches.push(await naiveSearch(plan, { fold: index + 1, inside: inside ?? [], outside: outside ?? [] }));
  }
  return searches;
}

interface Sides {
  readonly fold: number | undefined;
  readonly inside: readonly string[];
  readonly outside: readonly string[];
}

async function naiveSearch(plan: SweepPlan, { fold, inside, outside }: Sides): Promise<NaiveSearch> {
  using player = new NaivePlayer(plan, inside);
  const search = plan.search({ events: player.groups, test: signedRanks });
  const [trials, scores] = [new Map<number, NaiveTrial>(), new Map<number, Score>()];
  const whole: { readonly assignment: Assignment; readonly value: number }[] = [];
  for (let next = search.next(scores); next !== undefined; next = search.next(scores)) {
    for (const { number, assignment } of next.trials) {
      const { rows, score, isWhole } = await player.play(number, assignment, next.events);
      scores.set(number, score);
      trials.set(number, { assignment, rows });
      if (isWhole && score.value !== undefined) whole.push({ assignment, value: score.value });
    }
  }
  const highest = Math.max(...whole.map(({ value }) => value));
  const best = whole.find(({ value }) => value === highest)?.assignment;
  const played = [...trials.values()];
  if (fold === undefined || best === undefined) return { fold, trials: played, best: undefined, outside: [] };
  using other = new NaivePlayer(plan, outside);
  return { fold, trials: played, best, outside: (await other.play(0, best)).rows };
}

class NaivePlayer implements Disposable {
  readonly #plan: SweepPlan;
  readonly #opened: ReturnType<typeof openTapes>;
  readonly #inputs: TrialInputs;
  readonly #player: UnitPlayer;

  constructor(plan: SweepPlan, tapes: readonly string[]) {
    this.#plan = plan;
    this.#opened = openTapes(tapes);
    this.#inputs = new TrialInputs(this.#opened.tapes, 'build');
    this.#player = new UnitPlayer(tapes);
  }

  get groups(): number {
    return this.#inputs.countGroups(this.#plan.config);
  }

  async play(number: number, assignment: Assignment, events?: number) {
    const trial = await this.#inputs.unitsOf(this.#plan.trialOf(assignment));
    const all = inOrderOfSearch(trial.groups);
    const groups = all.slice(0, events);
    const [rows, played]: [string[], GroupRow[]] = [[], []];
    for (const group of groups) {
      const key = trial.keyOf(group);
      const job = jobOf(1, [{ key, trial, group }]);
      const [unit] = job.units;
      const result = await this.#player.play(job, defined(unit, 'one unit'), { onPlayed: () => undefined });
      if (result.kind === 'failed') throw new Error(result.error.what);
      rows.push(rowText(key, result.row));
      played.push({ group: group.name, row: defined(unpackRow(result.row), 'a row of this version') });
    }
    const isWhole = groups.length === all.length;
    const score = scoreTrial(number, played, { objective: this.#plan.objective, asks: 'events', isWhole });
    return { rows, score, isWhole };
  }

  [Symbol.dispose](): void {
    this.#player.close();
    this.#opened[Symbol.dispose]();
  }
}

export function rowText(key: string, row: Uint8Array | undefined): string {
  return `${key} ${row === undefined ? 'missing' : Buffer.from(row).toString('base64')}`;
}
