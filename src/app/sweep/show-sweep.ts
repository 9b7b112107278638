/** `oddsmith sweep top` and `sweep show`: what a sweep has found so far, also while it is at work. */

import { packageVersion } from '../../package/running-package.ts';
import { fitted } from '../../report/text/fitted.ts';
import { BOUNDS } from '../../result/figures/bounds.ts';
import { FIGURES, type Figure, type FigureName } from '../../sweep/result/figures.ts';
import { rowsOf, topTrials } from '../../sweep/result/top-trials.ts';
import type { Objective } from '../../sweep/space/read/objective.ts';
import { holdoutInstant } from '../../sweep/space/read/read-holdout.ts';
import type { SweepConfig } from '../../sweep/space/read/sweep-schema.ts';
import type { StoredTrial, TrialStore } from '../../sweep/store/trial-store.ts';
import type { UnitRow } from '../../sweep/unit/unit-row.ts';
import { amount } from '../../words/numbers.ts';
import { printable } from '../../words/printable.ts';
import { CliError } from '../cli/cli-error.ts';
import type { CommandContext } from '../cli/command-context.ts';
import { holdoutText, openingsOf } from './holdout-text.ts';
import { type LatestSweep, latestOf, openStore, statisticsOf, type WrittenKeys, writtenKeys } from './open-sweep.ts';
import { headlineText, statisticsJson, statisticsText } from './statistics-text.ts';
import { assignmentText, columns, figureText, objectiveText, topText } from './sweep-text.ts';

export interface TopChoices {
  readonly count: number;
  /** Instead of the objective of the sweep. */
  readonly by: FigureName | undefined;
  /** The trials of this fold's own search. */
  readonly fold: number | undefined;
  readonly json: boolean;
}

/** @throws OddsmithError SWEEP_… and FOLD_NOT_FOUND */
export function printTop(context: CommandContext, directory: string, { count, by, fold, json }: TopChoices): void {
  using opened = openStore(directory);
  const { store } = opened;
  const latest = latestOf(directory, store);
  const objective = by === undefined ? latest.objective : objectiveBy(by, latest.objective);
  if (fold !== undefined) checkFold(store.folds(latest.id).length, fold);
  const trials = topTrials(store, { configuration: latest.id, objective, count, fold });
  const statistics = statisticsOf(directory, store, { ...latest, objective });
  const { terminal } = context;
  if (!json) {
    const columns = terminal.columnsOut;
    const keys = writtenKeys(directory, latest);
    terminal.out(`${headlineText(statistics, objective, columns)}\n`);
    terminal.out(`${topText(trials, objective, { keys, fold, room: columns })}\n`);
    terminal.out(statisticsText(statistics, objective, { isLong: false, columns }));
    return;
  }
  const facts = { directory, objective, fold, trials, statistics: statisticsJson(statistics, objective) };
  const line = { command: 'sweep top', version: packageVersion(), ...facts };
  terminal.out(`${JSON.stringify(line)}\n`);
}

/** @throws CliError FOLD_NOT_FOUND */
function checkFold(folds: number, fold: number): void {
  if (fold <= folds) return;
  throw new CliError({
    code: 'FOLD_NOT_FOUND',
    what: `The sweep has no search of a fold ${fold}.`,
    why:
      folds === 0
        ? 'Folds have searches of their own where the search is tpe or race, or isolate is none or strategy; else they choose among all trials.'
        : `Folds are numbered from 1, and the last one is ${folds}.`,
    next: 'oddsmith sweep show DIR shows what each fold has chosen.',
  });
}

function objectiveBy(figure: FigureName, { bound, constraints }: Objective): Objective {
  const { isHigherBetter }: Figure = FIGURES[figure];
  return { figure, bound, goal: isHigherBetter ? 'maximize' : 'minimize', per: 'run', constraints };
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
    trial === undefined
      ? shownSweep(directory, store, latest, terminal.columnsOut)
      : shownTrial(store, trialOf(store, latest.id, trial), {
          keys: writtenKeys(directory, latest),
          columns: terminal.columnsOut,
        });
  const line = { command: 'sweep show', version: packageVersion(), directory };
  terminal.out(json ? `${JSON.stringify({ ...line, ...shown.facts() })}\n` : shown.text());
}

/** Errors that `--json` prints. */
const FAILURES_MAX = 1_000;

interface Shown {
  facts(): object;
  text(): string;
}

function shownSweep(directory: string, store: TrialStore, latest: LatestSweep, columns: number | undefined): Shown {
  const { id, objective } = latest;
  const statistics = statisticsOf(directory, store, latest);
  const heldFrom = holdoutInstant((latest.config as SweepConfig).sweep.holdout?.from ?? '');
  const heldOut = heldFrom === undefined ? undefined : { directory, store, config: latest.config, heldFrom };
  const heldText = (): string => (heldOut === undefined ? '' : `\n${holdoutText(heldOut, id)}\n`);
  return {
    facts: () => ({
      ...sweepFacts(store, id, objective),
      holdout: heldOut && openingsOf(heldOut),
      statistics: statisticsJson(statistics, objective),
    }),
    text: () =>
      [
        headlineText(statistics, objective, columns),
        `${fitted(sweepText(store, id, objective), columns)}${heldText()}`,
        statisticsText(statistics, objective, { isLong: true, columns }),
      ].join('\n'),
  };
}

