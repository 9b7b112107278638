/** Whether each value of a dimension is allowed for the key that it sets. */

import type { BacktestOptions } from '../../../backtest/options/backtest-options.ts';
import type { LoadedConfig } from '../../../backtest/options/loaded-config.ts';
import { OddsmithError } from '../../../core/checks/oddsmith-error.ts';
import { canonical } from '../../../core/collections/canonical.ts';
import { lacksUnit, type ParamsSpec } from '../../../strategy/params.ts';
import { type AssignedValue, type Assignment, countOf, type Dimension, labelAt, rawOf } from '../dimension.ts';
import { declaredAt } from './config-key.ts';
import { spaceError } from './space-error.ts';
import type { SweepConfig } from './sweep-schema.ts';
import type { TrialOptions } from './trial-options.ts';

interface Beside {
  readonly loaded: LoadedConfig<SweepConfig>;
  readonly specs: readonly ParamsSpec[];
  readonly trialOptions: TrialOptions;
  readonly dimensions: readonly Dimension[];
}

/**
 * The number of values that are judged: steps evenly spread over a longer row, with both ends; the ends of a range and places between them.
 */
const PARAM_PROBES = 10_000;
const CONFIG_PROBES = 1_000;
const RANGE_PROBES = 64;

/** @throws OddsmithError CONFIG_…, at the value */
export function checkValues(dimension: Dimension, beside: Beside): void {
  const declared = declaredAt(dimension.path, beside.specs);
  const earlier = new Map<string, number>();
  for (const coordinate of probesOf(dimension, declared === undefined ? CONFIG_PROBES : PARAM_PROBES)) {
    const label = labelAt(dimension, coordinate);
    const probed = { label, coordinate };
    const meant = declared === undefined ? configOf(dimension, probed, beside) : declared.read(rawOf(dimension, label));
    if (declared !== undefined && meant === undefined)
      throw valueError(dimension, probed, beside, `It is not ${declared.allowed}.`);
    if (declared !== undefined && lacksUnit(declared, rawOf(dimension, label)))
      throw valueError(dimension, probed, beside, 'A duration needs its unit: 500ms, 30s, 5m or 2h.');
    if (dimension.kind === 'list') checkOnce(dimension, probed, { beside, earlier, text: canonical(meant) });
  }
}

interface Probed {
  readonly label: AssignedValue;
  readonly coordinate: number;
}

function probesOf(dimension: Dimension, most: number): readonly number[] {
  const count = countOf(dimension);
  if (count === undefined) return [0, 1, ...Array.from({ length: RANGE_PROBES }, (_, at) => (at + 0.5) / RANGE_PROBES)];
  const probes = dimension.kind === 'list' ? count : Math.min(count, most);
  return [...new Set([0, count - 1, ...Array.from({ length: probes }, (_, at) => Math.floor((at * count) / probes))])];
}

interface Meant {
  readonly beside: Beside;
  /** Numbers of the values before, by what they mean. */
  readonly earlier: Map<string, number>;
  readonly text: string;
}

/** What is written in two ways may mean the same: 1.0 and 1 of a number, 60s and 1m; of a text 1.0 and 1 are two. */
function checkOnce(dimension: Dimension, probed: Probed, { beside, earlier, text }: Meant): void {
  const before = earlier.get(text);
  earlier.set(text, probed.coordinate);
  if (before === undefined) return;
  const why = `It means the same as value ${before + 1}, ${labelAt(dimension, before)}: the same trial would be played twice.`;
  throw valueError(dimension, probed, beside, why, `The values of ${dimension.written} hold ${probed.label} twice.`);
}

/** The options with a probed value and the first value of each other dimension, since some keys stand only together. */
function configOf(dimension: Dimension, probed: Probed, beside: Beside): BacktestOptions {
  const assignment: Assignment = Object.fromEntries(
    beside.dimensions.map((each) => [each.key, each === dimension ? probed.label : labelAt(each, 0)]),
  );
  try {
    return beside.trialOptions.optionsOf(assignment);
  } catch (error) {
    if (!(error instanceof OddsmithError) || error.where !== beside.loaded.where(['sweep', 'space', dimension.written]))
      throw error;
    if (error.code === 'CONFIG_UNKNOWN_KEY') throw error;
    throw valueError(dimension, probed, beside, error.why ?? '', error.what);
  }
}

function valueError(
  dimension: Dimension,
  { label, coordinate }: Probed,
  { loaded }: Beside,
  why: string,
  what = `The value ${label} of ${dimension.written} is not allowed.`,
): Error {
  const count = countOf(dimension);
  const atEnd = coordinate === 0 ? 'from' : coordinate === (count ?? 2) - 1 ? 'to' : 'step';
  const part = dimension.kind === 'list' ? ['values', coordinate] : [atEnd];
  return spaceError({
    what,
    where: loaded.where(['sweep', 'space', dimension.written, ...part]),
    why,
    next:
      dimension.kind === 'range' && atEnd === 'step'
        ? 'Give the range a step that leads to allowed values only (step: 0.001 for stakes, tick for prices, 1 for whole numbers).'
        : 'Change the value, or take it out of the space.',
  });
}
