/** Trials, or the markets of all trials, as a table of columns: what `sweep export` writes. */

import { type Money, moneyToDecimal } from '../../core/number/units.ts';
import type { Bound, ProfitMoney } from '../../report/result.ts';
import type { AssignedValue } from '../space/assignment.ts';
import type { StoredTrial, TrialStore } from '../store/trial-store.ts';
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

/** One row for each trial: its values, and each figure at each bound. */
export function trialTable(store: TrialStore, configuration: number): TrialTable {
  const { keys, bounds } = shapeOf(store, configuration);
  const figures = NAMES.flatMap((name) => bounds.map((bound) => ({ name, bound })));
  const names = ['trial', 'events', ...figures.map(({ name, bound }) => `${name}.${bound}`)];
  return {
    columns: [text('state'), ...keys.map((key) => text(key)), ...names.map(number)],
    rows: mapped(store, configuration, (trial, rows) => [
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

const MONEY = ['stakeMatched', 'profitGross', 'commission', 'profitNet', 'markToMarket'] as const;

/** One row for each market of each trial. */
export function marketTable(store: TrialStore, configuration: number): TrialTable {
  const { keys, bounds } = shapeOf(store, configuration);
  const figures = MONEY.flatMap((name) => bounds.map((bound) => ({ name, bound })));
  const texts = ['state', ...keys, 'market', 'event', 'status'].map(text);
  const times = ['startsAt', 'settledAt'].map((name): TableColumn => ({ name, kind: 'time' }));
  const numbers = ['trial', 'orders', ...figures.map(({ name, bound }) => `${name}.${bound}`)].map(number);
  const cells = (row: UnitRow, market: UnitMarket): TableRow =>
    figures.map(({ name, bound }) => {
      const profit = market.profit[row.bounds.indexOf(bound)];
      return profit === undefined ? undefined : moneyCell(profit, name);
    });
  return {
    columns: [...texts, ...times, ...numbers],
    rows: mapped(store, configuration, ({ state, assignment, number: trial }, rows) =>
      rows.flatMap((row) =>
        row.markets.map((market) => {
          const { id, eventId, status, startsAt, settledAt, orders } = market;
          const values = keys.map((key) => assignment[key]);
          return [state, ...values, id, eventId, status, startsAt, settledAt, trial, orders, ...cells(row, market)];
        }),
      ),
    ),
  };
}

function moneyCell(profit: ProfitMoney, name: (typeof MONEY)[number]): number | undefined {
  const value = name === 'profitNet' ? profit.profitGross - profit.commission : profit[name];
  return value === undefined ? undefined : moneyToDecimal(value as Money);
}

/** The keys of all assignments, and all bounds, of which a trial may lack some. */
function shapeOf(
  store: TrialStore,
  configuration: number,
): { readonly keys: readonly string[]; readonly bounds: readonly Bound[] } {
  const [keys, bounds] = [new Set<string>(), new Set<Bound>()];
  for (const { assignment, keys: units } of store.trials(configuration)) {
    for (const key of Object.keys(assignment)) keys.add(key);
    const [row] = rowsOf(store, units.slice(0, 1));
    for (const bound of row?.bounds ?? []) bounds.add(bound);
  }
  return { keys: [...keys].sort(), bounds: [...bounds] };
}

function mapped(
  store: TrialStore,
  configuration: number,
  to: (trial: StoredTrial, rows: readonly UnitRow[]) => readonly TableRow[],
): Iterable<TableRow> {
  return {
    *[Symbol.iterator]() {
      for (const trial of store.trials(configuration)) yield* to(trial, rowsOf(store, trial.keys));
    },
  };
}

function text(name: string): TableColumn {
  return { name, kind: 'text' };
}

function number(name: string): TableColumn {
  return { name, kind: 'number' };
}
