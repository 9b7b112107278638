/**
 * Whether the best of many trials is more than the best of as many worthless ones: H. White's reality check (2000), by the
 * stationary bootstrap (D. N. Politis and J. P. Romano, 1994), not studentised.
 */

import { assert } from '../../core/checks/assert.ts';
import { Random } from '../../core/number/random.ts';
import type { Meaning } from '../figure/meaning.ts';
import { type Figures, momentsOf } from '../figure/moments.ts';
import { type NotKnown, notKnown, tooFewEvents } from '../figure/not-known.ts';

/** Writes the event groups of the next resample. */
export type Resampler = (into: Uint32Array) => void;

/** Resamplers that begin with the same resamples: runs of neighbouring event groups, of random length with the given mean; the last group is followed by the first. */
export function stationaryBootstrap({
  seed,
  meanBlock,
}: {
  readonly seed: number;
  /** The mean length of a block in event groups, from 1 on; 1 draws each group by itself. */
  readonly meanBlock: number;
}): () => Resampler {
  assert(meanBlock >= 1, `a block has at least one event group, got ${meanBlock}`);
  return () => {
    const random = Random.fromSeed(seed);
    return (into) => {
      let row = random.below(into.length);
      for (let at = 0; at < into.length; at += 1) {
        if (at > 0) {
          if (random.uniform() * meanBlock < 1) row = random.below(into.length);
          else row = row + 1 === into.length ? 0 : row + 1;
        }
        into[at] = row;
      }
    };
  };
}

/** What the check says of one trial beside all others. */
export interface MeanOfTrial {
  /** The trial's index. */
  readonly at: number;
  readonly mean: number;
  /** How often the largest mean of worthless trials is above this one, as `pValue` of the check. */
  readonly pValue: number;
}

export interface RealityCheck extends Meaning {
  readonly kind: 'realityCheck';
  /** (1 + exceeding) ÷ (1 + resamples). */
  readonly pValue: number;
  /** The trial with the largest mean profit of an event group, and that mean. */
  readonly best: number;
  readonly bestMean: number;
  /** Resamples of worthless trials whose best has a larger mean. */
  readonly exceeding: number;
  readonly resamples: number;
  /**
   * A sentence where large losses are rarer than wins and the event groups too few for that: a small p-value then comes too
   * easily, and a large one still says what it says.
   */
  readonly caution: string | undefined;
  /** The mean of the trial that was asked about, of which `caution` speaks too. */
  readonly asked: MeanOfTrial | undefined;
}

const REALITY_CHECK_MEANING: Meaning = {
  says:
    "White's reality check says how often the best of as many trials without any profit to expect would show the mean " +
    'profit of the best trial, judged from the profits themselves, with whatever made the trials alike.',
  doesNotSay:
    'It knows the risk of a bet only from results that came: where a rare large loss did not happen (bets against long ' +
    'odds), it takes the luck for skill. Trials with larger stakes decide it, since nothing is divided by their spread.',
};

/** Fewer event groups say nothing about the spread of a mean. */
const GROUPS_MIN = 10;
/**
 * Event groups needed for each unit of squared skewness, where losses are the long tail. A trial with few losses has both a high
 * mean and a small spread, so that too many searches of nothing are found to be something: in proportion to |skewness| ÷ √groups,
 * and in our simulations 7 of 100 at the 5 % level where that is 1 ÷ √500 (docs/statistics.md).
 */
const GROUPS_FOR_SKEWNESS = 500;

/** `trials` has for each trial its profit in each event group, in the order of time, in one unit of money. */
export function realityCheck({
  trials,
  resampler,
  resamples,
  asked,
}: {
  /** Read once, some at a time. */
  readonly trials: Iterable<Figures>;
  /** Begins anew for each piece of the trials. */
  readonly resampler: () => Resampler;
  readonly resamples: number;
  /** Index of the trial to speak of besides the best one. */
  readonly asked?: number | undefined;
}): RealityCheck | NotKnown {
  const seen: SeenTrial[] = [];
  const maxima = new Float64Array(resamples).fill(-Infinity);
  let groups = 0;
  for (const piece of piecesOf(trials)) {
    groups = piece[0]!.length;
    if (groups < GROUPS_MIN) return tooFewEvents(groups, GROUPS_MIN);
    for (const trial of addPiece(piece, resampler(), maxima)) seen.push(trial);
  }
  if (seen.length === 0) return notKnown('There is no trial.');
  const best = seen.reduce((top, { mean }, trial) => (mean > seen[top]!.mean ? trial : top), 0);
  const above = (trial: number): number => {
    const { mean } = seen[trial]!;
    return maxima.reduce((count, maximum) => (maximum > mean ? count + 1 : count), 0);
  };
  const pValueOf = (trial: number): number => (1 + above(trial)) / (1 + resamples);
  if (above(best) === 0 && seen.every(({ deviation }) => deviation === 0)) {
    return notKnown('Each trial has the same profit in all event groups: they show no luck to compare with.');
  }
  return {
    kind: 'realityCheck',
    pValue: pValueOf(best),
    best,
    bestMean: seen[best]!.mean,
    exceeding: above(best),
    resamples,
    caution: cautionOf(seen, seen[asked ?? best]!, groups),
    asked: asked === undefined ? undefined : { at: asked, mean: seen[asked]!.mean, pValue: pValueOf(asked) },
    ...REALITY_CHECK_MEANING,
  };
}

