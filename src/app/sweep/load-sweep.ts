/** Reads the configuration of a sweep into a plan of its search and trials. */

import { basename } from 'node:path';
import { type Static, Type } from '@sinclair/typebox';
import { BacktestConfigSchema } from '../../backtest/options/backtest-schema.ts';
import type { LoadedConfig } from '../../backtest/options/loaded-config.ts';
import { resolveBacktest } from '../../backtest/options/resolve-backtest.ts';
import { OddsmithError } from '../../core/checks/oddsmith-error.ts';
import { FIGURES, isFigureName } from '../../sweep/result/figures.ts';
import type { SweepPlan } from '../../sweep/run/sweep-plan.ts';
import type { Search, Trial } from '../../sweep/search/search.ts';
import type { AssignedValue, Assignment } from '../../sweep/space/assignment.ts';
import { readConfigFile } from '../config/yaml/config-file.ts';
import { parseConfig } from '../config/yaml/yaml-config.ts';

const closed = { additionalProperties: false } as const;
const SweepSchema = Type.Object(
  {
    ...BacktestConfigSchema.properties,
    sweep: Type.Object(
      {
        name: Type.Optional(Type.String({ minLength: 1, title: 'a name' })),
        out: Type.String({ minLength: 1, title: 'a path', default: 'sweeps/' }),
        space: Type.Record(Type.String(), Type.Object({ values: Type.Array(Type.Any(), { minItems: 1 }) }, closed), {
          title: 'a map of configuration keys to { values: […] }',
        }),
        objective: Type.String({ title: 'a figure', default: 'profitNet' }),
      },
      { ...closed, title: 'a map with name, out, space and objective' },
    ),
  },
  { ...closed, title: 'a map of the sweep configuration' },
);
type SweepConfig = Static<typeof SweepSchema>;

export interface LoadedSweep {
  readonly plan: SweepPlan;
  /** Directory in which all of the sweep is kept. */
  readonly name: string;
  readonly out: string;
}

/** @throws CliError CONFIG_… */
export async function loadSweep(path: string): Promise<LoadedSweep> {
  const loaded = parseConfig(readConfigFile(path), path, SweepSchema);
  const name = loaded.value.sweep.name ?? basename(path).replace(/\.ya?ml$/, '');
  return { plan: planOf(loaded), name, out: loaded.value.sweep.out };
}

/** The plan of a configuration that a sweep has kept, as `loadSweep` described it. */
export async function keptPlan(config: unknown): Promise<SweepPlan> {
  return planOf({ value: config as SweepConfig, where: () => '(the configuration that the sweep has kept)' });
}

function planOf(loaded: LoadedConfig<SweepConfig>): SweepPlan {
  const { sweep, ...backtest } = loaded.value;
  const figure = sweep.objective;
  if (!isFigureName(figure)) {
    throw new OddsmithError({
      code: 'CONFIG_INVALID',
      what: `There is no figure "${figure}".`,
      where: loaded.where(['sweep', 'objective']),
      why: `The figures are ${Object.keys(FIGURES).join(', ')}.`,
      next: 'Name one of those.',
    });
  }
  const bound = backtest.fills === 'central' ? 'central' : 'pessimistic';
  return {
    description: loaded.value,
    tapes: backtest.tapes,
    objective: { figure, bound, goal: 'maximize', per: 'run' },
    isForeseeable: true,
    search: () => new Grid(sweep.space),
    optionsOf: (assignment) => {
      const value = structuredClone(backtest);
      for (const [key, chosen] of Object.entries(assignment)) setAt(value, stepsOf(key), chosen);
      return resolveBacktest({ value, where: loaded.where }, { strategies: [], tapes: [], params: {} });
    },
  };
}

function stepsOf(key: string): readonly string[] {
  return key.split(/[.[\]]+/).filter((step) => step !== '');
}

function setAt(tree: unknown, [step = '', ...rest]: readonly string[], value: AssignedValue): void {
  const at = Object(tree);
  if (rest.length === 0) at[step] = value;
  else {
    at[step] ??= {};
    setAt(at[step], rest, value);
  }
}

class Grid implements Search {
  #trials: readonly Trial[] | undefined;

  constructor(space: SweepConfig['sweep']['space']) {
    const points = Object.entries(space).reduce<Assignment[]>(
      (all, [key, { values }]) => all.flatMap((point) => values.map((value) => ({ ...point, [key]: value }))),
      [{}],
    );
    this.#trials = points.map((assignment, number) => ({ number, assignment }));
  }

  next(): { readonly trials: readonly Trial[] } | undefined {
    const trials = this.#trials;
    this.#trials = undefined;
    return trials === undefined ? undefined : { trials };
  }
}
