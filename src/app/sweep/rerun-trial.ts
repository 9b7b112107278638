/** `oddsmith sweep rerun`: plays one trial as a whole backtest, with its files, and checks it against the rows that the sweep has kept. */

import { join } from 'node:path';
import { type Money, moneyToDecimal } from '../../core/number/units.ts';
import { type Bound, mapBounds } from '../../result/figures/bounds.ts';
import type { BacktestResult, MarketResult } from '../../result/result.ts';
import { FIGURES } from '../../sweep/result/figures.ts';
import { rowsOf } from '../../sweep/result/top-trials.ts';
import { partOfTrial } from '../../sweep/run/fold-parts.ts';
import type { SweepConfig } from '../../sweep/space/read/sweep-schema.ts';
import type { StoredTrial, TrialStore } from '../../sweep/store/trial-store.ts';
import { type SweepPlan, sweepPlan } from '../../sweep/sweep-plan.ts';
import { buildSha256 } from '../../sweep/unit/build-sha256.ts';
import type { UnitGroup } from '../../sweep/unit/market-groups.ts';
import { TrialInputs } from '../../sweep/unit/trial-inputs.ts';
import type { UnitMarket, UnitRow } from '../../sweep/unit/unit-row.ts';
import { CliError } from '../cli/cli-error.ts';
import type { CommandContext } from '../cli/command-context.ts';
import { runAndReport } from '../output/run-and-report.ts';
import { writtenWords } from '../output/run-files.ts';
import { latestOf, openStore, openTapes } from './open-sweep.ts';
import { findTrial } from './show-sweep.ts';

export interface RerunChoices {
  readonly trial: number;
  /** The events on which a fold judged the trial, and not those on which it was searched. */
  readonly isOutOfSample: boolean;
  readonly json: boolean;
}

