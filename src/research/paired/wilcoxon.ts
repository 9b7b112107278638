/** The signed-rank test for paired differences (F. Wilcoxon, 1945): exact for few pairs, also with ties, else by the normal distribution. */

import type { Meaning } from '../figure/meaning.ts';
import type { Figures } from '../figure/moments.ts';
import { normalAbove, normalCdf } from '../figure/normal.ts';
import { type NotKnown, notKnown } from '../figure/not-known.ts';

export interface SignedRanks extends Meaning {
  readonly kind: 'signedRanks';
  /** Pairs that differ; pairs without a difference are left out, as Wilcoxon did. */
  readonly pairs: number;
  /** Sum of the ranks of the positive differences; ties in size share the mean rank. */
  readonly positiveRanks: number;
  /** Chance of a sum this large, and this small, where differences lie as often above as below 0. */
  readonly chanceAbove: number;
  readonly chanceBelow: number;
  /** The chance of a sum this far off to either side. */
  readonly pValue: number;
  readonly method: 'exact' | 'normal';
}

const SIGNED_RANKS_MEANING: Meaning = {
  says: 'The signed-rank test says whether one strategy did better than the other in more events, and by larger amounts.',
  doesNotSay:
    'It judges ranks and not money: where one rare large loss pays for many small wins, the strategy with the wins looks ' +
    'better although it may earn less.',
};

/** Up to here every assignment of signs is counted. */
const EXACT_MAX = 25;

/**
 * Compares two strategies event group by event group: `differences` are their profits one less the other. Exact up to 25
 * differing pairs: the distribution over all 2ⁿ signs of the ranks as they are, ties included. Above, the normal distribution
 * with the variance corrected for ties and a continuity correction of ½.
 */
export function signedRanksOf(differences: Figures): SignedRanks | NotKnown {
  const kept = Array.from(differences).filter((difference) => difference !== 0);
  const pairs = kept.length;
  if (pairs === 0) return notKnown('No pair differs.');
  const { doubled, tied } = doubledRanksOf(kept.map(Math.abs));
  let doubledSum = 0;
  for (let at = 0; at < pairs; at += 1) if (kept[at]! > 0) doubledSum += doubled[at]!;
  const positiveRanks = doubledSum / 2;
  const isExact = pairs <= EXACT_MAX;
  const { chanceAbove, chanceBelow } = isExact
    ? exactChances(doubled, doubledSum)
    : normalChances({ pairs, positiveRanks, tied });
  const pValue = Math.min(1, 2 * Math.min(chanceAbove, chanceBelow));
  const method = isExact ? 'exact' : 'normal';
  return {
    kind: 'signedRanks',
    pairs,
    positiveRanks,
    chanceAbove,
    chanceBelow,
    pValue,
    method,
    ...SIGNED_RANKS_MEANING,
  };
}

/** Twice the ranks, which are whole numbers also where ties share one; and Σ (t³ − t) over ties of t. */
function doubledRanksOf(sizes: readonly number[]): { readonly doubled: Uint32Array; readonly tied: number } {
  const order = Array.from(sizes.keys()).sort((a, b) => sizes[a]! - sizes[b]!);
  const doubled = new Uint32Array(sizes.length);
  let tied = 0;
  for (let from = 0; from < order.length; ) {
    let to = from + 1;
    while (to < order.length && sizes[order[to]!] === sizes[order[from]!]) to += 1;
    for (let at = from; at < to; at += 1) doubled[order[at]!] = from + 1 + to;
    const count = to - from;
    tied += count ** 3 - count;
    from = to;
  }
  return { doubled, tied };
}

interface Chances {
  readonly chanceAbove: number;
  readonly chanceBelow: number;
}

/** Counts the assignments of signs by their doubled sum of ranks: whole numbers up to 2²⁵, exact in a double. */
function exactChances(doubled: Uint32Array, observed: number): Chances {
  const most = doubled.reduce((sum, rank) => sum + rank, 0);
  const ways = new Float64Array(most + 1);
  ways[0] = 1;
  for (const rank of doubled) for (let sum = most; sum >= rank; sum -= 1) ways[sum] = ways[sum]! + ways[sum - rank]!;
  let above = 0;
  let below = 0;
  for (let sum = 0; sum <= most; sum += 1) {
    if (sum >= observed) above += ways[sum]!;
    if (sum <= observed) below += ways[sum]!;
  }
  const all = 2 ** doubled.length;
  return { chanceAbove: above / all, chanceBelow: below / all };
}

function normalChances({
  pairs,
  positiveRanks,
  tied,
}: {
  readonly pairs: number;
  readonly positiveRanks: number;
  readonly tied: number;
}): Chances {
  const mean = (pairs * (pairs + 1)) / 4;
  const deviation = Math.sqrt((pairs * (pairs + 1) * (2 * pairs + 1)) / 24 - tied / 48);
  return {
    chanceAbove: normalAbove((positiveRanks - mean - 0.5) / deviation),
    chanceBelow: normalCdf((positiveRanks - mean + 0.5) / deviation),
  };
}