/** What is kept of a trial. */
interface SeenTrial {
  readonly mean: number;
  readonly deviation: number;
  readonly skewness: number;
  readonly hasLoss: boolean;
}

/** Profits that are held beside each other. */
const PIECE_CELLS = 4e6;

function* piecesOf(trials: Iterable<Figures>): Generator<readonly Figures[]> {
  let piece: Figures[] = [];
  let groups: number | undefined;
  for (const trial of trials) {
    groups ??= trial.length;
    assert(trial.length === groups, 'each trial has a profit for each event group');
    piece.push(trial);
    if (piece.length * trial.length < PIECE_CELLS) continue;
    yield piece;
    piece = [];
  }
  if (piece.length > 0) yield piece;
}

/** `maxima`: of each resample the largest mean above its own so far. */
function addPiece(trials: readonly Figures[], resample: Resampler, maxima: Float64Array): readonly SeenTrial[] {
  const groups = trials[0]!.length;
  const rows = rowsOf(trials, groups);
  const sums = new Float64Array(trials.length);
  const all = Uint32Array.from({ length: groups }, (_, row) => row);
  addRows({ rows, chosen: all, sums });
  const means = sums.map((sum) => sum / groups);
  const chosen = new Uint32Array(groups);
  for (let each = 0; each < maxima.length; each += 1) {
    resample(chosen);
    addRows({ rows, chosen, sums });
    maxima[each] = Math.max(maxima[each]!, largestAbove(sums, means, groups));
  }
  return trials.map((trial, at) => {
    const { deviation, skewness } = momentsOf(trial);
    return { mean: means[at]!, deviation, skewness, hasLoss: Array.from(trial).some((profit) => profit < 0) };
  });
}

function cautionOf(seen: readonly SeenTrial[], { hasLoss }: SeenTrial, groups: number): string | undefined {
  if (!hasLoss) {
    return 'The best trial has no loss in any event group: the profits cannot show how large one would be.';
  }
  // The best trial is the one whose losses did not come; the middle one shows what is usual.
  const skewnesses = seen.flatMap(({ deviation, skewness }) => (deviation > 0 ? [skewness] : []));
  const middle = skewnesses.sort((a, b) => a - b)[Math.floor(skewnesses.length / 2)] ?? 0;
  const needed = Math.ceil(GROUPS_FOR_SKEWNESS * middle * middle);
  if (middle >= 0 || groups >= needed) return undefined;
  return (
    `Losses that are larger and rarer than wins decide these profits (skewness ${middle.toFixed(1)}): over ${groups} event ` +
    `groups the check takes luck for skill too often, over some ${needed} it would not.`
  );
}

/** The profits of all trials in one event group beside each other: a resample reads whole rows. */
function rowsOf(trials: readonly Figures[], groups: number): Float64Array {
  const rows = new Float64Array(groups * trials.length);
  trials.forEach((trial, at) => {
    for (let row = 0; row < groups; row += 1) rows[row * trials.length + at] = trial[row]!;
  });
  return rows;
}

function addRows({
  rows,
  chosen,
  sums,
}: {
  readonly rows: Float64Array;
  readonly chosen: Uint32Array;
  readonly sums: Float64Array;
}): void {
  sums.fill(0);
  for (const row of chosen) {
    const from = row * sums.length;
    for (let trial = 0; trial < sums.length; trial += 1) sums[trial] = sums[trial]! + rows[from + trial]!;
  }
}

/** The largest difference between a trial's mean in the resample and its own. */
function largestAbove(sums: Float64Array, means: Float64Array, groups: number): number {
  let largest = -Infinity;
  for (let trial = 0; trial < sums.length; trial += 1) {
    const above = sums[trial]! / groups - means[trial]!;
    if (above > largest) largest = above;
  }
  return largest;
}
