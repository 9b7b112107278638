/** What strategies see: markets, outcomes, orders, positions and wallets, in decimals and the API's words. */

import type { InPlayStatus, MarketStatus, OutcomeStatus } from '../../core/market.ts';
import type { OrderStatus } from '../../core/order.ts';
import type { Side } from '../../core/side.ts';

/** A price level as it was when read; it may be kept. The levels of `bestFor` and `bestAgainst` are frozen. */
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
  /** The smallest stake that the exchange accepts; undefined where there is no minimum. */
  readonly stakeMin: number | undefined;
  /**
   * A smaller stake is accepted if stake × price is at least this; undefined where a smaller stake is never accepted.
   */
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
  /** The market's `stakeMin` and `payoutMin`. */
  readonly stakeMin: number | undefined;
  readonly payoutMin: number | undefined;
  readonly bestAgainst: Level | undefined;
  readonly bestFor: Level | undefined;
  /** The price of `bestAgainst` or `bestFor` alone; unlike these it allocates nothing. */
  bestPrice(side: Side): number | undefined;
  readonly lastPrice: number | undefined;
  /** Stake matched on this outcome so far, own bets of a backtest or paper run not among it; 0 where the source does not tell. */
  readonly traded: number;
  /**
   * The traded ladder: how much of `traded` was matched at each price, lowest price first. It is made when it is asked for. Empty where the
   * source does not tell: recordings of the grades A−, B− and C, and the stream of a live run (polled prices have it).
   */
  tradedLevels(): readonly Level[];
  /** Starting prices as they are known at this instant. */
  readonly startingPrices: StartingPrices;
  /** Best first, at most `depth` levels (default 3). */
  levels(side: Side, depth?: number): readonly Level[];
}

/**
 * Decimal odds, on no ladder; each is undefined until the source shows it. Recordings of Betfair have them where the market has a starting
 * price; the traded exchange has none, so that they are undefined live, on paper and in recordings of it.
 */
export interface StartingPrices {
  /** The starting price as it would be now, from bets at the starting price and unmatched ones together. */
  readonly near: number | undefined;
  /** The same from bets at the starting price alone. */
  readonly far: number | undefined;
  /** The reconciled starting price, which exists from the off on. */
  readonly actual: number | undefined;
}

export interface OrderView {
  /** oddsmith's own number of the order in this run; what cancel and replace take. */
  readonly id: number;
  readonly marketId: string;
  readonly outcomeId: string;
  readonly side: Side;
  /** The limit: what was asked for. A For order never matches below it, an Against order never above; what was got is `averagePrice`. */
  readonly price: number;
  readonly stake: number;
  readonly stakeMatched: number;
  readonly stakeUnmatched: number;
  readonly stakeVoided: number;
  /**
   * What was got: the price of the matched stake, weighted by stake. It is `price` or better, where better prices stood in the book when the
   * order arrived; the removal of a non-runner may lower it later. Undefined while nothing matched.
   */
  readonly averagePrice: number | undefined;
  /** The exchange's status of the order; undefined until the exchange has answered. */
  readonly status: OrderStatus | undefined;
  readonly inFlight: 'place' | 'cancel' | undefined;
  /** It is not known yet whether the order exists at the exchange. */
  readonly unknown: boolean;
  /**
   * Its cancellation was asked for and is not over: it is on its way, waits until the exchange has named the order, or was accepted
   * for the end of the in-play delay. To cancel the order again changes nothing. False again where the order lives on.
   */
  readonly cancelling: boolean;
  readonly placedAt: number;
  /** The note of its intent; undefined where it had none. */
  readonly note: string | undefined;
}

export interface PositionView {
  /** No stake is matched, unmatched or on its way. */
  readonly isFlat: boolean;
  /** Profit of the matched bets if this outcome alone wins, before commission. */
  profitIfWins(outcome: string): number;
  /** The most that matched and unmatched bets can lose. */
  readonly worstLoss: number;
  /** Stake matched on an outcome by side, and the average price got for it, over all orders. */
  matched(outcome: string, side: Side): { readonly stake: number; readonly averagePrice: number | undefined };
}

export interface WalletView {
  readonly balance: number;
  readonly balanceAvailable: number;
}
