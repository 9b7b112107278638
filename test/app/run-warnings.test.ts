/** What a run warns of: recordings that end too early, and strategies that wake themselves without end. */

import { describe, expect, it } from 'vitest';
import { cutOffWarnings, timerWarnings } from '../../src/app/run-warnings.ts';
import { backtestJson } from '../../src/report/result-json.ts';
import { sampleResult } from '../report/sample-result.ts';

const AT = Date.UTC(2022, 10, 5, 20, 11, 46);

describe('markets whose recording ends before they do', () => {
  const cut = (markets: number) => sampleResult(markets).byMarket.map((market) => ({ ...market, cutOffAt: AT }));

  it('are named with their time, five of them at most', () => {
    expect(cutOffWarnings(sampleResult(3).byMarket)).toEqual([]);
    const [one] = cutOffWarnings(cut(1));
    expect(one).toContain('The recording of 1 market ends before the market does: 1.230000000 at 2022-11-05 20:11:46.');
    const [seven] = cutOffWarnings(cut(7));
    expect(seven).toContain('The recording of 7 markets end before they do: 1.230000000 at');
    expect(seven).toContain('1.230000068 at 2022-11-05 20:11:46, and 2 more. They were suspended');
  });

  it('stand in --json each by itself', () => {
    const json = JSON.parse(backtestJson(sampleResult(2, { byMarket: cut(2) })));
    expect(json.byMarket.map(({ cutOffAt }: { cutOffAt: number }) => cutOffAt)).toEqual([AT, AT]);
    expect(json.strategies).toMatchObject([{ timerCalls: 0 }]);
  });
});

describe('a strategy that its own timers call', () => {
  const strategies = (timerCalls: number) =>
    sampleResult(1).strategies.map((strategy) => ({ ...strategy, timerCalls }));

  it('is told of where that is more than ten times as often as there were updates, from 10,000 calls on', () => {
    expect(timerWarnings(strategies(9_999), 1)).toEqual([]);
    expect(timerWarnings(strategies(10_000), 1_000)).toEqual([]);
    expect(timerWarnings(strategies(10_001), 1_000)).toEqual([
      "Strategy 'favourite-scalp' was called 10,001 times because it had asked for it (wakeAt), with 1,000 updates in the run. Ask for later times, or act on updates alone.",
    ]);
  });
});
