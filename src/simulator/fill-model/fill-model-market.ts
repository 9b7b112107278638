/** One market under one fill model: its overlay, the bot's orders and trades in it, and what it paid. */

import { LinkedList } from '../../core/collections/linked-list.ts';
import { type Money, ZERO } from '../../core/number/units.ts';
import type { ExchangeEvent } from '../../matching/messages/event.ts';
import type { OverlayLiquidity } from '../overlay/overlay-liquidity.ts';
import type { MarketAccount } from './market-account.ts';
import type { OrderTrack } from './order-track.ts';

/** A market's parts under one fill model. */
export interface FillModelMarket {
  readonly model: OverlayLiquidity;
  readonly account: MarketAccount;
  /** The bot's orders in the order of their acceptance, without those that were released. */
  readonly tracks: LinkedList<OrderTrack>;
  /** How many of the bot's orders the exchange accepted in this market. */
  orders: number;
  /** Ids of the trades of the bot's orders. */
  readonly trades: number[];
  /** The market's state as the exchange last reported it. */
  state: MarketChanged;
  /** What the market paid each of our wallets, by wallet. */
  readonly results: Map<number, WalletResult>;
}

export function newFillModelMarket(
  model: OverlayLiquidity,
  account: MarketAccount,
  state: MarketChanged,
): FillModelMarket {
  return { model, account, state, tracks: new LinkedList(), orders: 0, trades: [], results: new Map() };
}

export type MarketChanged = ExchangeEvent & { kind: 'marketChanged' };

/** What a market paid a wallet so far, in 10⁻⁶: net of commission, and the commission. */
export interface WalletResult {
  net: Money;
  commission: Money;
}

/** Books a posting between one of our wallets and the market. */
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
