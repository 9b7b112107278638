/** What a result says of the course of its run: recordings that end too early, and strategies that keep themselves going without end. */

import { describe, expect, it } from 'vitest';
import { type RunCourse, runNotices } from '../../src/backtest/result/run-notices.ts';
import { backtestJson } from '../../src/result/columns/result-json.ts';
import { sampleResult } from '../report/sample-result.ts';

const AT = Date.UTC(2022, 10, 5, 20, 11, 46);

function course(change: Partial<RunCourse> = {}): RunCourse {
  const { byMarket, strategies } = sampleResult(1);
  return { byMarket, strategies, updates: 1_000, rejectionsUntold: [0], ...change };
}

it('of a run that came to its end there is nothing to say', () => {
  expect(runNotices(course())).toEqual([]);
});

describe('markets whose recording ends before they do', () => {
  const cut = (markets: number) =>
    sampleResult(markets).byMarket.map((market, index) => ({ ...market, cutOffAt: AT + index * 1_000 }));

  it('are named, with the time of the first', () => {
    const [one] = runNotices(course({ byMarket: cut(1) }));
    expect(one).toMatchObject({ code: 'MARKETS_CUT_OFF', markets: ['1.230000000'] });
    expect(one?.what).toContain(
      'The recording of 1 market ends before the market does, at 2022-11-05 20:11:46. It was suspended',
    );
    const [seven] = runNotices(course({ byMarket: cut(7) }));
    expect(seven?.markets).toHaveLength(7);
    expect(seven?.what).toContain(
      'The recordings of 7 markets end before the markets do, the first at 2022-11-05 20:11:46. They were suspended',
    );
  });

  it('stand in --json each by itself', () => {
    const json = JSON.parse(backtestJson(sampleResult(2, { byMarket: cut(2) })));
    expect(json.byMarket.map(({ cutOffAt }: { cutOffAt: number }) => cutOffAt)).toEqual([AT, AT + 1_000]);
    expect(json.strategies).toMatchObject([{ timerCalls: 0 }]);
  });
});

describe('a strategy that its own timers call', () => {
  const called = (timerCalls: number, updates: number) => {
    const strategies = course().strategies.map((strategy) => ({ ...strategy, timerCalls }));
    return runNotices(course({ strategies, updates }));
  };

  it('gets a notice where that is more than ten times as often as there were updates, from 10,000 calls on', () => {
    expect(called(9_999, 1)).toEqual([]);
    expect(called(10_000, 1_000)).toEqual([]);
    expect(called(10_001, 1_000)).toMatchObject([
      {
        code: 'STRATEGY_WAKES_ITSELF',
        strategy: 'favourite-scalp',
        what: "Strategy 'favourite-scalp' was called 10,001 times because it had asked for it (wakeAt), with 1,000 updates in the run.",
      },
    ]);
  });
});

it('a strategy that went on sending after rejections without end gets a notice', () => {
  expect(runNotices(course({ rejectionsUntold: [12] }))).toMatchObject([
    {
      code: 'STRATEGY_REPEATS_REJECTED',
      strategy: 'favourite-scalp',
      what: "Strategy 'favourite-scalp' went on sending after the exchange had rejected 100 orders in a row in a market. For 12 more rejections it was not called until there was other news.",
    },
  ]);
});
