/**
 * The probability of backtest overfitting, by combinatorially symmetric cross-validation (D. H. Bailey, J. M. Borwein,
 * M. López de Prado and Q. J. Zhu, 2015).
 */

import { assert } from '../../core/checks/assert.ts';
import type { Meaning } from '../figure/meaning.ts';
import { type Figures, meanOf } from '../figure/moments.ts';
import { type NotKnown, notKnown, tooFewEvents } from '../figure/not-known.ts';

/** What a trial is judged by, within each half: mean profit of an event group, or mean over deviation. */
export type PboMeasure = 'mean' | 'sharpe';

export interface Overfitting extends Meaning {
  readonly kind: 'overfitting';
  /** The share of divisions in which the best trial of one half is in the lower half of the trials in the other one. */
  readonly probability: number;
  /** The share of divisions in which the best trial of one half has a loss in the other one. */
  readonly lossProbability: number;
  readonly divisions: number;
  /** The trial that is best in sample, for each division. */
  readonly chosen: Uint32Array;
  /** The value of ln(r ÷ (1 − r)) for each division, where r is the rank of the chosen trial out of sample over the number of trials. */
  readonly logits: Float64Array;
}

const OVERFITTING_MEANING: Meaning = {
  says:
    'PBO says in how many divisions of the events into halves the trial that was best in one half is below the median ' +
    'in the other: near 0 the choice of the best trial carries over to events that it was not chosen on.',
  doesNotSay:
    'It is no p-value: on pure noise it averages about a half and may by chance be low, and where all trials are alike ' +
    'it is high although nothing is wrong with them. It does not say whether the best trial has a profit.',
};

/** Ten blocks make 252 divisions. */
const BLOCKS = 10;
const DIVISIONS = halvesOf(BLOCKS);
/** Two rows of a block are the fewest that have a deviation. */
const ROWS_MIN = 2 * BLOCKS;

/**
 * `trials` has for each trial its profit in each event group, in the order of time. Ranks are as R's package `pbo` has them
 * (rank ÷ N, ties share the mean rank), and so are the figures where the number of groups divides by 10; where it does not,
 * blocks differ by one group. A Sharpe ratio over profits without any deviation is 0.
 */
export function overfittingOf({
  trials: all,
  measure,
}: {
  /** Read once: of each trial the sums of its blocks are kept. */
  readonly trials: Iterable<Figures>;
  readonly measure: PboMeasure;
}): Overfitting | NotKnown {
  const trials: BlockSums[] = [];
  let first: Figures = [];
  let areSame = true;
  for (const trial of all) {
    if (trials.length === 0) first = trial;
    assert(trial.length === first.length, 'each trial has a profit for each event group');
    areSame &&= sameFigures(trial, first);
    trials.push(blockSumsOf(trial));
  }
  const rows = first.length;
  if (trials.length < 2) return notKnown('Overfitting by choice needs at least two trials to choose from.');
  if (rows < ROWS_MIN) return tooFewEvents(rows, ROWS_MIN);
  if (areSame) {
    return notKnown('All trials have the same profits: there is nothing to choose between.');
  }
  const inside = new Float64Array(trials.length);
  const outside = new Float64Array(trials.length);
  const chosen = new Uint32Array(DIVISIONS.length);
  const logits = new Float64Array(DIVISIONS.length);
  let below = 0;
  let losses = 0;
  DIVISIONS.forEach((division, at) => {
    for (let trial = 0; trial < trials.length; trial += 1) {
      inside[trial] = performanceOf(trials[trial]!, division, measure, true);
      outside[trial] = performanceOf(trials[trial]!, division, measure, false);
    }
    const best = indexOfLargest(inside);
    const relative = rankOf(outside, best) / trials.length;
    chosen[at] = best;
    logits[at] = Math.log(relative / (1 - relative));
    if (relative <= 0.5) below += 1;
    if (outside[best]! < 0) losses += 1;
  });
  return {
    kind: 'overfitting',
    probability: below / DIVISIONS.length,
    lossProbability: losses / DIVISIONS.length,
    divisions: DIVISIONS.length,
    chosen,
    logits,
    ...OVERFITTING_MEANING,
  };
}

/** Whether each block is in sample, for each half of the blocks, in the order of R's `combn`. */
function halvesOf(blocks: number): readonly (readonly boolean[])[] {
  const halves: boolean[][] = [];
  const choose = (taken: readonly number[], from: number): void => {
    if (taken.length === blocks / 2) {
      halves.push(Array.from({ length: blocks }, (_, block) => taken.includes(block)));
      return;
    }
    for (let block = from; block < blocks; block += 1) choose([...taken, block], block + 1);
  };
  choose([], 0);
  return halves;
}

interface BlockSums {
  /** Near all figures, so that squares about it lose no digits. */
  readonly centre: number;
  readonly counts: readonly number[];
  readonly sums: Float64Array;
  /** The sums of squares about the centre. */
  readonly squares: Float64Array;
}

function blockSumsOf(trial: Figures): BlockSums {
  const centre = meanOf(trial);
  const sums = new Float64Array(BLOCKS);
  const squares = new Float64Array(BLOCKS);
  const counts: number[] = [];
  for (let block = 0; block < BLOCKS; block += 1) {
    const from = Math.floor((block * trial.length) / BLOCKS);
    const to = Math.floor(((block + 1) * trial.length) / BLOCKS);
    for (let row = from; row < to; row += 1) {
      sums[block] = sums[block]! + trial[row]!;
      squares[block] = squares[block]! + (trial[row]! - centre) ** 2;
    }
    counts.push(to - from);
  }
  return { centre, counts, sums, squares };
}

function performanceOf(
  { centre, counts, sums, squares }: BlockSums,
  division: readonly boolean[],
  measure: PboMeasure,
  half: boolean,
): number {
  let count = 0;
  let sum = 0;
  let square = 0;
  for (let block = 0; block < BLOCKS; block += 1) {
    if (division[block] !== half) continue;
    count += counts[block]!;
    sum += sums[block]!;
    square += squares[block]!;
  }
  const mean = sum / count;
  if (measure === 'mean') return mean;
  const off = count * (mean - centre) ** 2;
  const rest = square - off;
  // What is left of equal figures is rounding.
  return rest <= 1e-12 * (square + count * mean * mean) ? 0 : rounded(mean / Math.sqrt(rest / (count - 1)));
}

/** The number to 41 binary digits (Veltkamp's splitting), so that numbers that differ by rounding alone tie. */
function rounded(x: number): number {
  const scaled = x * (2 ** 12 + 1);
  return scaled - (scaled - x);
}

/** The first of them where several are the largest. */
function indexOfLargest(values: Float64Array): number {
  let best = 0;
  for (let at = 1; at < values.length; at += 1) if (values[at]! > values[best]!) best = at;
  return best;
}

/** The rank, from 1 on. Ties share the mean of their ranks. */
function rankOf(values: Float64Array, which: number): number {
  const value = values[which]!;
  let lower = 0;
  let same = 0;
  for (const other of values) {
    if (other < value) lower += 1;
    else if (other === value) same += 1;
  }
  return lower + (same + 1) / 2;
}

function sameFigures(a: Figures, b: Figures): boolean {
  for (let at = 0; at < a.length; at += 1) if (a[at] !== b[at]) return false;
  return true;
}
