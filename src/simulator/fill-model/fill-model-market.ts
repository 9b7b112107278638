/** One market as one of the three answers has it: its lane, our orders and trades in it, and what it paid us. */

import type { LinkedList } from '../../core/collections/linked-list.ts';
import { type Money, ZERO } from '../../core/number/units.ts';
import type { ExchangeEvent } from '../../matching/messages/event.ts';
import type { OverlayLiquidity } from '../overlay/overlay-liquidity.ts';
import type { MarketAccount } from './market-account.ts';
import type { OrderTrack } from './order-track.ts';

export interface FillModelMarket {
  readonly model: OverlayLiquidity;
  readonly account: MarketAccount;
  /** Of our orders in it, in the order of their acceptance, but for those that were released. */
  readonly tracks: LinkedList<OrderTrack>;
  /** How many orders of ours it accepted. */
  orders: number;
  /** Ids of their trades. */
  readonly trades: number[];
  /** How the exchange last described the market. */
  state: MarketChanged;
  /** Postings between each of our wallets and this market, by wallet. */
  readonly results: Map<number, WalletResult>;
}

export type MarketChanged = ExchangeEvent & { kind: 'marketChanged' };

/** What a market paid a wallet so far: net of commission, and the commission. */
export interface WalletResult {
  net: Money;
  commission: Money;
}

/** A posting between a wallet of ours and the market. */
export function bookPosting(market: FillModelMarket, wallet: number, amount: Money, isCommission: boolean): void {
  const { account, results } = market;
  let result = results.get(wallet);
  if (result === undefined) {
    result = { net: ZERO, commission: ZERO };
    results.set(wallet, result);
  }
  result.net = (result.net + amount) as Money;
  account.net = (account.net + amount) as Money;
  if (!isCommission) return;
  result.commission = (result.commission - amount) as Money;
  account.commission = (account.commission - amount) as Money;
}
