/** Winners of a market drawn from its closing probabilities, with the exact expectation and variance of what depends on them. */

import { assert } from '../../core/checks/assert.ts';
import type { Random } from '../../core/number/random.ts';
import { type Figures, sumOf } from '../figure/moments.ts';

/** How the winners of one market are drawn. */
export interface WinnerDraw {
  /** How many outcomes win. */
  readonly winners: number;
  /** Writes the outcomes that win into the first places. */
  draw(random: Random, into: Uint32Array): void;
  /** Expectation of the sum of `amounts` over the winners. */
  expectation(amounts: Figures): number;
  /** Exact variance of that sum. */
  variance(amounts: Figures): number;
}

/** Sums of probabilities that were read from prices are off by rounding alone. */
const SUM_NEAR = 1e-6;
/** An outcome whose chance is this near to 0 or 1 loses or wins for certain. */
const CERTAIN = 1e-12;

/**
 * `closing` has for each outcome the chance that it is among the winners; their sum is the number of winners, 1 in a win
 * market. Of several winners, the set is drawn by conditional Poisson sampling (S. X. Chen, A. P. Dempster and J. S. Liu,
 * 1994): the distribution of largest entropy that has these chances, which assumes nothing more of who wins beside whom.
 */
export function winnerDraw(closing: Figures): WinnerDraw {
  const winners = Math.round(sumOf(closing));
  assert(
    winners >= 1 && Math.abs(sumOf(closing) - winners) <= SUM_NEAR,
    `closing probabilities sum to the number of winners, got ${sumOf(closing)}`,
  );
  for (let at = 0; at < closing.length; at += 1) {
    const chance = closing[at]!;
    assert(chance >= 0 && chance <= 1 + SUM_NEAR, `a closing probability lies between 0 and 1, got ${chance}`);
  }
  return winners === 1 ? oneWinner(closing) : severalWinners(closing, winners);
}

function expectationOf(closing: Figures, amounts: Figures): number {
  let sum = 0;
  for (let at = 0; at < closing.length; at += 1) sum += closing[at]! * amounts[at]!;
  return sum;
}

function oneWinner(closing: Figures): WinnerDraw {
  const upTo = new Float64Array(closing.length);
  let sum = 0;
  let last = 0;
  for (let at = 0; at < closing.length; at += 1) {
    sum += closing[at]!;
    upTo[at] = sum;
    if (closing[at]! > 0) last = at;
  }
  return {
    winners: 1,
    draw: (random, into) => {
      const place = random.uniform() * sum;
      let at = 0;
      while (at < last && place >= upTo[at]!) at += 1;
      into[0] = at;
    },
    expectation: (amounts) => expectationOf(closing, amounts),
    variance: (amounts) => {
      const mean = expectationOf(closing, amounts);
      let variance = 0;
      for (let at = 0; at < closing.length; at += 1) variance += closing[at]! * (amounts[at]! - mean) ** 2;
      return variance;
    },
  };
}

function severalWinners(closing: Figures, winners: number): WinnerDraw {
  const sure: number[] = [];
  const open: number[] = [];
  for (let at = 0; at < closing.length; at += 1) {
    if (closing[at]! >= 1 - CERTAIN) sure.push(at);
    else if (closing[at]! > CERTAIN) open.push(at);
  }
  const drawn = winners - sure.length;
  const weights = weightsOf(
    Float64Array.from(open, (at) => closing[at]!),
    drawn,
  );
  const pairs = pairChances(weights, drawn);
  const rest = restSums(weights, drawn);
  const width = drawn + 1;
  return {
    winners,
    draw: (random, into) => {
      let count = 0;
      for (const outcome of sure) {
        into[count] = outcome;
        count += 1;
      }
      for (let at = 0, left = drawn; left > 0; at += 1) {
        const chance = (weights[at]! * rest[(at + 1) * width + left - 1]!) / rest[at * width + left]!;
        if (open.length - at > left && random.uniform() >= chance) continue;
        into[count] = open[at]!;
        count += 1;
        left -= 1;
      }
    },
    expectation: (amounts) => expectationOf(closing, amounts),
    variance: (amounts) => {
      // The sure winners add a constant; the amounts are taken about the mean of what is drawn, so that no digits are lost.
      const mean = open.reduce((sum, outcome) => sum + closing[outcome]! * amounts[outcome]!, 0) / Math.max(drawn, 1);
      let variance = 0;
      for (let a = 0; a < open.length; a += 1) {
        const off = amounts[open[a]!]! - mean;
        for (let b = 0; b < open.length; b += 1) {
          variance += pairs[a * open.length + b]! * off * (amounts[open[b]!]! - mean);
        }
      }
      return Math.max(variance, 0);
    },
  };
}

const ROUNDS_MAX = 10_000;

/** Weights under which each outcome is drawn with its chance: the fixed point of Chen, Dempster and Liu. */
function weightsOf(chances: Float64Array, drawn: number): Float64Array {
  const weights = chances.map((chance) => chance / (1 - chance));
  if (drawn === 0) return weights;
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    const whole = symmetricSum(weights, drawn);
    let off = 0;
    const without = weights.map((_, at) => symmetricSum(weights, drawn - 1, at));
    for (let at = 0; at < weights.length; at += 1) {
      const has = (weights[at]! * without[at]!) / whole;
      off = Math.max(off, Math.abs(has - chances[at]!));
      weights[at] = (weights[at]! * chances[at]!) / has;
    }
    if (off < 1e-13) break;
  }
  return weights;
}

/** Chances that two outcomes win together; on the diagonal, that one wins. */
function pairChances(weights: Float64Array, drawn: number): Float64Array {
  const count = weights.length;
  const pairs = new Float64Array(count * count);
  if (drawn === 0) return pairs;
  const whole = symmetricSum(weights, drawn);
  for (let a = 0; a < count; a += 1) {
    pairs[a * count + a] = (weights[a]! * symmetricSum(weights, drawn - 1, a)) / whole;
    for (let b = 0; drawn > 1 && b < a; b += 1) {
      const chance = (weights[a]! * weights[b]! * symmetricSum(weights, drawn - 2, a, b)) / whole;
      pairs[a * count + b] = chance;
      pairs[b * count + a] = chance;
    }
  }
  return pairs;
}

/** The sum over all sets of `size` outcomes of the product of their weights, with up to two outcomes left out. */
function symmetricSum(weights: Float64Array, size: number, without = -1, withoutToo = -1): number {
  const sums = new Float64Array(size + 1);
  sums[0] = 1;
  for (let at = 0; at < weights.length; at += 1) {
    if (at === without || at === withoutToo) continue;
    for (let of = size; of > 0; of -= 1) sums[of] = sums[of]! + weights[at]! * sums[of - 1]!;
  }
  return sums[size]!;
}

/** At `from × (drawn + 1) + size` stands that sum over the sets among the outcomes from `from` on. */
function restSums(weights: Float64Array, drawn: number): Float64Array {
  const width = drawn + 1;
  const rest = new Float64Array((weights.length + 1) * width);
  rest[weights.length * width] = 1;
  for (let from = weights.length - 1; from >= 0; from -= 1) {
    rest[from * width] = 1;
    for (let size = 1; size <= drawn; size += 1) {
      const later = (from + 1) * width + size;
      rest[from * width + size] = rest[later]! + weights[from]! * rest[later - 1]!;
    }
  }
  return rest;
}
