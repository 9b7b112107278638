/** What strategies see: markets, outcomes, orders, positions and wallets, in decimals and the API's words. */

import type { InPlayStatus, MarketStatus, OutcomeStatus } from '../../core/market.ts';
import type { OrderStatus } from '../../core/order.ts';
import type { Side } from '../../core/side.ts';

/** A price level as it was when read; it may be kept. The levels of `bestFor` and `bestAgainst` are frozen. */
export interface Level {
  /** Decimal odds on the ladder, 1.01 to 1000. */
  readonly price: number;
  /** Backer's stake at this price, decimal currency. */
  readonly stake: number;
}

/** A market as it stands at this instant. It reads the live state: outside of the call it throws, and `snapshot()` makes a copy to keep. */
export interface MarketView {
  /** The exchange's id of the market, such as `1.248776885`. */
  readonly id: string;
  /** Such as `Match Odds` or `2m4f Hcap`. What is bet on is told by `marketTypeId`. */
  readonly name: string;
  /** Id of its event: a match, or the meeting at which a race is run, whose other races have the same one. */
  readonly eventId: string;
  /** Name of its event, such as `Cheltenham` or `Arsenal v Chelsea`. */
  readonly eventName: string;
  /** The exchange's word for what is bet on, such as `WIN`, `PLACE` or `MATCH_ODDS`. */
  readonly marketTypeId: string;
  /** The course of a race; undefined where the source gives none, as for matches. */
  readonly venue: string | undefined;
  /** Two letters by ISO 3166, such as `GB`; undefined where the source gives none. */
  readonly countryCode: string | undefined;
  /** The exchange's word for its state. Orders are taken while it is `Open`, and not suspended: ask `tradable`. */
  readonly status: MarketStatus;
  /** `PrePlay` before the off, `InPlay` after it, `NotApplicable` for a market that never turns in play. */
  readonly inPlayStatus: InPlayStatus;
  /** Whether it is in play, so that orders wait `inPlayDelay` before they can match. */
  readonly inPlay: boolean;
  /** Open and not suspended: orders are accepted. */
  readonly tradable: boolean;
  /** Whether trading is suspended: no order is taken until it resumes. */
  readonly suspended: boolean;
  /** How long orders wait in play before they can match, seconds. */
  readonly inPlayDelay: number;
  /** Scheduled start, ms UTC, as now known; it may move. Undefined where the source gives none. */
  readonly expectedStartTime: number | undefined;
  /** The fewest outcomes that may win, 1 in most markets. */
  readonly winnersMin: number;
  /** The most outcomes that may win: 1, or the places that a place market pays. */
  readonly winnersMax: number;
  /** The smallest stake that the exchange accepts; undefined where there is no minimum. */
  readonly stakeMin: number | undefined;
  /**
   * A smaller stake is accepted if stake × price is at least this; undefined where a smaller stake is never accepted.
   */
  readonly payoutMin: number | undefined;
  /** Publish time of the newest prices, ms UTC. */
  readonly updatedAt: number;
  /** All outcomes in the market's order, those that were removed among them. */
  readonly outcomes: readonly OutcomeView[];
  /** The outcome with this id; undefined where the market has none. */
  outcome(id: string): OutcomeView | undefined;
  /** A frozen copy that may be kept. */
  snapshot(depth?: number): MarketView;
}

/**
 * What rests on an outcome. `side` is always the RESTING side: a For order meets `bestAgainst` (the highest price offered to backers), an
 * Against order meets `bestFor` (the lowest price asked by backers). An outcome has all that the exchange shows, own orders among it;
 * `outcome.others` has what the others offer.
 */
export interface BookView {
  /** The highest price that can be backed now, with the stake that rests there; undefined where nobody offers any. */
  readonly bestAgainst: Level | undefined;
  /** The lowest price that can be laid now, with the backer's stake that rests there; undefined where nobody asks for any. */
  readonly bestFor: Level | undefined;
  /** The price of `bestAgainst` or `bestFor` alone. Of an outcome it allocates nothing. */
  bestPrice(side: Side): number | undefined;
  /** Best first, at most `depth` levels (default 3). */
  levels(side: Side, depth?: number): readonly Level[];
}

