/** What a reader must know of a run besides its figures: recordings that end too early, strategies that keep themselves going without end. */

import { REJECTIONS_TOLD_MAX } from '../engine/runtime.ts';
import { count, plural, utc } from '../report/numbers.ts';
import type { MarketResult, StrategyUsed } from '../report/result.ts';

/** Named one by one up to this many; `--json` has them all. */
const NAMED_MAX = 5;
/**
 * A strategy that is called this many times as often by its own timers as there were updates is told: with prices that move a few
 * times a second, a timer of a few milliseconds is a loop rather than a plan. Below the least number nobody waits for it.
 */
const TIMERS_PER_UPDATE_MAX = 10;
const TIMERS_LEAST = 10_000;

export function cutOffWarnings(markets: readonly MarketResult[]): readonly string[] {
  const cut = markets.flatMap(({ id, cutOffAt }) => (cutOffAt === undefined ? [] : [{ id, cutOffAt }]));
  if (cut.length === 0) return [];
  const named = cut.slice(0, NAMED_MAX).map(({ id, cutOffAt }) => `${id} at ${utc(cutOffAt)}`);
  const rest = cut.length > NAMED_MAX ? `, and ${count(cut.length - NAMED_MAX)} more` : '';
  const [ends, they] =
    cut.length === 1 ? ['ends before the market does', 'It was'] : ['end before they do', 'They were'];
  return [
    `The recording of ${plural(cut.length, 'market')} ${ends}: ${named.join(', ')}${rest}. ${they} suspended from then on: nothing was placed or matched, and no result is final there.`,
  ];
}

export function timerWarnings(strategies: readonly StrategyUsed[], updates: number): readonly string[] {
  return strategies.flatMap(({ name, timerCalls }) => {
    if (timerCalls < TIMERS_LEAST || timerCalls <= updates * TIMERS_PER_UPDATE_MAX) return [];
    return [
      `Strategy '${name}' was called ${count(timerCalls)} times because it had asked for it (wakeAt), with ${plural(updates, 'update')} in the run. Ask for later times, or act on updates alone.`,
    ];
  });
}

/** `untold`: of each strategy, rejections for which it was not called any more. */
export function rejectionWarnings(names: readonly string[], untold: readonly number[]): readonly string[] {
  return names.flatMap((name, index) => {
    const more = untold[index] ?? 0;
    if (more === 0) return [];
    return [
      `Strategy '${name}' went on sending after the exchange had rejected ${REJECTIONS_TOLD_MAX} orders in a row in a market. For ${plural(more, 'more rejection')} it was not called until there was other news. See which orders are rejected, and answer a rejection with another order or with none.`,
    ];
  });
}
