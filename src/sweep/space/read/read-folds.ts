/** How the events of a sweep are divided into those that a trial is chosen on and those that it is judged on. */

import type { LoadedConfig } from '../../../backtest/options/loaded-config.ts';
import type { Dimension } from '../dimension.ts';
import { spaceError } from './space-error.ts';
import type { SweepConfig } from './sweep-schema.ts';

export interface FoldChoice {
  readonly method: 'walk-forward' | 'k-fold';
  readonly count: number;
  readonly purgeMs: number;
  readonly embargoMs: number;
  /** How far back a fold of walk-forward looks; undefined: to the first event. */
  readonly trainMs: number | undefined;
}

type FoldsConfig = NonNullable<SweepConfig['sweep']['folds']>;
type DurationKey = 'purge' | 'embargo' | 'train';

const DURATION = /^(\d+(?:\.\d+)?) ?(ms|s|m|h|d)$/;
const UNIT_MS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Folds of which each has a search of its own. */
export interface FoldSearches {
  readonly choice: FoldChoice;
  /** The place where the configuration asks for them. */
  readonly where: string;
}

/** Undefined where there are none, and where they are made of the units of the trials. @throws OddsmithError CONFIG_INVALID */
export function readFolds(
  loaded: LoadedConfig<SweepConfig>,
  dimensions: readonly Dimension[],
): FoldSearches | undefined {
  const { folds } = loaded.value.sweep;
  if (folds === undefined) return undefined;
  for (const key of ['purge', 'embargo', 'train'] as const) checkDuration(loaded, folds, key);
  const { search } = loaded.value.sweep;
  const isOwn = learns(search) || isWholeRun(loaded, dimensions);
  return isOwn ? { choice: foldChoiceOf(folds), where: loaded.where(['sweep', 'folds']) } : undefined;
}

/** Whether later trials depend on what was found with the first ones: then they would know the events that they are judged on. */
export function learns(search: SweepConfig['sweep']['search']): boolean {
  const method = typeof search === 'string' ? search : search.method;
  return method === 'tpe' || method === 'race';
}

/** Whether wallets and the memory of a strategy go through all events of a run: then each part of a fold is a run of its own. */
function isWholeRun(loaded: LoadedConfig<SweepConfig>, dimensions: readonly Dimension[]): boolean {
  const varied = dimensions.find(({ key }) => key === 'isolate');
  const values = varied?.kind === 'list' ? varied.values.map(({ raw }) => raw) : [loaded.value.isolate];
  return values.some((value) => value !== 'event' && value !== 'market');
}

/** The choice that a configuration with folds makes. */
export function foldChoiceOf(folds: FoldsConfig): FoldChoice {
  const { method, count, purge, embargo } = folds;
  const times = { purgeMs: msOf(purge) ?? 0, embargoMs: msOf(embargo) ?? 0, trainMs: msOf(trainOf(folds)) };
  return { method, count, ...times };
}

function trainOf(folds: FoldsConfig): string | undefined {
  return folds.method === 'walk-forward' ? folds.train : undefined;
}

function msOf(text: string | undefined): number | undefined {
  const [, amount, unit] = DURATION.exec(text ?? '') ?? [];
  return amount === undefined || unit === undefined ? undefined : Math.round(Number(amount) * (UNIT_MS[unit] ?? 0));
}

function checkDuration(loaded: LoadedConfig<SweepConfig>, folds: FoldsConfig, key: DurationKey): void {
  const text = key === 'train' ? trainOf(folds) : folds[key];
  if (text === undefined || msOf(text) !== undefined) return;
  throw spaceError({
    what: `"${text}" is no duration.`,
    where: loaded.where(['sweep', 'folds', key]),
    next: 'Write a number with a unit, such as 1d, 12h, 30m or 90s.',
  });
}
