/** Folds that search by themselves: each is what its search alone would be, and sees nothing of the events that it is judged on. */

import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openStore } from '../../../src/app/sweep/open-sweep.ts';
import type { JobEnd, SweepJob, UnitResult } from '../../../src/sweep/engine/engine.ts';
import { foldChoiceOf } from '../../../src/sweep/space/read/read-folds.ts';
import { run } from '../../app/fake-terminal.ts';
import {
  CROSS,
  type FoldScenario,
  foldStage,
  foldTapes,
  LEAST,
  RACE,
  THIRDS,
  TPE,
  WALK,
} from '../../support/sweep/fold-stage.ts';
import { type NaiveSearch, naiveSearches, rowText } from '../../support/sweep/naive-fold-searches.ts';
import { OwnEngine } from '../../support/sweep/own-engine.ts';
import { raceTape, type StageEnd, type SweepStage } from '../../support/sweep/sweep-stage.ts';

interface Scenario extends FoldScenario {
  readonly name: string;
  /** The folds are to go ways of their own: else nothing would be seen of what they learn. */
  readonly isLearning?: boolean;
}

async function played(stage: SweepStage): Promise<StageEnd> {
  return await stage.play({ engine: new OwnEngine(stage.tapes) });
}

/** What the sweep has kept, in the form of the naive one. */
async function keptSearches(stage: SweepStage): Promise<readonly NaiveSearch[]> {
  using opened = openStore(join(stage.out, 'small'));
  const { store } = opened;
  const trials = [...store.trials(1)];
  const textsOf = (keys: readonly string[]) => keys.map((key) => rowText(key, store.row(key)));
  const folds = store.folds(1);
  return [undefined, ...folds].map((fold): NaiveSearch => {
    const own = trials.filter((trial) => trial.fold === fold?.fold);
    return {
      fold: fold?.fold,
      trials: own.map(({ assignment, keys }) => ({ assignment, rows: textsOf(keys) })),
      best: trials.find(({ number }) => number === fold?.trial)?.assignment,
      outside: textsOf(fold?.keys ?? []),
    };
  });
}

const SCENARIOS: readonly Scenario[] = [
  { name: 'grid, none', search: 'grid', isolate: 'none', folds: WALK },
  { name: 'sobol, strategy', search: { method: 'sobol', trials: 3 }, isolate: 'strategy', folds: CROSS },
  { name: 'tpe, event', search: TPE, isolate: 'event', folds: WALK, isLearning: true },
  { name: 'tpe, market', search: TPE, isolate: 'market', folds: CROSS, isLearning: true },
  { name: 'tpe, none', search: TPE, isolate: 'none', folds: CROSS, isLearning: true },
  { name: 'race, event', search: RACE, isolate: 'event', folds: THIRDS, objective: LEAST, isLearning: true },
  { name: 'race, none', search: RACE, isolate: 'none', folds: WALK },
];

describe('the searches of a sweep are those of each fold alone, over its events in sample and no others', () => {
  test.each(SCENARIOS)('$name', async (scenario) => {
    const stage = foldStage(scenario);
    const { outcome, counts } = await played(stage);
    const judge = await naiveSearches(stage.config, foldTapes(), foldChoiceOf(scenario.folds));
    const kept = await keptSearches(stage);
    expect(kept).toEqual(judge);
    expect(kept).toHaveLength(1 + scenario.folds.count);
    const ways = kept.map(({ trials }) =>
      JSON.stringify(trials.map(({ assignment, rows }) => [assignment, rows.length])),
    );
    if (scenario.isLearning) expect(new Set(ways).size).toBeGreaterThan(2);
    // As they would be without folds.
    expect(numbers(stage)).toEqual(judge[0]?.trials.map((_, number) => number));
    // Units that several searches ask for are played once.
    const asked = judge.flatMap(({ trials, outside }) => [...trials.flatMap(({ rows }) => rows), ...outside]);
    expect(counts).toEqual({ units: new Set(asked).size, computed: new Set(asked).size });
    expect(outcome.units).toMatchObject({ total: asked.length, computed: counts.units, failed: 0 });
  });
});

/** Of the trials of the search over all events. */
function numbers(stage: SweepStage): readonly number[] {
  using opened = openStore(join(stage.out, 'small'));
  return [...opened.store.trials(1)].filter(({ fold }) => fold === undefined).map(({ number }) => number);
}

