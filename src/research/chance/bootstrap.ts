/** Intervals by resampling event groups: bias-corrected and accelerated (BCa; B. Efron, 1987). */

import { assert } from '../../core/checks/assert.ts';
import { Random } from '../../core/number/random.ts';
import type { Meaning } from '../figure/meaning.ts';
import { type Figures, sumOf } from '../figure/moments.ts';
import { normalCdf, normalQuantile } from '../figure/normal.ts';
import { type NotKnown, notKnown } from '../figure/not-known.ts';

/** An estimate with its interval, in the unit of the statistic. */
export interface Interval extends Meaning {
  readonly kind: 'interval';
  /** The value in the run itself. */
  readonly estimate: number;
  /** Lower end of the interval. */
  readonly low: number;
  /** Upper end of the interval. */
  readonly high: number;
  /** The share of cases in which such an interval holds the true value, as 0.95. */
  readonly level: number;
  /** The standard deviation of the statistic over the resamples. */
  readonly standardError: number;
  /** How many event groups were resampled. */
  readonly groups: number;
}

const INTERVAL_MEANING: Meaning = {
  says:
    'The interval says between which values the figure would lie for the same strategy on other events of this kind: ' +
    'it holds the true value about as often as its level says, with the bets of one event group counted as one.',
  doesNotSay:
    'It knows only what happened: where a rare large loss did not come (bets against long odds), it lies too high and is too ' +
    'narrow. It does not know how many trials were searched, nor that markets change.',
};

/** Fewer say nothing about their spread. */
const GROUPS_MIN = 5;
/** Above this share of resamples without a value (nothing was staked in them), an interval of the others would mislead. */
const VALUELESS_MAX = 0.05;

export interface BootstrapOptions {
  readonly seed: number;
  /** The usual number is 2,000 to 10,000. */
  readonly resamples: number;
  /** The level, such as 0.95. */
  readonly level: number;
}

/**
 * The interval of a statistic of sums over event groups, such as profit per event (`[profit, events]`, the first sum by the
 * second) or yield (`[profit, stake]`). Whole groups are drawn with their figures in all columns, since the bets of one event
 * share its result. `statistic` gives undefined where it has no value.
 */
export function bootstrapInterval({
  columns,
  statistic,
  seed,
  resamples,
  level,
}: BootstrapOptions & {
  /** One figure for each event group in each column. */
  readonly columns: readonly Figures[];
  readonly statistic: (sums: Figures) => number | undefined;
}): Interval | NotKnown {
  assert(level > 0 && level < 1, `a level lies between 0 and 1, got ${level}`);
  assert(Number.isInteger(resamples) && resamples >= 100, `an interval takes 100 resamples or more, got ${resamples}`);
  const groups = columns[0]?.length ?? 0;
  for (const column of columns) assert(column.length === groups, 'each column has a figure for each event group');
  if (groups < GROUPS_MIN) {
    return notKnown(`${countOf(groups, 'event group')}: an interval needs at least ${GROUPS_MIN}.`);
  }
  const totals = Float64Array.from(columns, sumOf);
  const estimate = statistic(totals);
  if (estimate === undefined) return notKnown('The figure has no value: what it is divided by is 0.');
  const jackknifed = jackknife({ columns, totals, groups, statistic });
  if (jackknifed === undefined) return notKnown('One event group alone gives the figure a value.');
  if (isFlat(jackknifed, estimate)) {
    return notKnown('All event groups have the same figure: they show no spread from which an interval could be made.');
  }
  const values = resampled({ columns, groups, statistic, resamples, random: Random.fromSeed(seed) });
  if (values.length < resamples * (1 - VALUELESS_MAX)) {
    return notKnown('Too few event groups give the figure a value: many resamples have none.');
  }
  return bcaOf({ values: values.sort(), estimate, jackknifed, level, groups });
}

/** Profit per event, by event group: `profit` and `events` have one figure for each group; in the unit of `profit`. */
export function ratioInterval({
  above,
  below,
  ...options
}: BootstrapOptions & { readonly above: Figures; readonly below: Figures }): Interval | NotKnown {
  return bootstrapInterval({ columns: [above, below], statistic: ratio, ...options });
}

function ratio(sums: Figures): number | undefined {
  return sums[1] === 0 ? undefined : sums[0]! / sums[1]!;
}

