/** `oddsmith sweep top` and `sweep show`: what a sweep has found so far, also while it is at work. */

import { packageVersion } from '../../loader/running-package.ts';
import { BOUNDS } from '../../report/result.ts';
import { printable } from '../../report/text/printable.ts';
import { FIGURES, type Figure, type FigureName } from '../../sweep/result/figures.ts';
import { rowsOf, topTrials } from '../../sweep/result/top-trials.ts';
import type { Objective } from '../../sweep/space/read/objective.ts';
import { holdoutInstant } from '../../sweep/space/read/read-holdout.ts';
import type { SweepConfig } from '../../sweep/space/read/sweep-schema.ts';
import type { StoredTrial, TrialStore } from '../../sweep/store/trial-store.ts';
import type { UnitRow } from '../../sweep/unit/unit-row.ts';
import { CliError } from '../cli/cli-error.ts';
import type { CommandContext } from '../cli/command-context.ts';
import { holdoutText, openingsOf } from './holdout-text.ts';
import { type LatestSweep, latestOf, openStore, statisticsOf } from './open-sweep.ts';
import { statisticsJson, statisticsText } from './statistics-text.ts';
import { assignmentText, columns, figureText, topText } from './sweep-text.ts';

export interface TopChoices {
  readonly count: number;
  /** Instead of the objective of the sweep. */
  readonly by: FigureName | undefined;
  readonly json: boolean;
}

/** @throws OddsmithError SWEEP_… */
export function printTop(context: CommandContext, directory: string, { count, by, json }: TopChoices): void {
  using opened = openStore(directory);
  const { store } = opened;
  const latest = latestOf(directory, store);
  const objective = by === undefined ? latest.objective : objectiveBy(by, latest.objective);
  const trials = topTrials(store, { configuration: latest.id, objective, count });
  const statistics = statisticsOf(directory, store, { ...latest, objective });
  const { terminal } = context;
  if (!json) {
    terminal.out(`${topText(trials, objective)}\n${statisticsText(statistics, objective, { isLong: false })}`);
    return;
  }
  const facts = { directory, objective, trials, statistics: statisticsJson(statistics) };
  const line = { command: 'sweep top', version: packageVersion(), ...facts };
  terminal.out(`${JSON.stringify(line)}\n`);
}

function objectiveBy(figure: FigureName, { bound }: Objective): Objective {
  const { isHigherBetter }: Figure = FIGURES[figure];
  return { figure, bound, goal: isHigherBetter ? 'maximize' : 'minimize', per: 'run' };
}

export interface ShowChoices {
  readonly trial: number | undefined;
  readonly json: boolean;
}

/** @throws OddsmithError SWEEP_… and TRIAL_NOT_FOUND */
export function printSweep(context: CommandContext, directory: string, { trial, json }: ShowChoices): void {
  using opened = openStore(directory);
  const { store } = opened;
  const latest = latestOf(directory, store);
  const { terminal } = context;
  const shown =
    trial === undefined ? shownSweep(directory, store, latest) : shownTrial(store, findTrial(store, latest.id, trial));
  const line = { command: 'sweep show', version: packageVersion(), directory };
  terminal.out(json ? `${JSON.stringify({ ...line, ...shown.facts() })}\n` : shown.text());
}

interface Shown {
  facts(): object;
  text(): string;
}

function shownSweep(directory: string, store: TrialStore, latest: LatestSweep): Shown {
  const { id, objective } = latest;
  const statistics = statisticsOf(directory, store, latest);
  const heldFrom = holdoutInstant((latest.config as SweepConfig).sweep.holdout?.from ?? '');
  const heldOut = heldFrom === undefined ? undefined : { directory, store, config: latest.config, heldFrom };
  const held = heldOut === undefined ? '' : `\n${holdoutText(heldOut, id)}\n`;
  const holdout = heldOut && openingsOf(heldOut);
  return {
    facts: () => ({ ...sweepFacts(store, id, objective), holdout, statistics: statisticsJson(statistics) }),
    text: () => `${sweepText(store, id, objective)}${held}\n${statisticsText(statistics, objective, { isLong: true })}`,
  };
}