describe('what is recorded of an event out of sample changes nothing that its fold has tried or chosen', () => {
  test.each([
    { name: 'tpe, event', search: TPE, isolate: 'event', folds: CROSS },
    { name: 'race, none', search: RACE, isolate: 'none', folds: CROSS },
  ])('$name', async (scenario) => {
    const [one, two] = [foldStage(scenario), foldStage(scenario)];
    // Of the second block, on which the second fold is judged, and which the others search.
    two.tapes[4] = raceTape(4, 5, 99);
    await played(one);
    await played(two);
    const [before, after] = [await keptSearches(one), await keptSearches(two)];
    const changed = before.map(({ trials, best }, at) => {
      const other = after[at];
      return JSON.stringify([trials, best]) !== JSON.stringify([other?.trials, other?.best]);
    });
    expect(changed).toEqual([true, true, false, true]);
    expect(before[2]?.outside).not.toEqual(after[2]?.outside);
  });
});

test('trials that a search proposes no more stay counted, and those that it proposes now take their places', async () => {
  const scenario = { search: TPE, isolate: 'none', folds: CROSS };
  const OTHERS = 'if ((Math.floor(params.ticks * 5) + market.id.charCodeAt(4) * 3) % 7 > 3) return [];';
  const [stage, fresh] = [foldStage(scenario), foldStage(scenario)];
  const before = await played(stage);
  for (const each of [stage, fresh]) each.writeStrategy(OTHERS);
  const [after, alone] = [await played(stage), await played(fresh)];
  expect(after.sha256).not.toBe(before.sha256);
  expect(after.sha256).toBe(alone.sha256);
  expect(await keptSearches(stage)).toEqual(await keptSearches(fresh));
  expect(after.tried.trials).toBeGreaterThan(alone.tried.trials);
});

test('where a unit out of sample has failed, folds are not known, and in sample nothing of it is seen', async () => {
  const stage = foldStage({ search: 'grid', isolate: 'none', folds: WALK });
  const { outcome } = await stage.play({ engine: new FailingEngine(stage.tapes, 'win-8') });
  // Each trial over all events, and the best one of the last fold.
  expect(outcome.units).toMatchObject({ total: 14, failed: 5 });
  const { out } = await run('sweep', 'top', join(stage.out, 'small'), '--json');
  expect(JSON.parse(out).statistics.folds).toMatchObject({
    kind: 'notKnown',
    reason: expect.stringMatching(/^Trial \d+, the best of fold 2, was not played on all its events out of sample\.$/),
  });
  const [, first, second] = await keptSearches(stage);
  expect([first, second].map((search) => search?.trials.length)).toEqual([4, 4]);
});

class FailingEngine extends OwnEngine {
  readonly #market: string;

  constructor(tapes: readonly string[], market: string) {
    super(tapes);
    this.#market = market;
  }

  override async play(job: SweepJob, onResult: (result: UnitResult) => Promise<void>): Promise<JobEnd> {
    const error = { code: 'UNIT_DIED', what: 'It fails here.', next: '' };
    return await super.play(job, (result) => {
      const unit = job.units.find(({ key }) => key === result.key);
      const isHit = job.groups[unit?.group ?? 0]?.markets.includes(this.#market) === true;
      return onResult(isHit ? { kind: 'failed', key: result.key, error } : result);
    });
  }
}

test('where markets vary, folds divide the events of all trials, and a trial without any in sample is not chosen', async () => {
  const stage = foldStage({ search: 'grid', isolate: 'none', folds: WALK });
  stage.writeStrategy();
  stage.space = { 'markets.ids': { values: [['win-8'], []] }, 'params.stake': { values: [2, 3] } };
  const { outcome } = await played(stage);
  expect(outcome.units).toMatchObject({ total: 2 + 2 + 2 * 2 + 2, failed: 0 });
  using opened = openStore(join(stage.out, 'small'));
  const { store } = opened;
  expect(store.folds(1)).toMatchObject([
    { fold: 1, inSample: 3, outOfSample: 3, leftOut: 3 },
    { fold: 2, inSample: 6, outOfSample: 3, leftOut: 0 },
  ]);
  const trials = [...store.trials(1)];
  const unitsOf = (fold: number) => trials.filter((trial) => trial.fold === fold).map(({ keys }) => keys.length);
  expect([unitsOf(1), unitsOf(2)]).toEqual([
    [0, 0, 1, 1],
    [0, 0, 1, 1],
  ]);
  const chosen = store
    .folds(1)
    .map(({ trial }) => trials.find(({ number }) => number === trial)?.assignment['markets.ids']);
  expect(chosen).toEqual(['[]', '[]']);
});
