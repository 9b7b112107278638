/** What can be lost, by trying out everything: each set of winners with each subset of the live orders filled at their limits. */

import { priceOfTick } from '../../../src/core/number/ladder.ts';
import { type NaiveMarket, type NaiveOrder, winnerSets } from '../naive-exposure.ts';

/** W of some orders of one market; of `outcome` alone, where one is given, which then wins or loses whatever the others do. */
export function bruteLoss(market: NaiveMarket, orders: readonly NaiveOrder[], outcome?: number): number {
  const of = outcome === undefined ? orders : orders.filter((order) => order.outcome === outcome);
  const results = outcome === undefined ? winnerSets(market) : [0, 2 ** outcome];
  const profits = of.map((order) => ({
    bit: 2 ** order.outcome,
    won: profitsIn(order, true),
    lost: profitsIn(order, false),
  }));
  let worst = Number.NEGATIVE_INFINITY;
  for (const winners of results) {
    const inResult = profits.map(({ bit, won, lost }) => (Math.floor(winners / bit) % 2 === 1 ? won : lost));
    const matched = inResult.reduce((sum, profit) => sum + profit.matched, 0);
    const live = inResult.flatMap(({ filled }) => (filled === 0 ? [] : [filled]));
    for (let subset = 0; subset < 2 ** live.length; subset += 1) {
      let profit = matched;
      for (const [index, filled] of live.entries()) if ((subset >> index) & 1) profit += filled;
      worst = Math.max(worst, -profit);
    }
  }
  return worst;
}

interface Profits {
  /** Of the matched part. */
  readonly matched: number;
  /** Of the rest, were it filled at the limit. */
  readonly filled: number;
}

function profitsIn(order: NaiveOrder, won: boolean): Profits {
  const sign = order.side === 'For' ? 1 : -1;
  const { stakeMatched, winningsMatched, stakeUnmatched } = order.held;
  const winnings = Number((BigInt(stakeUnmatched) * BigInt(priceOfTick(order.tick) - 1_000)) / 1_000n);
  return {
    matched: sign * (won ? winningsMatched : -stakeMatched),
    filled: sign * (won ? winnings : -stakeUnmatched),
  };
}