function countOf(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

interface Resampled {
  readonly columns: readonly Figures[];
  readonly groups: number;
  readonly statistic: (sums: Figures) => number | undefined;
}

/** The statistic without each group in turn; undefined where it has no value without one of them. */
function jackknife({
  columns,
  totals,
  groups,
  statistic,
}: Resampled & { readonly totals: Float64Array }): Float64Array | undefined {
  const values = new Float64Array(groups);
  const sums = new Float64Array(columns.length);
  for (let left = 0; left < groups; left += 1) {
    for (let at = 0; at < columns.length; at += 1) sums[at] = totals[at]! - columns[at]![left]!;
    const value = statistic(sums);
    if (value === undefined) return undefined;
    values[left] = value;
  }
  return values;
}

/** Equal up to rounding. */
function isFlat(values: Float64Array, estimate: number): boolean {
  const near = 1e-12 * Math.max(Math.abs(estimate), Number.MIN_VALUE);
  return values.every((value) => Math.abs(value - estimate) <= near);
}

function resampled({
  columns,
  groups,
  statistic,
  resamples,
  random,
}: Resampled & { readonly resamples: number; readonly random: Random }): Float64Array {
  const width = columns.length;
  const rows = new Float64Array(groups * width);
  for (let at = 0; at < width; at += 1) {
    for (let group = 0; group < groups; group += 1) rows[group * width + at] = columns[at]![group]!;
  }
  const values = new Float64Array(resamples);
  const sums = new Float64Array(width);
  let kept = 0;
  for (let each = 0; each < resamples; each += 1) {
    sums.fill(0);
    for (let draw = 0; draw < groups; draw += 1) {
      const row = random.below(groups) * width;
      for (let at = 0; at < width; at += 1) sums[at] = sums[at]! + rows[row + at]!;
    }
    const value = statistic(sums);
    if (value === undefined) continue;
    values[kept] = value;
    kept += 1;
  }
  return values.subarray(0, kept);
}

function bcaOf({
  values,
  estimate,
  jackknifed,
  level,
  groups,
}: {
  /** Ascending. */
  readonly values: Float64Array;
  readonly estimate: number;
  readonly jackknifed: Float64Array;
  readonly level: number;
  readonly groups: number;
}): Interval | NotKnown {
  const below = shareBelow(values, estimate);
  if (below === 0 || below === 1) {
    return notKnown('All resamples lie on one side of the figure: single event groups decide it.');
  }
  const bias = normalQuantile(below);
  const acceleration = accelerationOf(jackknifed);
  const correctedShare = (share: number): number => {
    const z = bias + normalQuantile(share);
    const scale = 1 - acceleration * z;
    // Beyond this point the correction turns round: the end of the resamples is all that is known.
    if (scale <= 0) return acceleration > 0 ? 1 : 0;
    return normalCdf(bias + z / scale);
  };
  return {
    kind: 'interval',
    estimate,
    low: quantileOf(values, correctedShare((1 - level) / 2)),
    high: quantileOf(values, correctedShare((1 + level) / 2)),
    level,
    standardError: deviationOf(values),
    groups,
    ...INTERVAL_MEANING,
  };
}

/** Ties with the estimate count half: resamples of bets at one price have many. */
function shareBelow(values: Float64Array, estimate: number): number {
  const near = 1e-12 * Math.max(Math.abs(estimate), Math.abs(values[0]!), Math.abs(values[values.length - 1]!));
  let count = 0;
  for (const value of values) {
    if (value < estimate - near) count += 1;
    else if (value <= estimate + near) count += 0.5;
  }
  return count / values.length;
}

function accelerationOf(jackknifed: Float64Array): number {
  const mean = sumOf(jackknifed) / jackknifed.length;
  let squares = 0;
  let cubes = 0;
  for (const value of jackknifed) {
    const off = mean - value;
    squares += off * off;
    cubes += off * off * off;
  }
  return squares === 0 ? 0 : cubes / (6 * squares * Math.sqrt(squares));
}

/** Between the two nearest of ascending values. */
function quantileOf(values: Float64Array, share: number): number {
  const place = share * (values.length - 1);
  const low = Math.floor(place);
  const part = place - low;
  const from = values[low]!;
  return part === 0 ? from : from + part * (values[low + 1]! - from);
}

function deviationOf(values: Float64Array): number {
  const mean = sumOf(values) / values.length;
  let squares = 0;
  for (const value of values) squares += (value - mean) ** 2;
  return Math.sqrt(squares / (values.length - 1));
}
