/** What the position of a market is drawn for: the outcomes with orders, and the others where there are any. */

import { expect, test } from 'vitest';
import type { MarketResult } from '../../../src/result/result.ts';
import { type MarketStory, positionLines } from '../../../src/web/report/market/market-series.ts';
import { sampleResult } from '../../report/sample-result.ts';

type End = MarketResult['outcomes'][number];

function linesOf(outcomes: readonly End[], traded: readonly string[]): readonly string[] {
  const [base] = sampleResult(1).byMarket;
  if (base === undefined) throw new Error('the sample has a market');
  const story: MarketStory = {
    market: { ...base, outcomes },
    ...{ orders: [], fills: [], refused: [], states: [], from: 0, to: 10 },
    outcomes: traded.map((id) => ({ id, title: id.toUpperCase() })),
  };
  return positionLines(story).lines.map(({ label }) => label);
}

const ends = (...ids: readonly string[]): readonly End[] => ids.map((id) => ({ id, title: id }));

test.each<[what: string, outcomes: readonly End[], traded: readonly string[], lines: readonly string[]]>([
  ['all of two have orders: there is no other', ends('a', 'b'), ['b', 'a'], ['B', 'A']],
  ['one of three has none', ends('a', 'b', 'c'), ['a', 'b'], ['A', 'B', 'any other']],
  [
    'the one without is a non-runner',
    [...ends('a', 'b'), { id: 'c', title: 'c', result: 'Removed' }],
    ['a', 'b'],
    ['A', 'B'],
  ],
  ['more than five have orders', ends(...'abcdef'), [...'abcdef'], [...'ABCDE', 'any other']],
  ['nobody knows which outcomes there are', [], ['a'], ['A', 'any other']],
])('%s', (_what, outcomes, traded, lines) => {
  expect(linesOf(outcomes, traded)).toEqual(lines);
});
