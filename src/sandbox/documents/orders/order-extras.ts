/** The documents beside orders in an answer: their markets with the tree above, and their trades so far. */

import type { BESIDE_ORDERS } from '../../../betdex/wire/answers.ts';
import type { Written } from '../../../codec/notation.ts';
import type { OrderView } from '../../../matching/state/views.ts';
import type { World } from '../../world/world.ts';
import { type BesideMarkets, besideMarkets } from '../markets/market-summary.ts';
import { tradeSummary } from './trade.ts';

export interface BesideOrders extends BesideMarkets {
  readonly trades: Written<(typeof BESIDE_ORDERS)['trades']>;
}

/** Trades are in the order of their orders, the oldest of each order first. */
export function besideOrders(world: World, orders: readonly OrderView[]): BesideOrders {
  const trades: BesideOrders['trades'][number][] = [];
  const markets = new Set<number>();
  for (const { id, market, stake, stakeUnmatched, stakeVoided } of orders) {
    markets.add(market);
    // An order without matched stake has no trades to look for.
    if (stakeUnmatched + stakeVoided === stake) continue;
    for (const trade of world.exchange.tradesOfOrder(id)) trades.push(tradeSummary(trade));
  }
  return { ...besideMarkets(world, markets), trades };
}
