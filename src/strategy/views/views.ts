/** What strategies see: markets, outcomes, orders, positions and wallets in plain decimals and the API's words. */

import type { InPlayStatus, MarketStatus, OutcomeStatus } from '../../core/market.ts';
import type { OrderStatus } from '../../core/order.ts';
import type { Side } from '../../core/side.ts';

/** What was shown when it was read: keep it as long as you like. That of `bestFor` and `bestAgainst` is frozen. */
export interface Level {
  readonly price: number;
  readonly stake: number;
}

export interface MarketView {
  readonly id: string;
  readonly name: string;
  readonly eventId: string;
  readonly eventName: string;
  readonly marketTypeId: string;
  readonly venue: string | undefined;
  readonly countryCode: string | undefined;
  readonly status: MarketStatus;
  readonly inPlayStatus: InPlayStatus;
  readonly inPlay: boolean;
  /** Open and not suspended: orders are accepted. */
  readonly tradable: boolean;
  readonly suspended: boolean;
  /** Seconds. */
  readonly inPlayDelay: number;
  readonly expectedStartTime: number | undefined;
  readonly winnersMin: number;
  readonly winnersMax: number;
  /** The smallest stake that the exchange takes; undefined where it takes any. */
  readonly stakeMin: number | undefined;
  /** A smaller stake is taken where stake × price is at least this; undefined where that makes up for nothing. */
  readonly payoutMin: number | undefined;
  /** Publish time of the newest prices, ms UTC. */
  readonly updatedAt: number;
  readonly outcomes: readonly OutcomeView[];
  outcome(id: string): OutcomeView | undefined;
  /** A frozen copy that may be kept. */
  snapshot(depth?: number): MarketView;
}

/**
 * `side` is always the RESTING side: a For order meets `bestAgainst` (the highest price offered to backers), an
 * Against order meets `bestFor` (the lowest price asked by backers).
 */
export interface OutcomeView {
  readonly id: string;
  readonly marketId: string;
  readonly title: string;
  readonly ordering: number;
  readonly status: OutcomeStatus;
  /** Those of its market. */
  readonly stakeMin: number | undefined;
  readonly payoutMin: number | undefined;
  readonly bestAgainst: Level | undefined;
  readonly bestFor: Level | undefined;
  /** The price of `bestAgainst` or `bestFor` alone, which costs no object. */
  bestPrice(side: Side): number | undefined;
  readonly lastPrice: number | undefined;
  /** Stake matched on this outcome so far. */
  readonly traded: number;
  /** Best first, at most `depth` levels (default 3). */
  levels(side: Side, depth?: number): readonly Level[];
}

export interface OrderView {
  /** oddsmith's own number of the order in this run; what cancel and replace take. */
  readonly id: number;
  readonly marketId: string;
  readonly outcomeId: string;
  readonly side: Side;
  readonly price: number;
  readonly stake: number;
  readonly stakeMatched: number;
  readonly stakeUnmatched: number;
  readonly stakeVoided: number;
  /** Average price of what matched. */
  readonly averagePrice: number | undefined;
  /** The exchange's word, or undefined until it has answered. */
  readonly status: OrderStatus | undefined;
  readonly inFlight: 'place' | 'cancel' | undefined;
  /** The fate of the order is not proven yet. */
  readonly unknown: boolean;
  readonly placedAt: number;
}

export interface PositionView {
  /** Nothing matched and nothing unmatched or on its way. */
  readonly isFlat: boolean;
  /** Profit of the matched bets if this outcome alone wins, before commission. */
  profitIfWins(outcome: string): number;
  /** The most that matched and unmatched bets can lose. */
  readonly worstLoss: number;
  /** Stakes matched on an outcome by side, and average prices got. */
  matched(outcome: string, side: Side): { readonly stake: number; readonly averagePrice: number | undefined };
}

export interface WalletView {
  readonly balance: number;
  readonly balanceAvailable: number;
}
