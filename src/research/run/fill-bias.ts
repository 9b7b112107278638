/** Fill bias: whether what was matched was worth less than what was asked for and not matched. */

import { type BootstrapOptions, bootstrapInterval, type Interval } from '../chance/bootstrap.ts';
import type { Meaning } from '../figure/meaning.ts';
import { type Figures, sumOf } from '../figure/moments.ts';
import { type NotKnown, notKnown } from '../figure/not-known.ts';
import { type PricedBet, valueColumns } from './closing-value.ts';
import { sumsByGroup } from './event-sums.ts';

/** Whether orders that wait are matched when they are wrong: the value at closing of what was matched against what was not. */
export interface FillBias extends Meaning {
  readonly kind: 'fillBias';
  /** Value at closing in per cent of stake, of what was filled. */
  readonly filledPercent: number;
  /** Value at closing in per cent of stake, of what was not filled. */
  readonly unfilledPercent: number;
  /** Filled less unfilled, with its interval by event group: below 0, the orders are filled when they are wrong. */
  readonly difference: Interval | NotKnown;
}

const FILL_BIAS_MEANING: Meaning = {
  says:
    'Fill bias says whether the bets that were matched before the off were worth less at closing than those that were not: how ' +
    'much the market chooses the bets of an order that waits.',
  doesNotSay:
    'It does not say what the unfilled orders would have earned: had they been matched, prices would have been others.',
};

/** `filled` and `unfilled` are the matched and the remaining stakes of the same intents. */
export function fillBiasOf({
  filled,
  unfilled,
  ...options
}: BootstrapOptions & {
  readonly filled: readonly PricedBet[];
  readonly unfilled: readonly PricedBet[];
}): FillBias | NotKnown {
  const [filledValues, filledStakes] = valueColumns(filled);
  const [unfilledValues, unfilledStakes] = valueColumns(unfilled);
  const sums = [filledValues, filledStakes, unfilledValues, unfilledStakes].map(sumOf);
  if (sums[1] === 0) return notKnown('Nothing was filled before an off whose prices the recording shows.');
  if (sums[3] === 0) return notKnown('Nothing that arrived before the off was left unfilled.');
  const columns = sumsByGroup(
    [...filled, ...unfilled].map(({ eventGroup }) => eventGroup),
    [
      [...filledValues, ...unfilled.map(() => 0)],
      [...filledStakes, ...unfilled.map(() => 0)],
      [...filled.map(() => 0), ...unfilledValues],
      [...filled.map(() => 0), ...unfilledStakes],
    ],
  );
  return {
    kind: 'fillBias',
    filledPercent: (sums[0]! / sums[1]!) * 100,
    unfilledPercent: (sums[2]! / sums[3]!) * 100,
    difference: bootstrapInterval({ columns, statistic: differenceInPercent, ...options }),
    ...FILL_BIAS_MEANING,
  };
}

function differenceInPercent(sums: Figures): number | undefined {
  if (sums[1] === 0 || sums[3] === 0) return undefined;
  return (sums[0]! / sums[1]! - sums[2]! / sums[3]!) * 100;
}
