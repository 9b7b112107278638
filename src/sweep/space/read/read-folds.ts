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
  /** Of walk-forward: how far back a fold looks; undefined: to the first event. */
  readonly trainMs: number | undefined;
}

type FoldsConfig = NonNullable<SweepConfig['sweep']['folds']>;
type DurationKey = 'purge' | 'embargo' | 'train';

const DURATION = /^(\d+(?:\.\d+)?) ?(ms|s|m|h|d)$/;
const UNIT_MS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Undefined where there are none. @throws OddsmithError CONFIG_INVALID */
export function readFolds(loaded: LoadedConfig<SweepConfig>, dimensions: readonly Dimension[]): FoldChoice | undefined {
  const { folds, search } = loaded.value.sweep;
  if (folds === undefined) return undefined;
  const where = loaded.where(['sweep', 'folds']);
  checkSearch(typeof search === 'string' ? search : search.method, where);
  checkIsolate(loaded, dimensions, where);
  for (const key of ['purge', 'embargo', 'train'] as const) checkDuration(loaded, folds, key);
  return foldChoiceOf(folds);
}

/** Of folds that were read before. */
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

/** A search that learns would have chosen its trials by the very events that they are judged on. */
function checkSearch(method: string, where: string): void {
  if (method !== 'tpe' && method !== 'race') return;
  throw spaceError({
    what: `Folds cannot be made of a search with ${method}.`,
    where,
    why: 'It chooses its later trials by what the earlier ones did on all events, so that no events are out of sample.',
    next: 'Search with grid, random, sobol or latin-hypercube; or keep the last events back with `holdout`, which no search sees.',
  });
}

/** Wallets and the memory of a strategy would carry from one fold into the next. */
function checkIsolate(loaded: LoadedConfig<SweepConfig>, dimensions: readonly Dimension[], where: string): void {
  const varied = dimensions.find(({ key }) => key === 'isolate');
  const values = varied?.kind === 'list' ? varied.values.map(({ raw }) => raw) : [loaded.value.isolate];
  const whole = values.find((value) => value !== 'event' && value !== 'market');
  if (whole === undefined) return;
  throw spaceError({
    what: `Folds cannot be made with isolate: ${whole}.`,
    where,
    why: 'A trial is then one run over all events: wallets and the memory of the strategy go from the events of one fold into the next.',
    next: 'Set isolate: event, or isolate: market.',
  });
}
