/** What trading cost, apart: the spread, the time until orders arrived, and commission. */

import type { Side } from '../../core/side.ts';
import type { Meaning } from '../figure/meaning.ts';
import { type NotKnown, notKnown } from '../figure/not-known.ts';
import { middlePrice, valuePerStake } from './expected-value.ts';

/** One fill with the prices that its strategy saw when it decided. Prices are decimal odds. */
export interface DecidedFill {
  readonly side: Side;
  readonly price: number;
  /** The backer's stake, in money. */
  readonly stake: number;
  /** The best prices at which one could bet for and against the outcome, at the decision. */
  readonly bestFor: number;
  readonly bestAgainst: number;
}

/** What went to the spread, to the time until orders arrived, and to commission. In money; costs are positive, and what was earned is negative. */
export interface CostSplit extends Meaning {
  readonly kind: 'costSplit';
  /** Betting at the best price that was there, against the middle of the two. */
  readonly spread: number;
  /** The price got against the best price that was there. Below 0 for orders that waited for a better price. */
  readonly delay: number;
  /** Commission of the run. */
  readonly commission: number;
  /** The sum of the three. */
  readonly total: number;
  /** Total in per cent of the backers' stakes. */
  readonly percent: number;
}

const COST_MEANING: Meaning = {
  says:
    'The cost split says what of the result went to the spread, to prices that moved between decision and match, and ' +
    'to commission, all against the middle of the best prices at the decision.',
  doesNotSay:
    'The middle is not the fair price where one side of the book is thin or far away, and the cost of bets that were ' +
    'never matched is not in it: see fill bias.',
};

/** The fills are read once, one by one. */
export function costSplitOf(fills: Iterable<DecidedFill>, commission: number): CostSplit | NotKnown {
  let count = 0;
  let spread = 0;
  let delay = 0;
  let stakes = 0;
  for (const { side, price, stake, bestFor, bestAgainst } of fills) {
    count += 1;
    const fairPrice = middlePrice({ bestFor, bestAgainst });
    const best = side === 'For' ? bestFor : bestAgainst;
    const valueOfBest = valuePerStake({ side, price: best, fairPrice });
    spread -= stake * valueOfBest;
    delay -= stake * (valuePerStake({ side, price, fairPrice }) - valueOfBest);
    stakes += stake;
  }
  if (count === 0) return notKnown('Nothing was matched.');
  if (stakes === 0) return notKnown('Nothing was staked.');
  const total = spread + delay + commission;
  return { kind: 'costSplit', spread, delay, commission, total, percent: (total / stakes) * 100, ...COST_MEANING };
}