/** A trial with what its fold, if it has one and was chosen by it, played out of sample. */
interface JudgedTrial extends StoredTrial {
  readonly outOfSample: readonly string[] | undefined;
}

function trialOf(store: TrialStore, configuration: number, number: number): JudgedTrial {
  const fold = store.folds(configuration).find(({ trial }) => trial === number);
  return { ...findTrial(store, configuration, number), outOfSample: fold?.keys };
}

interface TrialShown {
  readonly keys: WrittenKeys;
  readonly columns: number | undefined;
}

function shownTrial(store: TrialStore, trial: JudgedTrial, { keys, columns }: TrialShown): Shown {
  return { facts: () => trialFacts(store, trial), text: () => fitted(trialText(store, trial, keys), columns) };
}

/** @throws CliError TRIAL_NOT_FOUND */
export function findTrial(store: TrialStore, configuration: number, number: number): StoredTrial {
  const trial = store.trial(configuration, number);
  if (trial !== undefined) return trial;
  const last = store.trialsEnd(configuration) - 1;
  throw new CliError({
    code: 'TRIAL_NOT_FOUND',
    what: `The sweep has no trial ${number}.`,
    why: last < 0 ? 'It has none yet.' : `Trials are numbered from 0, and the last one is ${last}.`,
    next: 'oddsmith sweep top DIR lists trials by their value.',
  });
}

type States = Readonly<Record<string, number>>;

/** The states of the search over all events, and of those of the folds together. */
function statesOf(store: TrialStore, id: number): { readonly trials: States; readonly foldTrials: States | undefined } {
  const foldTrials = store.countTrials(id, { inFolds: true });
  return {
    trials: Object.fromEntries(store.countTrials(id, { inFolds: false })),
    foldTrials: foldTrials.size === 0 ? undefined : Object.fromEntries(foldTrials),
  };
}

function sweepFacts(store: TrialStore, id: number, objective: Objective) {
  const failures = store.failures(FAILURES_MAX).map(({ error, deaths }) => ({ ...error, deaths }));
  return { objective, ...statesOf(store, id), tried: store.tried(), units: store.counts(), failures };
}

function sweepText(store: TrialStore, id: number, objective: Objective): string {
  const { trials, foldTrials, tried, units } = sweepFacts(store, id, objective);
  const lines = [
    `objective     ${objectiveText(objective)}`,
    `trials        ${statesText(trials) || 'none yet'}`,
    ...(foldTrials === undefined ? [] : [`of folds      ${statesText(foldTrials)}`]),
    `ever tried    ${tried.trials} over all configurations of this directory, ${tried.different} of them different`,
    `units kept    ${units.units}`,
    `set aside     ${store.countAside()}`,
  ];
  return `${lines.join('\n')}\n`;
}

function statesText(states: States): string {
  return Object.entries(states)
    .map(([state, count]) => `${count} ${state}`)
    .join(', ');
}

type Figures = Readonly<Record<string, Readonly<Record<string, number | undefined>>>>;

function trialFacts(store: TrialStore, { number, state, assignment, keys, fold, outOfSample }: JudgedTrial) {
  return {
    trial: number,
    state,
    fold,
    assignment,
    ...partFacts(store, keys),
    outOfSample: outOfSample && partFacts(store, outOfSample),
  };
}

function partFacts(store: TrialStore, keys: readonly string[]) {
  const rows = rowsOf(store, keys);
  return { units: keys.length, played: rows.length, figures: figuresOf(rows) };
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

function trialText(store: TrialStore, trial: JudgedTrial, keys: WrittenKeys): string {
  const { state, fold, assignment, units, played, outOfSample } = trialFacts(store, trial);
  const searched = fold === undefined ? '' : `, in sample of fold ${fold}`;
  const judged = outOfSample && `out of sample of fold ${fold}, ${outOfSample.played} of ${outOfSample.units} units\n`;
  return [
    `trial ${trial.number}, ${state}${searched}, ${played} of ${units} units\n${assignmentText(assignment, keys)}\n`,
    ...partTexts(store, trial.keys),
    ...(judged === undefined ? [] : [judged, ...partTexts(store, trial.outOfSample ?? [])]),
  ].join('\n');
}

/** Its figures at every bound, and its markets. */
function partTexts(store: TrialStore, keys: readonly string[]): readonly string[] {
  const { figures } = partFacts(store, keys);
  const bounds = Object.keys(figures['profitNet'] ?? {});
  const heads = ['figure', ...bounds, ''];
  const lines = Object.entries(figures).map(([name, by]) => [
    name,
    ...bounds.map((bound) => figureText(name as FigureName, by[bound])),
    FIGURES[name as FigureName].says,
  ]);
  const markets = rowsOf(store, keys).flatMap((row) =>
    row.markets.map(({ id, status, orders, profit }) => {
      const { profitGross = 0, commission = 0 } = profit[0] ?? {};
      return [printable(id), status, String(orders), amount((profitGross - commission) / 1e6)];
    }),
  );
  return [
    columns([heads, ...lines]),
    columns([['market', 'status', 'orders', `net, ${bounds[0] ?? 'central'} bound`], ...markets]),
  ];
}
