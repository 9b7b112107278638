/** The orders of a wallet in the exchange machine, market by market. */

import type { Exchange } from '../../src/matching/exchange.ts';
import type { OrderView } from '../../src/matching/state/views.ts';

export function ordersOfWallet(exchange: Exchange, wallet: number): readonly OrderView[] {
  const orders = [...exchange.marketIds()].flatMap((market) => [...exchange.ordersOfMarket(market)]);
  return orders.filter((order) => order.wallet === wallet);
}
