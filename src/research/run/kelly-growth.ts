/** Growth of the bank at the stakes that were placed (J. L. Kelly, 1956): what size does to a result, beside the bets themselves. */

import { type BootstrapOptions, bootstrapInterval, type Interval } from '../chance/bootstrap.ts';
import type { Meaning } from '../figure/meaning.ts';
import { type Figures, sumOf } from '../figure/moments.ts';
import { type NotKnown, notKnown } from '../figure/not-known.ts';

/** Growth of the bank at the stakes that were placed. */
export interface KellyGrowth extends Meaning {
  readonly kind: 'kellyGrowth';
  /** Mean of ln(bank after ÷ bank before) of an event group: 0.01 is about 1 % each. */
  readonly growth: number;
  /** Of `growth`, by event group. */
  readonly interval: Interval | NotKnown;
  /** In how many event groups the bank doubles at this rate; undefined where it does not grow. */
  readonly groupsToDouble: number | undefined;
  /**
   * All stakes times this would have grown the bank most: below 1, less would have been more. 0: not staking at all. `beyond`
   * where no event group lost, so that no size is the best.
   */
  readonly bestMultiple: number | 'beyond';
  /** The bank after the last event group, in money. */
  readonly bank: number;
}

const GROWTH_MEANING: Meaning = {
  says:
    'Growth says what the bank earned in an event group as it was staked, losses of a large part of it counted as they ' +
    'hurt; the best multiple says by how much stakes were too large or too small for these results.',
  doesNotSay:
    'The best multiple is found after the results: with few events it is far off, and mostly too high. The growth ' +
    'rests on the bank that is given, not on what a strategy may really stake.',
};

/**
 * `profits` are those of each event group in the order of time, in money, and `bank` is the money before the first one. The
 * fraction at risk is that of the bank as it then was: what earlier events left.
 */
export function kellyGrowthOf({
  profits,
  bank,
  ...options
}: BootstrapOptions & { readonly profits: Figures; readonly bank: number }): KellyGrowth | NotKnown {
  if (!(bank > 0)) return notKnown('Growth needs a bank above 0 to begin with.');
  if (profits.length === 0) return notKnown('There is no settled event group.');
  const returns = new Float64Array(profits.length);
  let left = bank;
  for (let at = 0; at < profits.length; at += 1) {
    returns[at] = profits[at]! / left;
    left += profits[at]!;
    if (left <= 0) return notKnown(`The bank of ${bank} was used up by event group ${at + 1} of ${profits.length}.`);
  }
  const logs = returns.map(Math.log1p);
  const growth = sumOf(logs) / logs.length;
  return {
    kind: 'kellyGrowth',
    growth,
    interval: bootstrapInterval({ columns: [logs], statistic: (sums) => sums[0]! / logs.length, ...options }),
    groupsToDouble: growth > 0 ? Math.LN2 / growth : undefined,
    bestMultiple: bestMultipleOf(returns),
    bank: left,
    ...GROWTH_MEANING,
  };
}

/** The place where the mean of ln(1 + m × return) is largest: its slope falls all the way, so halving finds where it is 0. */
function bestMultipleOf(returns: Float64Array): number | 'beyond' {
  const slopeAt = (multiple: number) => returns.reduce((sum, each) => sum + each / (1 + multiple * each), 0);
  if (slopeAt(0) <= 0) return 0;
  const worst = returns.reduce((least, each) => Math.min(least, each), 0);
  if (worst === 0) return 'beyond';
  let low = 0;
  let high = -1 / worst;
  for (let step = 0; step < 200 && low < high; step += 1) {
    const middle = (low + high) / 2;
    if (middle === low || middle === high) break;
    if (slopeAt(middle) > 0) low = middle;
    else high = middle;
  }
  return low;
}
