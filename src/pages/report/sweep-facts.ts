/** What the report of a sweep shows, as plain data: what of it is luck, its surface, its folds; the trials are a table of columns. */

import type { ColumnPlan } from './columns.ts';
import { packTable, writeColumns } from './write-columns.ts';

export type SweepUnit = 'money' | 'share' | 'count' | 'ratio';

export interface SweepFacts {
  readonly name: string;
  readonly version: string;
  /** `maximize profitNet, central bound`. */
  readonly objective: string;
  /** Of all amounts; undefined where nobody named one. */
  readonly currency: string | undefined;
  /** The command that plays a trial again, without its number. */
  readonly rerun: string;
  readonly goal: 'maximize' | 'minimize';
  readonly strategies: readonly string[];
  /** The best trial, and whether it is luck. */
  readonly headline: string;
  /** What that rests on, in words. */
  readonly verdict: readonly string[];
  /** What was counted, and what could not be read. */
  readonly counted: readonly string[];
  readonly figures: readonly SweepFigure[];
  readonly surface: readonly SurfaceTable[];
  readonly folds: FoldTable | undefined;
  /** Keys that the sweep varies, as the user wrote them. */
  readonly keys: readonly string[];
  /** What the value of each trial is, such as `profitNet per event`. */
  readonly value: string;
  /** Figures of each trial, but for the one that its value is. */
  readonly units: Readonly<Record<string, SweepUnit>>;
  /** What each figure is, in words. */
  readonly meanings: Readonly<Record<string, string>>;
  /** Of the value. */
  readonly unit: SweepUnit | undefined;
  readonly best: number | undefined;
  /** Trials that the sweep has; more than the table where that is cut. */
  readonly trials: number;
}

export interface SweepFigure {
  readonly name: string;
  readonly value: string;
  readonly says: string;
  readonly doesNotSay: string;
}

export interface SurfaceTable {
  readonly key: string;
  /** The share of the differences between trials that it explains, 0 to 1. */
  readonly effect: number;
  readonly values: readonly {
    readonly value: string;
    readonly trials: number;
    readonly best: number;
    readonly median: number;
  }[];
}

export interface FoldTable {
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
  readonly doesNotSay: string;
}

export interface SweepTrial {
  readonly trial: number;
  readonly state: string;
  readonly events: number;
  readonly value: number | undefined;
  readonly assignment: Readonly<Record<string, string | number | boolean>>;
  readonly figures: Readonly<Record<string, number>>;
}

/** Trials in a page: those with the best values. */
const TRIALS_MAX = 20_000;

export function sweepData(facts: SweepFacts, trials: readonly SweepTrial[]): Uint8Array {
  const columns: readonly ColumnPlan<SweepTrial>[] = [
    { name: 'trial', of: ({ trial }) => trial },
    { name: 'state', of: ({ state }) => state },
    { name: 'events', of: ({ events }) => events },
    { name: 'value', decimals: 6, of: ({ value }) => value },
    ...facts.keys.map((key) => ({
      name: `key ${key}`,
      of: ({ assignment }: SweepTrial) => textIfThere(assignment[key]),
    })),
    // The figure of the objective also of trials that have no value, since they do not fulfil what is asked of them.
    ...[...Object.keys(facts.units), facts.value].map((name) => ({
      name: `figure ${name}`,
      decimals: 6,
      of: ({ figures }: SweepTrial) => figures[name],
    })),
  ];
  return writeColumns(facts, [packTable({ name: 'trials', columns, rows: trials.slice(0, TRIALS_MAX) })]);
}

function textIfThere(value: string | number | boolean | undefined): string | undefined {
  return value === undefined ? undefined : String(value);
}
