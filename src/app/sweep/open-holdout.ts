/** `oddsmith sweep holdout`: shows how often the events that a sweep holds out were looked at, or opens them for one trial. */

import { OddsmithError } from '../../core/checks/oddsmith-error.ts';
import { packageVersion } from '../../package/running-package.ts';
import type { SweepEngine } from '../../sweep/engine/engine.ts';
import { FIGURES, type Figure, type FigureName } from '../../sweep/result/figures.ts';
import { rowsOf } from '../../sweep/result/top-trials.ts';
import { playUnits } from '../../sweep/run/play-units.ts';
import { UnitCosts } from '../../sweep/run/unit-costs.ts';
import type { Assignment } from '../../sweep/space/dimension.ts';
import type { SweepConfig } from '../../sweep/space/read/sweep-schema.ts';
import type { TrialStore } from '../../sweep/store/trial-store.ts';
import type { SweepPlan } from '../../sweep/sweep-plan.ts';
import { buildSha256 } from '../../sweep/unit/build-sha256.ts';
import { TrialInputs, type TrialUnits } from '../../sweep/unit/trial-inputs.ts';
import { type UnitRow, unpackRow } from '../../sweep/unit/unit-row.ts';
import { CliError, EXIT } from '../cli/cli-error.ts';
import type { CommandContext } from '../cli/command-context.ts';
import { holdoutText, openingsOf } from './holdout-text.ts';
import { latestOf, lockedStore, openEngine, openStore, openTapes } from './open-sweep.ts';
import { checkUnchanged, keptPlan } from './rerun-trial.ts';
import { findTrial } from './show-sweep.ts';
import { columns, figureText } from './sweep-text.ts';

export interface HoldoutChoices {
  readonly trial: number;
  readonly jobs: number;
  /** The Redis server from which workers on other machines take the jobs; absent: they are played here. */
  readonly redis: string | undefined;
  readonly json: boolean;
}

/** Computes nothing. @throws OddsmithError SWEEP_… and NO_HOLDOUT */
export async function printHoldout(context: CommandContext, directory: string, json: boolean): Promise<void> {
  using opened = openStore(directory);
  const { store } = opened;
  const { id, config } = latestOf(directory, store);
  const heldFrom = heldFromOf(await keptPlan(config as SweepConfig));
  const heldOut = { directory, store, config, heldFrom };
  const words = holdoutText(heldOut, id);
  const line = { command: 'sweep holdout', version: packageVersion(), directory, ...openingsOf(heldOut) };
  context.terminal.out(json ? `${JSON.stringify(line)}\n` : `${words}\n`);
}

/**
 * The opening is written down before anything is computed, and not before all that it needs is there. @throws OddsmithError SWEEP_…, NO_HOLDOUT,
 * TRIAL_…, NO_MARKETS, QUEUE_NOT_INSTALLED and REDIS_…
 */
export async function openHoldout(context: CommandContext, directory: string, choices: HoldoutChoices): Promise<void> {
  const { terminal } = context;
  openStore(directory)[Symbol.dispose]();
  using locked = lockedStore(directory);
  const { store } = locked;
  const { id, config } = latestOf(directory, store);
  const plan = await keptPlan(config as SweepConfig);
  const heldFrom = heldFromOf(plan);
  const trial = findTrial(store, id, choices.trial);
  await checkUnchanged(plan, trial);
  const units = await heldUnits(plan, trial.assignment, heldFrom);
  const say = (line: string): void => terminal.note(`${line}\n`);
  const engine = await openEngine({ ...choices, tapes: plan.config.tapes, directory, build: buildSha256(), say });
  const onAbort = (): void => void engine.close();
  terminal.signal.addEventListener('abort', onAbort, { once: true });
  try {
    // edge: when it was opened is written down for its reader.
    store.keepOpening({ configuration: id, trial: trial.number, heldFrom, at: Date.now() });
    const held = await playHoldout({ engine, store, signal: terminal.signal }, units);
    if (held === undefined) {
      context.exitCode = EXIT.interrupted;
      terminal.note('Interrupted; the opening is written down. The same command goes on.\n');
      return;
    }
    report(context, { store, plan, directory, id, heldFrom, trial: trial.number, json: choices.json }, [
      rowsOf(store, trial.keys),
      held,
    ]);
  } finally {
    terminal.signal.removeEventListener('abort', onAbort);
    await engine.close();
  }
}