/** An outcome of a market as it stands at this instant. Its book is what the exchange shows, own orders among it. */
export interface OutcomeView extends BookView {
  /**
   * The exchange's id of the outcome, which is what positions, signals and intents name it by. On Betfair a runner has the same
   * id in all markets of its race.
   */
  readonly id: string;
  /** Id of the market that it belongs to. */
  readonly marketId: string;
  /** Name of the runner, team or result. */
  readonly title: string;
  /** Place in the exchange's own list of the market, ascending. */
  readonly ordering: number;
  /**
   * What the exchange's catalogue says of it beside, as text by the exchange's own names, such as `JOCKEY_NAME` or `STALL_DRAW` of Betfair: empty
   * but for recordings beside which a catalogue was imported.
   */
  readonly metadata: Readonly<Record<string, string>>;
  /** `Active` while it can be traded; `Removed` is a non-runner, `Winner` and `Loser` come with the result. */
  readonly status: OutcomeStatus;
  /** The market's `stakeMin`. */
  readonly stakeMin: number | undefined;
  /** The market's `payoutMin`. */
  readonly payoutMin: number | undefined;
  /** Stakes are multiples of this: `back`, `lay`, `greenUp` and `dutch` round down to it. */
  readonly stakeStep: number;
  /** Price of the last trade, decimal odds; undefined before the first one. */
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
  /**
   * The book of the others: of each level, the stake of the strategy's own orders that stood in this book is taken off, and a level with
   * nothing left is not in it. In a backtest and on paper that is exact, also where the book is older than what is known of the orders
   * (a polled one): an order that the book does not hold yet is not taken off, one that was cancelled or matched since it was read is.
   * Live, prices and reports of orders come by two ways, and what the book held is told by their times: until the later one has come, a level
   * may be wrong by an own stake, and never below nothing. Orders of the run's other strategies stay in it, and so does the stake that the
   * exchange derives from own orders on other outcomes, where it cross matches.
   */
  readonly others: BookView;
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

/**
 * One of the strategy's own orders, as it stands at this instant. Stakes are the backer's, decimal currency: `stake` is
 * the sum of those matched, unmatched, voided and cancelled.
 */
export interface OrderView {
  /** oddsmith's own number of the order in this run; what cancel and replace take. */
  readonly id: number;
  /** Id of its market. */
  readonly marketId: string;
  /** Id of its outcome. */
  readonly outcomeId: string;
  /** `For` where it backs the outcome, `Against` where it lays it. */
  readonly side: Side;
  /** The limit: what was asked for. A For order never matches below it, an Against order never above; what was got is `averagePrice`. */
  readonly price: number;
  /** What was asked for when it was placed; it does not shrink. */
  readonly stake: number;
  /** Matched so far. */
  readonly stakeMatched: number;
  /** What may still match: it rests, is delayed in play, or is on its way. 0 once the order has ended. */
  readonly stakeUnmatched: number;
  /** Void, since a non-runner or the result took the bet back: it wins and loses nothing. */
  readonly stakeVoided: number;
  /**
   * What was got: the price of the matched stake, weighted by stake. It is `price` or better, where better prices stood in the book when the
   * order arrived; the removal of a non-runner may lower it later. Undefined while nothing matched.
   */
  readonly averagePrice: number | undefined;
  /** The exchange's status of the order; undefined until the exchange has answered. */
  readonly status: OrderStatus | undefined;
  /** The request under way that was not answered yet, `place`, `cancel` or `reduce`; undefined where there is none. */
  readonly inFlight: 'place' | 'cancel' | 'reduce' | undefined;
  /** It is not known yet whether the order exists at the exchange. */
  readonly unknown: boolean;
  /**
   * Its cancellation was asked for and is not over: it is on its way, waits until the exchange has named the order, or was accepted
   * for the end of the in-play delay. To cancel the order again changes nothing. False again where the order lives on.
   */
  readonly cancelling: boolean;
  /** When it was sent, ms UTC on the bot's clock. */
  readonly placedAt: number;
  /** Its market's `stakeMin`. */
  readonly stakeMin: number | undefined;
  /** Its market's `payoutMin`. */
  readonly payoutMin: number | undefined;
  /** The note of its intent; undefined where it had none. */
  readonly note: string | undefined;
}

/**
 * The strategy's bets in one market, matched and unmatched, decimal currency before commission. Asked for an outcome of
 * another market it throws.
 */
export interface PositionView {
  /** Whether no stake is matched, unmatched or on its way. */
  readonly isFlat: boolean;
  /** Profit of the matched bets if this outcome alone wins, before commission. */
  profitIfWins(outcome: string): number;
  /** The most that matched and unmatched bets can lose. */
  readonly worstLoss: number;
  /** Stake matched on an outcome by side, and the average price got for it, over all orders. */
  matched(outcome: string, side: Side): { readonly stake: number; readonly averagePrice: number | undefined };
}

/** The wallet that the strategy bets with, as last reported, decimal currency. All strategies that share the wallet move it. */
export interface WalletView {
  /** What is in the wallet. What matched bets may lose lies in escrow until the market is settled, and is not in it. */
  readonly balance: number;
  /**
   * What is left for further orders: the balance and a credit, less what resting orders may lose. It does not count
   * orders on their way; risk does.
   */
  readonly balanceAvailable: number;
}
