/** One outcome of a market in a run's result: how it ended, its prices at the close, and what the bets on it are worth. */

import type { ByBound } from './bounds.ts';

/** One outcome of a market at the end of its trading. */
export interface OutcomeEnd {
  /** The exchange's id of the outcome. */
  readonly id: string;
  /** Name of the runner, team or result. */
  readonly title: string;
  /** Absent where the market has no result (it was voided, or its recording ends before); a non-runner is Removed in any case. */
  readonly result?: 'Winner' | 'Loser' | 'Removed';
  /**
   * The part of a bet on it that settlement paid as won: 1 for a winner, 0 for a loser, w ÷ k in a dead heat of k winners for w places. A
   * bet is then worth winShare × its result if the outcome wins + (1 − winShare) × its result if not. Absent where bets on it were void.
   */
  readonly winShare?: number;
  /** Reconciled starting price, decimal odds as the source gives them (on no ladder). */
  readonly startingPrice?: number;
  /** Absent where the recording does not show the close (`MarketResult.preOffAt`). */
  readonly preOff?: PreOff;
  /** Under each bound; absent where nothing was matched in the market, so that every figure would be 0, and for a Removed outcome. */
  readonly position?: ByBound<OutcomePosition>;
}

/** What the recording showed of an outcome at the close, without own orders. A price that was not there is absent. */
export interface PreOff {
  /** Lowest price of resting For stake, which a lay takes. */
  readonly bestFor?: number;
  /** Highest price of resting Against stake, which a back takes. */
  readonly bestAgainst?: number;
  /** Last traded price. */
  readonly lastPrice?: number;
  /** Backer's stake traded until then; absent where the recording has no traded volume (grades A−, B− and C). */
  readonly traded?: number;
}

/**
 * What the matched bets of all strategies and wallets are worth at the end of trading, before settlement and after all reductions for
 * non-runners. Decimals in the run's currency.
 */
export interface OutcomePosition {
  /** Gross profit of the whole market if this outcome alone wins. */
  readonly profitIfWins: number;
  /** The same less the commission that would be charged then. */
  readonly profitIfWinsNet: number;
  /** Gross profit of the bets on this outcome alone, if it wins: with these figures any set of winners is worked out. */
  readonly betsIfWins: number;
  /** Gross profit of the bets on this outcome alone, if it does not win. */
  readonly betsIfLoses: number;
}
