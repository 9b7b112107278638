/** Notices about the course of a run: recordings that end too early, strategies that call themselves or send rejected orders in a loop. */

import { REJECTIONS_TOLD_MAX } from '../../engine/ledger/strategy-in-market.ts';
import type { Notice } from '../../result/notices.ts';
import type { MarketResult } from '../../result/result.ts';
import type { StrategyUsed } from '../../result/run-facts.ts';
import { count, plural, utc } from '../../words/numbers.ts';

/**
 * A strategy whose timers call it more than this many times for each update gets a notice: with prices that move a few times a
 * second, a timer of a few milliseconds is a loop rather than a plan. Fewer calls than TIMERS_LEAST cost no noticeable time.
 */
const TIMERS_PER_UPDATE_MAX = 10;
const TIMERS_LEAST = 10_000;

export interface RunCourse {
  readonly byMarket: readonly MarketResult[];
  readonly strategies: readonly StrategyUsed[];
  readonly updates: number;
  /** The rejections for which a strategy was not called any more, by its index. */
  readonly rejectionsUntold: readonly number[];
}

export function runNotices(course: RunCourse): readonly Notice[] {
  return [...cutOff(course), ...ownTimers(course), ...rejections(course)];
}

function cutOff({ byMarket }: RunCourse): readonly Notice[] {
  const cut = byMarket.flatMap(({ id, cutOffAt }) => (cutOffAt === undefined ? [] : [{ id, cutOffAt }]));
  if (cut.length === 0) return [];
  const first = utc(Math.min(...cut.map(({ cutOffAt }) => cutOffAt)));
  const [end, they] =
    cut.length === 1
      ? [`The recording of 1 market ends before the market does, at ${first}`, 'It was']
      : [
          `The recordings of ${count(cut.length)} markets end before the markets do, the first at ${first}`,
          'They were',
        ];
  return [
    {
      code: 'MARKETS_CUT_OFF',
      what: `${end}. ${they} suspended from then on: nothing was placed or matched, and no result is final there.`,
      next: 'Judge by other markets, or by the profit if greened up at the end; `cutOffAt` of each market in the JSON has the time.',
      markets: cut.map(({ id }) => id),
    },
  ];
}

function ownTimers({ strategies, updates }: RunCourse): readonly Notice[] {
  return strategies.flatMap(({ name, timerCalls }) => {
    if (timerCalls < TIMERS_LEAST || timerCalls <= updates * TIMERS_PER_UPDATE_MAX) return [];
    return [
      {
        code: 'STRATEGY_WAKES_ITSELF',
        what: `Strategy '${name}' was called ${count(timerCalls)} times because it had asked for it (wakeAt), with ${plural(updates, 'update')} in the run.`,
        next: 'Ask for later times, or act on updates alone.',
        strategy: name,
      },
    ];
  });
}

function rejections({ strategies, rejectionsUntold }: RunCourse): readonly Notice[] {
  return strategies.flatMap(({ name }, index) => {
    const more = rejectionsUntold[index];
    if (more === undefined || more === 0) return [];
    return [
      {
        code: 'STRATEGY_REPEATS_REJECTED',
        what: `Strategy '${name}' went on sending after the exchange had rejected ${REJECTIONS_TOLD_MAX} orders in a row in a market. For ${plural(more, 'more rejection')} it was not called until there was other news.`,
        next: 'See which orders are rejected (orders.csv), and answer a rejection with another order or with none.',
        strategy: name,
      },
    ];
  });
}
