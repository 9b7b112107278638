/** What the statistics need of a market: its event group, its closing prices and, where it can be judged by them, its winners. */

import { bookPriceOf } from '../../research/chance/closing.ts';
import { type JudgedEnd, judgedEnd } from '../../research/chance/settled-market.ts';
import { type NotKnown, notKnown } from '../../research/figure/not-known.ts';
import type { MarketResult } from '../../result/result.ts';

export interface JudgedMarket {
  readonly result: MarketResult;
  readonly group: string;
  /** The last price before the off of each outcome; undefined where there is none. */
  readonly closing: readonly (number | undefined)[];
  /** Closing chances and winners; else why it cannot be judged by them. */
  readonly settled: JudgedEnd | NotKnown;
}

export function judgedMarket(result: MarketResult, group: string): JudgedMarket {
  const closing = result.outcomes.map((end) => (end.result === 'Removed' ? undefined : bookPriceOf(end)));
  return { result, group, closing, settled: settledOf(result) };
}

function settledOf(result: MarketResult): JudgedMarket['settled'] {
  const end = judgedEnd(result);
  return end.kind === 'settled' && result.preOffAt === undefined
    ? notKnown('The recording does not show the off.')
    : end;
}