/** @throws CliError NO_HOLDOUT */
function heldFromOf({ holdoutFrom }: SweepPlan): number {
  if (holdoutFrom !== undefined) return holdoutFrom;
  throw new CliError({
    code: 'NO_HOLDOUT',
    what: 'The sweep holds nothing out.',
    why: 'Its configuration has no `sweep.holdout`, so that the search has seen all events.',
    next: 'Name a day in `sweep: holdout: { from: DATE }` before the search begins, in a sweep of another name.',
  });
}

/** @throws CliError NO_MARKETS */
async function heldUnits(plan: SweepPlan, assignment: Assignment, from: number) {
  using opened = openTapes(plan.config.tapes);
  const inputs = new TrialInputs(opened.tapes, buildSha256(), { from });
  const units: TrialUnits = await inputs.unitsOf(plan.trialOf(assignment));
  if (units.groups.length > 0) return units;
  throw new CliError({
    code: 'NO_MARKETS',
    what: 'The tapes have no event that is held out.',
    why: `None of the trial starts at or after ${new Date(from).toISOString()}.`,
    next: 'Add tapes of that time to the configuration, and start the sweep again.',
  });
}

interface Opened {
  readonly store: TrialStore;
  readonly plan: SweepPlan;
  readonly directory: string;
  readonly id: number;
  readonly heldFrom: number;
  readonly trial: number;
  readonly json: boolean;
}

type Sides = readonly [searched: readonly UnitRow[], held: readonly UnitRow[]];

function report({ terminal }: CommandContext, opened: Opened, [searched, held]: Sides): void {
  const { store, plan, directory, id, heldFrom, trial, json } = opened;
  const heldOut = { directory, store, config: plan.config, heldFrom };
  const { bound } = plan.objective;
  const sides = { searched: figuresAt(searched, plan), heldOut: figuresAt(held, plan) };
  if (json) {
    const facts = { directory, trial, bound, ...sides, ...openingsOf(heldOut) };
    terminal.out(`${JSON.stringify({ command: 'sweep holdout', version: packageVersion(), ...facts })}\n`);
    return;
  }
  const rows = NAMES.map((name) => [
    name,
    figureText(name, sides.searched.figures[name]),
    figureText(name, sides.heldOut.figures[name]),
  ]);
  const events = ['units', String(searched.length), String(held.length)];
  const table = columns([['figure', 'searched', 'held out'], events, ...rows]);
  terminal.out(`Trial ${trial}, ${bound} bound\n${table}\n${holdoutText(heldOut, id)}\n`);
}

const NAMES = Object.keys(FIGURES) as FigureName[];

function figuresAt(rows: readonly UnitRow[], { objective: { bound } }: SweepPlan) {
  const figures: Partial<Record<FigureName, number>> = {};
  for (const name of NAMES) {
    const figure: Figure = FIGURES[name];
    const value = figure.of({ rows, bound });
    if (value !== undefined) figures[name] = value;
  }
  return { units: rows.length, figures };
}

/**
 * Plays one trial over the events that its sweep holds out, and gives the rows of all its units; undefined where it was interrupted.
 * @throws OddsmithError where a unit fails
 */
async function playHoldout(
  { engine, store, signal }: { readonly engine: SweepEngine; readonly store: TrialStore; readonly signal: AbortSignal },
  trial: TrialUnits,
): Promise<readonly UnitRow[] | undefined> {
  const units = trial.groups.map((group) => ({ key: trial.keyOf(group), trial, group }));
  const missing = units.filter(({ key }) => store.row(key) === undefined);
  const costs = new UnitCosts();
  let failure: OddsmithError | undefined;
  await playUnits(
    {
      engine,
      store,
      costs,
      signal,
      onUnit: (_unit, error) => {
        if (error !== undefined) failure ??= new OddsmithError(error);
      },
    },
    missing,
  );
  if (failure !== undefined) throw failure;
  const rows = units.flatMap(({ key }): UnitRow[] => {
    const packed = store.row(key);
    const row = packed === undefined ? undefined : unpackRow(packed);
    return row === undefined ? [] : [row];
  });
  return rows.length === units.length ? rows : undefined;
}