/** @throws CliError TRIAL_CHANGED where what it rests on is no longer what the sweep played, TRIAL_DIFFERS where the figures are not equal */
export async function rerunTrial(context: CommandContext, directory: string, choices: RerunChoices): Promise<void> {
  const { plan, trial, rows } = await keptTrial(directory, choices);
  const groups = await checkUnchanged(plan, trial, choices.isOutOfSample);
  const given = plan.optionsOf(trial.assignment);
  // What is held out, or in no such part of the fold, is not played here either.
  const isPart = plan.holdoutFrom !== undefined || trial.fold !== undefined;
  const ids = isPart ? groups.flatMap(({ markets }) => markets) : given.markets.ids;
  const options = { ...given, markets: { ...given.markets, ids }, out: join(directory, 'trials') };
  let result: BacktestResult | undefined;
  await runAndReport(context, options, {
    prefix: `trial-${trial.number}${choices.isOutOfSample ? '-out-of-sample' : ''}`,
    json: choices.json,
    rows: false,
    parquet: false,
    closingWords: (_, written) => writtenWords(written),
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

/** The trial with the keys of the part that is asked for. @throws CliError TRIAL_NOT_FOUND, TRIAL_NOT_CHOSEN */
async function keptTrial(
  directory: string,
  { trial: number, isOutOfSample }: RerunChoices,
): Promise<{ readonly plan: SweepPlan; readonly trial: StoredTrial; readonly rows: readonly UnitRow[] }> {
  using opened = openStore(directory);
  const { store } = opened;
  const { id, config } = latestOf(directory, store);
  const found = findTrial(store, id, number);
  const trial = isOutOfSample ? { ...found, keys: keysOutOfSample(store, id, number) } : found;
  return { plan: await keptPlan(config as SweepConfig), trial, rows: rowsOf(store, trial.keys) };
}

function keysOutOfSample(store: TrialStore, configuration: number, number: number): readonly string[] {
  const fold = store.folds(configuration).find(({ trial }) => trial === number);
  if (fold !== undefined) return fold.keys;
  throw new CliError({
    code: 'TRIAL_NOT_CHOSEN',
    what: `Trial ${number} was not played out of sample.`,
    why: 'Only the best trial of a fold that has a search of its own is.',
    next: 'oddsmith sweep show DIR names the trial of each fold.',
  });
}

/** The plan as it was read when the sweep was played. */
export async function keptPlan(value: SweepConfig): Promise<SweepPlan> {
  const where = (): string => 'the configuration that the sweep has kept';
  return await sweepPlan({ value, where }, { file: value.sweep.name ?? '', figures: Object.keys(FIGURES) });
}

/** Its event groups; of a fold's trial those on one side of the fold. @throws CliError TRIAL_CHANGED */
export async function checkUnchanged(
  plan: SweepPlan,
  trial: StoredTrial,
  isOutOfSample = false,
): Promise<readonly UnitGroup[]> {
  using opened = openTapes(plan.config.tapes);
  const inputs = new TrialInputs(opened.tapes, buildSha256(), { before: plan.holdoutFrom });
  const { number, keys, assignment } = trial;
  const part = partOfTrial(plan, inputs, trial)?.[isOutOfSample ? 'outOfSample' : 'inSample'];
  const { groups, keyOf } = await inputs.unitsOf(plan.trialOf(assignment), part);
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

interface RowDifference {
  readonly market: string;
  readonly figure: string;
  readonly kept: string;
  readonly found: string;
}

/** Lays a whole backtest of a trial beside the rows of its units: they are to be equal, figure by figure. */
function compareRows(result: BacktestResult, rows: readonly UnitRow[]): readonly RowDifference[] {
  const found = new Map(result.byMarket.map((market) => [market.id, market]));
  const accepted = acceptedOf(result);
  const kept = rows.flatMap(({ bounds, markets }) => markets.map((market) => ({ bounds, market })));
  const differences = kept.flatMap(({ bounds, market }) => {
    const other = found.get(market.id);
    found.delete(market.id);
    return other === undefined
      ? [{ market: market.id, figure: 'market', kept: 'played', found: 'not played' }]
      : differencesOf(
          figuresKept(market, bounds),
          figuresFound({ ...other, orders: accepted.get(`${bounds[0]} ${market.id}`) ?? 0 }, bounds),
          market.id,
        );
  });
  const others = [...found.keys()].map((market) => ({ market, figure: 'market', kept: 'not played', found: 'played' }));
  return [...differences, ...others];
}

/** How many orders the exchange accepted, by world and market. */
function acceptedOf({ orderRows }: BacktestResult): ReadonlyMap<string, number> {
  const accepted = new Map<string, number>();
  for (const { flow, marketId, status } of orderRows) {
    if (status === undefined) continue;
    const key = `${flow} ${marketId}`;
    accepted.set(key, (accepted.get(key) ?? 0) + 1);
  }
  return accepted;
}

type Figures = Readonly<Record<string, string>>;

function differencesOf(kept: Figures, found: Figures, market: string): readonly RowDifference[] {
  return Object.entries(kept).flatMap(([figure, value]) => {
    const other = found[figure] ?? 'missing';
    return other === value ? [] : [{ market, figure, kept: value, found: other }];
  });
}

function figuresKept({ status, settledAt, orders, profit }: UnitMarket, bounds: readonly Bound[]): Figures {
  const figures: Record<string, string> = { status, settledAt: String(settledAt), orders: String(orders) };
  for (const [index, bound] of bounds.entries()) {
    const { stakeMatched, profitGross, commission, markToMarket } = profit[index] ?? {};
    const decimals = { stakeMatched, profitGross, commission, markToMarket };
    for (const [name, value] of Object.entries(decimals)) figures[`${name}.${bound}`] = decimal(value);
  }
  return figures;
}

function decimal(value: Money | undefined): string {
  return value === undefined ? 'undefined' : String(moneyToDecimal(value));
}

function figuresFound({ status, settledAt, orders, profit }: MarketResult, bounds: readonly Bound[]): Figures {
  const figures: Record<string, string> = { status, settledAt: String(settledAt), orders: String(orders) };
  mapBounds(profit, ({ stakeMatched, profitGross, commission, markToMarket }, bound) => {
    if (!bounds.includes(bound)) return;
    const decimals = { stakeMatched, profitGross, commission, markToMarket };
    for (const [name, value] of Object.entries(decimals)) figures[`${name}.${bound}`] = String(value);
  });
  return figures;
}
