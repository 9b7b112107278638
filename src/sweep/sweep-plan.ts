/** All that the configuration of a sweep says: the space, the way through it, what it is for, and each trial's options. */

import { basename, extname, join } from 'node:path';
import type { BacktestOptions } from '../backtest/options/backtest-options.ts';
import type { LoadedConfig } from '../backtest/options/loaded-config.ts';
import type { Assignment } from './space/assignment.ts';
import { declaredParams } from './space/read/declared-params.ts';
import { type Objective, readObjective } from './space/read/objective.ts';
import { readSpace } from './space/read/read-space.ts';
import type { SweepConfig } from './space/read/sweep-schema.ts';
import { flagsOf } from './space/read/trial-options.ts';
import type { Space } from './space/space.ts';

export interface SweepPlan {
  readonly name: string;
  /** Where its results are kept. */
  readonly directory: string;
  readonly space: Space;
  readonly objective: Objective;
  /** Each trial is what `oddsmith backtest` plays with the same values. @throws OddsmithError CONFIG_… */
  optionsOf(assignment: Assignment): BacktestOptions;
  /** How a trial is written down: its params as flags, and its whole configuration. */
  wordsOf(assignment: Assignment): { readonly flags: readonly string[]; readonly yaml: string };
}

/** `file` is the configuration's; `figures` are the names of what can be an objective. @throws OddsmithError CONFIG_… and STRATEGY_… */
export async function sweepPlan(
  loaded: LoadedConfig<SweepConfig>,
  { file, figures }: { readonly file: string; readonly figures: readonly string[] },
): Promise<SweepPlan> {
  const { sweep, strategies } = loaded.value;
  const { space, trialOptions } = readSpace(loaded, await declaredParams(strategies));
  const name = sweep.name ?? basename(file, extname(file));
  return {
    name,
    directory: join(sweep.out, name),
    space,
    objective: readObjective(loaded, figures, space.dimensions),
    optionsOf: (assignment) => trialOptions.optionsOf(assignment),
    wordsOf: (assignment) => ({
      flags: flagsOf(assignment, space.dimensions),
      yaml: trialOptions.yamlOf(assignment),
    }),
  };
}
