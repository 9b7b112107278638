/** Trials, or the markets of all trials, as a table of columns: what `sweep export` writes. */

import { type Money, moneyToDecimal } from '../../core/number/units.ts';
import { judgedEnd } from '../../research/chance/settled-market.ts';
import type { Bound } from '../../result/figures/bounds.ts';
import type { ProfitMoney } from '../../result/result.ts';
import type { AssignedValue } from '../space/dimension.ts';
import type { StoredFold, StoredTrial, TrialStore } from '../store/trial-store.ts';
import type { UnitMarket, UnitRow } from '../unit/unit-row.ts';
import { FIGURES, type Figure, type FigureName } from './figures.ts';
import { rowsOf } from './top-trials.ts';

type TableCell = AssignedValue | undefined;
export type TableRow = readonly TableCell[];

export interface TableColumn {
  readonly name: string;
  readonly kind: 'text' | 'number' | 'time';
}

export interface TrialTable {
  readonly columns: readonly TableColumn[];
  /** A cell for each column; made while they are read. */
  readonly rows: Iterable<TableRow>;
}

const NAMES = Object.keys(FIGURES) as FigureName[];

/** One row for each trial: its values, and each figure at each bound; and one for what the best of each searched fold did out of sample. */
export function trialTable(store: TrialStore, configuration: number): TrialTable {
  const { keys, bounds, folds } = shapeOf(store, configuration);
  const figures = NAMES.flatMap((name) => bounds.map((bound) => ({ name, bound })));
  const names = ['trial', 'events', ...figures.map(({ name, bound }) => `${name}.${bound}`)];
  return {
    columns: [text('state'), ...keys.map((key) => text(key)), ...names.map(number), ...foldColumns(folds)],
    rows: mapped(store, configuration, folds, (trial, rows) => [
      [
        trial.state,
        ...keys.map((key) => trial.assignment[key]),
        trial.number,
        rows.length,
        ...figures.map(({ name, bound }) => {
          const figure: Figure = FIGURES[name];
          return figure.of({ rows, bound });
        }),
      ],
    ]),
  };
}

/**
 * What the settlement test is made of: as JSON of each outcome its end, its prices at the close, its closing chance, and at each bound what
 * the bets are worth; and why the test leaves the market out. Both are empty where nothing was matched.
 */
function endCells({ bounds }: UnitRow, market: UnitMarket): readonly [outcomes: TableCell, leftOut: TableCell] {
  if (market.outcomes.length === 0) return [undefined, undefined];
  const end = judgedEnd(market);
  const outcomes = market.outcomes.map(({ preOff, positions, ...outcome }, at) => ({
    ...outcome,
    ...preOff,
    closing: end.kind === 'notKnown' ? undefined : end.closing[at],
    positions: Object.fromEntries(bounds.map((bound, index) => [bound, positions[index]])),
  }));
  return [JSON.stringify(outcomes), end.kind === 'notKnown' ? end.reason : undefined];
}

const MONEY = ['stakeMatched', 'profitGross', 'commission', 'profitNet', 'markToMarket'] as const;

/** One row for each market of each trial, with all that the statistics of the sweep are made of. */
export function marketTable(store: TrialStore, configuration: number): TrialTable {
  const { keys, bounds, folds } = shapeOf(store, configuration);
  const figures = MONEY.flatMap((name) => bounds.map((bound) => ({ name, bound })));
  const texts = ['state', ...keys, 'market', 'event', 'status', 'outcomes', 'leftOut'].map(text);
  const times = ['startsAt', 'settledAt'].map((name): TableColumn => ({ name, kind: 'time' }));
  const numbers = ['trial', 'winnerCount', 'orders', ...figures.map(({ name, bound }) => `${name}.${bound}`)].map(
    number,
  );
  const cells = (row: UnitRow, market: UnitMarket): TableRow =>
    figures.map(({ name, bound }) => {
      const profit = market.profit[row.bounds.indexOf(bound)];
      return profit === undefined ? undefined : moneyCell(profit, name);
    });
  return {
    columns: [...texts, ...times, ...numbers, ...foldColumns(folds)],
    rows: mapped(store, configuration, folds, ({ state, assignment, number: trial }, rows) =>
      rows.flatMap((row) =>
        row.markets.map((market) => {
          const { id, eventId, status, startsAt, settledAt, winnerCount, orders } = market;
          const values = keys.map((key) => assignment[key]);
          const facts = [state, ...values, id, eventId, status, ...endCells(row, market)];
          return [...facts, startsAt, settledAt, trial, winnerCount, orders, ...cells(row, market)];
        }),
      ),
    ),
  };
}

function moneyCell(profit: ProfitMoney, name: (typeof MONEY)[number]): number | undefined {
  const value = name === 'profitNet' ? profit.profitGross - profit.commission : profit[name];
  return value === undefined ? undefined : moneyToDecimal(value as Money);
}

interface Shape {
  /** The keys of all assignments, and all bounds, of which a trial may lack some. */
  readonly keys: readonly string[];
  readonly bounds: readonly Bound[];
  /** Those that have a search of their own. */
  readonly folds: readonly StoredFold[];
}

function shapeOf(store: TrialStore, configuration: number): Shape {
  const [keys, bounds] = [new Set<string>(), new Set<Bound>()];
  for (const { assignment, keys: units } of store.trials(configuration)) {
    for (const key of Object.keys(assignment)) keys.add(key);
    const [row] = rowsOf(store, units.slice(0, 1));
    for (const bound of row?.bounds ?? []) bounds.add(bound);
  }
  return { keys: [...keys].sort(), bounds: [...bounds], folds: store.folds(configuration) };
}

/**
 * The columns of folds with searches of their own: the number of the fold, empty for the search over all events, and which part of it was
 * played.
 */
function foldColumns(folds: readonly StoredFold[]): readonly TableColumn[] {
  return folds.length === 0 ? [] : [number('fold'), text('part')];
}

function mapped(
  store: TrialStore,
  configuration: number,
  folds: readonly StoredFold[],
  to: (trial: StoredTrial, rows: readonly UnitRow[]) => readonly TableRow[],
): Iterable<TableRow> {
  const isFolded = folds.length > 0;
  const byTrial = new Map(folds.map((fold) => [fold.trial, fold]));
  return {
    *[Symbol.iterator]() {
      for (const trial of store.trials(configuration)) {
        const { number, fold, keys } = trial;
        const part = fold === undefined ? undefined : 'in sample';
        for (const row of to(trial, rowsOf(store, keys))) yield isFolded ? [...row, fold, part] : row;
        const outside = byTrial.get(number)?.keys;
        if (outside === undefined) continue;
        for (const row of to(trial, rowsOf(store, outside))) yield [...row, fold, 'out of sample'];
      }
    },
  };
}

function text(name: string): TableColumn {
  return { name, kind: 'text' };
}

function number(name: string): TableColumn {
  return { name, kind: 'number' };
}
