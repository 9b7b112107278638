/** What the statistics need of a market: its event group, its closing prices and, where it can be judged by them, its winners. */

import type { MarketResult } from '../../report/result.ts';
import { bookPriceOf, closingOfRunners } from '../../research/chance/closing.ts';
import type { SettledMarket } from '../../research/chance/settlement-test.ts';
import { type NotKnown, notKnown } from '../../research/figure/not-known.ts';

export interface JudgedMarket {
  readonly result: MarketResult;
  readonly group: string;
  /** The last price before the off of each outcome; undefined where there is none. */
  readonly closing: readonly (number | undefined)[];
  /** Closing chances and winners; else why it cannot be judged by them. */
  readonly settled: (SettledMarket & { readonly kind: 'settled' }) | NotKnown;
}

export function judgedMarket(result: MarketResult, group: string): JudgedMarket {
  const closing = result.outcomes.map((end) => (end.result === 'Removed' ? undefined : bookPriceOf(end)));
  return { result, group, closing, settled: settledOf(result) };
}

function settledOf({ status, outcomes, winnerCount, preOffAt }: MarketResult): JudgedMarket['settled'] {
  if (status !== 'Settled') return notKnown('The market has no result.');
  const winners = outcomes.flatMap(({ result }, outcome) => (result === 'Winner' ? [outcome] : []));
  if (winners.length !== winnerCount) return notKnown('The market was settled by a dead heat.');
  if (preOffAt === undefined) return notKnown('The recording does not show the off.');
  const chances = closingOfRunners(
    outcomes.filter(({ result }) => result !== 'Removed'),
    winnerCount,
  );
  if (chances.kind === 'notKnown') return notKnown('The closing prices do not make a market.');
  const closing = new Float64Array(outcomes.length);
  let runner = 0;
  for (const [outcome, { result }] of outcomes.entries()) {
    if (result === 'Removed') continue;
    closing[outcome] = chances.probabilities[runner] ?? 0;
    runner += 1;
  }
  return { kind: 'settled', closing, winners };
}
