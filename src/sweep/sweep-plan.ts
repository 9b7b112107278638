/** All that the configuration of a sweep says: the space, the way through it, what it is for, and each trial's options. */

import { basename, extname, join } from 'node:path';
import type { BacktestOptions, StrategyChoice } from '../backtest/options/backtest-options.ts';
import type { LoadedConfig } from '../backtest/options/loaded-config.ts';
import { loadStrategy } from '../loader/strategy-loader.ts';
import { strategyError } from '../loader/strategy-loader-fault.ts';
import type { ParamsSpec } from '../strategy/params.ts';
import { newSearch, type RaceGround } from './search/new-search.ts';
import type { Search } from './search/search.ts';
import { SOBOL_DIMENSIONS } from './search/sobol.ts';
import { type Assignment, countOf } from './space/dimension.ts';
import { type Objective, readObjective } from './space/read/objective.ts';
import { type FoldSearches, learns, readFolds } from './space/read/read-folds.ts';
import { readHoldout } from './space/read/read-holdout.ts';
import { readSpace } from './space/read/read-space.ts';
import { spaceError } from './space/read/space-error.ts';
import type { SweepConfig } from './space/read/sweep-schema.ts';
import { flagsOf } from './space/read/trial-options.ts';
import { assignmentOf, type Point, type Space } from './space/space.ts';
import type { TrialChoice } from './unit/unit-key.ts';

export interface SweepPlan {
  readonly name: string;
  /** The directory that keeps its results. */
  readonly directory: string;
  readonly space: Space;
  readonly objective: Objective;
  /** Event groups that start then or later, ms UTC, are kept back; undefined: none. */
  readonly holdoutFrom: number | undefined;
  /** The configuration with every default: the same configuration, and files of the same contents, are the same sweep. */
  readonly config: SweepConfig;
  /** Whether all trials are known before the first is played. */
  readonly isForeseeable: boolean;
  /** Undefined where no fold has a search of its own: then folds are made of the units of the trials, if there are any. */
  readonly folds: FoldSearches | undefined;
  /** Each choice of markets that a trial can make. */
  readonly marketChoices: readonly BacktestOptions['markets'][];
  /** A new search from its beginning. */
  search(ground: RaceGround): Search;
  /** Each trial is what `oddsmith backtest` plays with the same values. @throws OddsmithError CONFIG_… */
  optionsOf(assignment: Assignment): BacktestOptions;
  /** What its units play of it: the world whose fills the objective is read from, since figures and statistics ask for no other. */
  trialOf(assignment: Assignment): TrialChoice;
  /** How a trial is written down: its params as flags, and its whole configuration. */
  wordsOf(assignment: Assignment): { readonly flags: readonly string[]; readonly yaml: string };
}

/** `file` is the configuration's; `figures` are the names of what can be an objective. @throws OddsmithError CONFIG_… and STRATEGY_… */
export async function sweepPlan(
  loaded: LoadedConfig<SweepConfig>,
  { file, figures }: { readonly file: string; readonly figures: readonly string[] },
): Promise<SweepPlan> {
  const { sweep, strategies } = loaded.value;
  checkSize(loaded);
  const { space, trialOptions } = readSpace(loaded, await declaredParams(strategies));
  const folds = readFolds(loaded, space.dimensions);
  const marketsOf = (point: Point): BacktestOptions['markets'] =>
    trialOptions.optionsOf(assignmentOf(space, point)).markets;
  const objective = readObjective(loaded, figures, space.dimensions);
  const name = sweep.name ?? basename(file, extname(file));
  return {
    name,
    directory: join(sweep.out, name),
    space,
    objective,
    holdoutFrom: readHoldout(loaded),
    config: loaded.value,
    isForeseeable: !learns(sweep.search),
    folds,
    marketChoices: folds === undefined ? [] : marketPoints(space).map((point) => marketsOf(point)),
    search: (ground) => newSearch(space, sweep.search, ground),
    optionsOf: (assignment) => trialOptions.optionsOf(assignment),
    trialOf: (assignment) => ({ options: trialOptions.optionsOf(assignment), bounds: [objective.bound] }),
    wordsOf: (assignment) => ({
      flags: flagsOf(assignment, space.dimensions),
      yaml: trialOptions.yamlOf(assignment),
    }),
  };
}

/** One point for each choice of markets; a window chooses none. */
function marketPoints({ dimensions }: Space): readonly Point[] {
  let points: readonly Point[] = [dimensions.map(() => 0)];
  for (const [index, dimension] of dimensions.entries()) {
    const [block, key] = dimension.path;
    if (block !== 'markets' || key === 'window') continue;
    const count = countOf(dimension) ?? 1;
    points = points.flatMap((point) => Array.from({ length: count }, (_, value) => point.with(index, value)));
  }
  return points;
}

function checkSize(loaded: LoadedConfig<SweepConfig>): void {
  const keys = Object.keys(loaded.value.sweep.space).length;
  if (keys <= SOBOL_DIMENSIONS) return;
  throw spaceError({
    what: `A space has at most ${SOBOL_DIMENSIONS} keys.`,
    where: loaded.where(['sweep', 'space']),
    why: `It has ${keys}; the sequence of Sobol, with which searches begin, goes no further.`,
    next: 'Take those out that matter least: no search finds its way through so many.',
  });
}

type Choice = Required<Pick<StrategyChoice, 'file' | 'files'>>;

/** The parameters in the order of the configuration. @throws OddsmithError STRATEGY_… */
async function declaredParams(strategies: readonly Choice[]): Promise<readonly ParamsSpec[]> {
  const specs: ParamsSpec[] = [];
  for (const { file, files } of strategies) {
    const loaded = await loadStrategy(file, {}, { files: { paths: files }, anyParams: true });
    if (loaded.kind === 'fault') throw strategyError(loaded.fault);
    specs.push(loaded.plugin.params ?? {});
  }
  return specs;
}
