/** What each event group of a run brought under each bound of the interval, in the order in which they were settled. */

import { INTERVAL } from '../../result/figures/bounds.ts';
import type { OfInterval } from '../../result/statistics.ts';
import type { JudgedMarket } from './judged-market.ts';

export interface EventSums {
  readonly groups: number;
  /** Markets with matched bets that are not settled. */
  readonly unsettled: number;
  /** Net profit and stake matched, by event group. */
  readonly profit: OfInterval<Float64Array>;
  readonly stake: OfInterval<Float64Array>;
}

/** Event groups in which something was matched under any bound. */
export function eventSums(markets: readonly JudgedMarket[]): EventSums {
  const matched = markets.filter(({ result: { profit } }) => INTERVAL.some((bound) => profit[bound].stakeMatched > 0));
  const settled = matched.filter(({ result }) => result.settledAt !== undefined);
  const byGroup = [...Map.groupBy(settled, ({ group }) => group).values()];
  const endOf = (group: readonly JudgedMarket[]) => Math.max(...group.map(({ result }) => result.settledAt ?? 0));
  const ordered = byGroup.sort((a, b) => endOf(a) - endOf(b));
  const column = (bound: (typeof INTERVAL)[number], figure: 'profitNet' | 'stakeMatched') =>
    Float64Array.from(ordered, (group) => group.reduce((sum, { result }) => sum + result.profit[bound][figure], 0));
  const columns = (figure: 'profitNet' | 'stakeMatched') => ({
    pessimistic: column('pessimistic', figure),
    central: column('central', figure),
    optimistic: column('optimistic', figure),
  });
  return {
    groups: ordered.length,
    unsettled: matched.length - settled.length,
    profit: columns('profitNet'),
    stake: columns('stakeMatched'),
  };
}
