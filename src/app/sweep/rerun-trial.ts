/** `oddsmith sweep rerun`: plays one trial as a whole backtest, with its files, and checks it against the rows that the sweep has kept. */

import { join } from 'node:path';
import type { BacktestResult } from '../../report/result.ts';
import { compareRows, type RowDifference } from '../../sweep/result/compare-rows.ts';
import { FIGURES } from '../../sweep/result/figures.ts';
import { rowsOf } from '../../sweep/result/top-trials.ts';
import type { SweepConfig } from '../../sweep/space/read/sweep-schema.ts';
import type { StoredTrial } from '../../sweep/store/trial-store.ts';
import { type SweepPlan, sweepPlan } from '../../sweep/sweep-plan.ts';
import { buildSha256 } from '../../sweep/unit/build-sha256.ts';
import type { UnitGroup } from '../../sweep/unit/market-groups.ts';
import { TrialInputs } from '../../sweep/unit/trial-inputs.ts';
import type { UnitRow } from '../../sweep/unit/unit-row.ts';
import { CliError } from '../cli/cli-error.ts';
import type { CommandContext } from '../cli/command-context.ts';
import { runAndReport } from '../commands/output/run-and-report.ts';
import { latestOf, openStore, openTapes } from './open-sweep.ts';
import { findTrial } from './show-sweep.ts';

export interface RerunChoices {
  readonly trial: number;
  readonly json: boolean;
}

/** @throws CliError TRIAL_CHANGED where what it rests on is no longer what the sweep played, TRIAL_DIFFERS where the figures are not equal */
export async function rerunTrial(context: CommandContext, directory: string, choices: RerunChoices): Promise<void> {
  const { plan, trial, rows } = await keptTrial(directory, choices.trial);
  const groups = await checkUnchanged(plan, trial);
  const given = plan.optionsOf(trial.assignment);
  // What is held out is not played here either.
  const ids = plan.holdoutFrom === undefined ? given.markets.ids : groups.flatMap(({ markets }) => markets);
  const options = { ...given, markets: { ...given.markets, ids }, out: join(directory, 'trials') };
  let result: BacktestResult | undefined;
  await runAndReport(context, options, {
    prefix: `trial-${trial.number}`,
    json: choices.json,
    rows: false,
    parquet: false,
    closingWords: (_, written) => `\nReport, orders and fills: ${written}\n`,
    onResult: (made) => {
      result = made;
    },
  });
  if (result === undefined || result.interrupted) return;
  const [first, ...others] = compareRows(result, rows);
  if (first !== undefined) throw differs(trial.number, first, others.length);
  const units = `${rows.length} ${rows.length === 1 ? 'unit' : 'units'}`;
  context.terminal.note(`Equal to the figures that the sweep has kept of its ${units}.\n`);
}

async function keptTrial(
  directory: string,
  number: number,
): Promise<{ readonly plan: SweepPlan; readonly trial: StoredTrial; readonly rows: readonly UnitRow[] }> {
  using opened = openStore(directory);
  const { store } = opened;
  const { id, config } = latestOf(directory, store);
  const trial = findTrial(store, id, number);
  return { plan: await keptPlan(config as SweepConfig), trial, rows: rowsOf(store, trial.keys) };
}

/** As it was read when the sweep was played. */
export async function keptPlan(value: SweepConfig): Promise<SweepPlan> {
  const where = (): string => 'the configuration that the sweep has kept';
  return await sweepPlan({ value, where }, { file: value.sweep.name ?? '', figures: Object.keys(FIGURES) });
}

/** Its event groups. @throws CliError TRIAL_CHANGED */
export async function checkUnchanged(
  plan: SweepPlan,
  { number, keys, assignment }: StoredTrial,
): Promise<readonly UnitGroup[]> {
  using opened = openTapes(plan.config.tapes);
  const inputs = new TrialInputs(opened.tapes, buildSha256(), { before: plan.holdoutFrom });
  const { groups, keyOf } = await inputs.unitsOf(plan.optionsOf(assignment));
  const now = new Set(groups.map((group) => keyOf(group)));
  if (keys.every((key) => now.has(key))) return groups;
  throw new CliError({
    code: 'TRIAL_CHANGED',
    what: `Trial ${number} would not be played as the sweep played it.`,
    why: 'A strategy, a signal, a granted file, a tape or oddsmith itself has changed since.',
    next: 'Start the sweep again: it computes what changed. Then run the trial again.',
  });
}

function differs(trial: number, { market, figure, kept, found }: RowDifference, others: number): CliError {
  return new CliError({
    code: 'TRIAL_DIFFERS',
    what: `Trial ${trial} has other figures than those that the sweep has kept.`,
    where: `market ${market}`,
    why: `${figure} is ${found}, and ${kept} was kept${others === 0 ? '' : `; ${others} more figures differ`}.`,
    next: 'A strategy that decides by what is no part of its input does so: backtest --prove finds out. Else please report it.',
  });
}