function shownTrial(store: TrialStore, trial: StoredTrial): Shown {
  return { facts: () => trialFacts(store, trial), text: () => trialText(store, trial) };
}

/** @throws CliError TRIAL_NOT_FOUND */
export function findTrial(store: TrialStore, configuration: number, number: number): StoredTrial {
  let last = -1;
  for (const trial of store.trials(configuration)) {
    if (trial.number === number) return trial;
    last = trial.number;
  }
  throw new CliError({
    code: 'TRIAL_NOT_FOUND',
    what: `The sweep has no trial ${number}.`,
    why: last < 0 ? 'It has none yet.' : `Trials are numbered from 0, and the last one is ${last}.`,
    next: 'oddsmith sweep top DIR lists trials by their value.',
  });
}

function statesOf(store: TrialStore, configuration: number): Readonly<Record<string, number>> {
  const states: Record<string, number> = {};
  for (const { state } of store.trials(configuration)) states[state] = (states[state] ?? 0) + 1;
  return states;
}

function sweepFacts(store: TrialStore, id: number, objective: Objective) {
  const failures = [...store.failures().values()].map(({ error, deaths }) => ({ ...error, deaths }));
  return { objective, trials: statesOf(store, id), tried: store.tried(), units: store.counts(), failures };
}

function sweepText(store: TrialStore, id: number, objective: Objective): string {
  const { trials, tried, units, failures } = sweepFacts(store, id, objective);
  const states = Object.entries(trials).map(([state, count]) => `${count} ${state}`);
  const lines = [
    `objective     ${objective.goal} ${objective.figure}, ${objective.bound} bound${objective.per === 'event' ? ', per event' : ''}`,
    `trials        ${states.join(', ') || 'none yet'}`,
    `ever tried    ${tried.trials} over all configurations of this directory, ${tried.different} of them different`,
    `units kept    ${units.units}`,
    `set aside     ${failures.length}`,
  ];
  return `${lines.join('\n')}\n`;
}

type Figures = Readonly<Record<string, Readonly<Record<string, number | undefined>>>>;

function trialFacts(store: TrialStore, { number, state, assignment, keys }: StoredTrial) {
  const rows = rowsOf(store, keys);
  return { trial: number, state, assignment, units: keys.length, played: rows.length, figures: figuresOf(rows) };
}

function figuresOf(rows: readonly UnitRow[]): Figures {
  const bounds = BOUNDS.filter((bound) => rows.some((row) => row.bounds.includes(bound)));
  return Object.fromEntries(
    Object.entries(FIGURES).map(([name, figure]: [string, Figure]) => [
      name,
      Object.fromEntries(bounds.map((bound) => [bound, figure.of({ rows, bound })])),
    ]),
  );
}

function trialText(store: TrialStore, trial: StoredTrial): string {
  const { state, assignment, units, played, figures } = trialFacts(store, trial);
  const bounds = Object.keys(figures['profitNet'] ?? {});
  const heads = ['figure', ...bounds];
  const lines = Object.entries(figures).map(([name, by]) => [
    name,
    ...bounds.map((bound) => figureText(name as FigureName, by[bound])),
  ]);
  const markets = rowsOf(store, trial.keys).flatMap((row) =>
    row.markets.map(({ id, status, orders, profit }) => {
      const at = Math.max(0, row.bounds.indexOf('central'));
      const { profitGross = 0, commission = 0 } = profit[at] ?? {};
      return [printable(id), status, String(orders), ((profitGross - commission) / 1e6).toFixed(2)];
    }),
  );
  return [
    `trial ${trial.number}, ${state}, ${played} of ${units} units\n${assignmentText(assignment)}\n`,
    columns([heads, ...lines], 'left'),
    columns([['market', 'status', 'orders', 'net, central bound'], ...markets], 'left'),
  ].join('\n');
}
