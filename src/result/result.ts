/** A backtest's result as plain data: what the table, the files, the HTML report and `--json` all print. */

import type { Grade, MarketStatus } from '../core/market.ts';
import { money as asMoney, type Money, moneyToDecimal } from '../core/number/units.ts';
import type { OrderStatus } from '../core/order.ts';
import type { RefusalCode } from '../core/refusal.ts';
import type { Side } from '../core/side.ts';
import type { Bound, ByBound } from './figures/bounds.ts';
import type { OutcomeEnd } from './figures/outcome-end.ts';
import type { RefusedIntents } from './figures/refusal-rows.ts';
import type { MarketPrices } from './market-prices.ts';
import type { Notice } from './notices.ts';
import type { Setting, StrategyUsed, TapeUsed, WalletResult } from './run-facts.ts';
import type { RunStatistics } from './statistics.ts';

/** What bets brought, decimals in the run's currency of at most six places. */
export interface Profit {
  /** Backer's stake that was matched. */
  readonly stakeMatched: number;
  /** What the bets brought at settlement, before commission. */
  readonly profitGross: number;
  /** The commission on the net winnings of each market by itself; losses are not set against other markets. */
  readonly commission: number;
  /** Gross less commission: what settlement paid. */
  readonly profitNet: number;
  /**
   * Gross profit had the position been closed evenly (greened up) at the last prices shown before settlement: skill
   * without the luck of the winner. Absent where no such price was known; markets that were voided are left out.
   */
  readonly markToMarket?: number;
}

export interface ProfitMoney {
  readonly stakeMatched: Money;
  readonly profitGross: Money;
  readonly commission: Money;
  readonly markToMarket?: Money;
}

/** What became of what strategies asked for. `intended` is refused + cancellations + cancellationsRepeated + sent; `sent` accepted + rejected + unanswered; `accepted` the other four together. */
export interface OrderCounts {
  /** What the strategies asked for: new orders, cancellations and replacements. */
  readonly intended: number;
  /** Intents that oddsmith did not send, by the limits or because they cannot be; `refusals` counts them by code. */
  readonly refused: number;
  /** Intents to cancel or to replace that were not refused; a `cancelAll` counts once. */
  readonly cancellations: number;
  /** Intents to cancel an order that was being cancelled already: they changed nothing. */
  readonly cancellationsRepeated: number;
  /** Orders on their way to the exchange. */
  readonly sent: number;
  /** Orders that the exchange took. */
  readonly accepted: number;
  /** Orders that the exchange did not take; `rejections` counts them by code. */
  readonly rejected: number;
  /** The recording ended before the order arrived at the exchange, or before the reply came back. */
  readonly unanswered: number;
  /** Accepted orders whose whole stake was matched. */
  readonly matchedFully: number;
  /** Accepted orders of which a part was matched. */
  readonly matchedPartly: number;
  /** Accepted orders that ended without a match. */
  readonly cancelled: number;
  /** Accepted orders without a match that were live when their market or its recording ended. */
  readonly unmatched: number;
}

/** One market of the run: what it was, how it ended, and what it brought. All of it is plain data. */
export interface MarketResult {
  /** The exchange's id of the market. */
  readonly id: string;
  /** Its name, by the first definition that has one. */
  readonly name: string;
  /** Markets of one event (the win and the place market of a race, all markets of a match) have the same. */
  readonly eventId: string;
  /** Name of its event. */
  readonly eventName: string;
  /** The place, such as a racecourse; absent if the recording does not say it. */
  readonly venue?: string;
  /** The exchange's word for what is bet on, such as `WIN`. */
  readonly marketTypeId: string;
  /** Scheduled start, ms UTC, by the last definition that was replayed; absent where the recording gives none. */
  readonly startsAt?: number;
  /**
   * The first switch from not in play to in play, ms UTC; absent where the recording shows none: the market never turned in play, was in
   * play from its first update on, or its recording ends before.
   */
  readonly inPlayAt?: number;
  /**
   * The close: when trading last stopped before `inPlayAt`, or before the end of a market that never turned in play, ms UTC. What stood in
   * the book just before it is each outcome's `preOff`. Absent where the recording does not show it.
   */
  readonly preOffAt?: number;
  /** How many winners the market pays: 1, or the places of a place market; 0 where its definition leaves that open. */
  readonly winnerCount: number;
  /** The outcomes in the order in which the market lists them; those removed are there as well. */
  readonly outcomes: readonly OutcomeEnd[];
  /** How complete its recording is, and so what could fill in it. */
  readonly grade: Grade;
  /** Updates replayed. */
  readonly updates: number;
  /** Orders of the run that the exchange accepted in it. */
  readonly orders: number;
  /** How the market ended on the tape; not settled or voided means that its profit is not final. */
  readonly status: MarketStatus;
  /** When it was settled, ms UTC; absent where the recording ends before. */
  readonly settledAt?: number;
  /** When its recording ended before it did, ms UTC: it was suspended from then on. */
  readonly cutOffAt?: number;
  /** How many orders suspensions in play cancelled, in part or whole (`MarketSuspended`). */
  readonly ordersSuspended: number;
  /** Stake that taking orders did not match because the source no longer showed the level (`levelsOutOfSight`). */
  readonly stakeOutOfSight: number;
  /** What its bets brought. */
  readonly profit: ByBound<Profit>;
}

/** A market of the tape that was not replayed, and why (LINE markets, no definition, …). */
export interface MarketLeftOut {
  /** The source's id of the market. */
  readonly id: string;
  /** Its name. */
  readonly name: string;
  /** Why it cannot be replayed, in words. */
  readonly reason: string;
}

/** One settlement on the profit curve: cumulative net profit after it, in the order of `at` (ms UTC). */
export interface ProfitPoint extends ByBound<number> {
  /** When it was settled, ms UTC. */
  readonly at: number;
  /** Id of the market that was settled. */
  readonly market: string;
}

/** Which of the result's runs a row belongs to: `run` and the order's number together identify one order. */
export interface RowRun {
  /** The number of one of `runs`. */
  readonly run: number;
  /** The bound of its world, whose fills the strategy saw. */
  readonly flow: Bound;
}

/** One world of one piece of the run, with orders of its own; there is one for each bound, and more where the run is cut. */
export interface RunPart extends RowRun {
  /** The market, event or strategy of the piece; absent where the run is not cut. */
  readonly piece?: string;
  /** Counts of this run alone. */
  readonly orders: OrderCounts;
  /** How many strategies were halted in it. */
  readonly halts: number;
  /** Hash of all that was decided, sent and matched in it, in hexadecimal. */
  readonly transcriptSha256: string;
}

/** One order sent. */
export interface OrderRow extends RowRun {
  /** oddsmith's number of the order in its run. */
  readonly id: number;
  /** Name of the strategy. */
  readonly strategy: string;
  /** The exchange's id of the market. */
  readonly marketId: string;
  /** Its name. */
  readonly marketName: string;
  /** The exchange's id of the outcome. */
  readonly outcomeId: string;
  /** Name of the runner, team or result. */
  readonly outcomeTitle: string;
  /** `For` backs the outcome, `Against` lays it. */
  readonly side: Side;
  /** Limit, decimal odds: what was asked for. */
  readonly price: number;
  /** Backer's stake, decimal currency. */
  readonly stake: number;
  /** When the strategy decided, ms UTC. */
  readonly decidedAt: number;
  /** When it arrived at the exchange, ms UTC; absent where the recording ends before. */
  readonly arrivedAt?: number;
  /**
   * When nothing of it could be matched any more (matched whole, cancelled, voided), ms UTC; absent where the exchange did not accept it,
   * and where the recording ends before.
   */
  readonly endedAt?: number;
  /** Its last status; absent where the exchange rejected it or never replied. */
  readonly status?: OrderStatus;
  /** Why it was rejected or cancelled, by the API's word; absent for other orders. */
  readonly reason?: string;
  /** Stake matched. */
  readonly stakeMatched: number;
  /** Mean price, weighted by stake, of its fills. */
  readonly averagePrice?: number;
  /** Gross profit at settlement. */
  readonly profit?: number;
  /**
   * Stake that stood before it at its price when it began to rest, in its world's fill model: recorded stake and own orders that came
   * earlier. 0: it came first. Absent where it never rested.
   */
  readonly queueAhead?: number;
  /** The lowest price that could be laid when the strategy decided, own orders among it; absent where the side was empty. */
  readonly bestFor?: number;
  /** The highest price that could be backed when the strategy decided, own orders among it; absent where the side was empty. */
  readonly bestAgainst?: number;
  /** What the strategy wrote on the intent, at most 200 characters. */
  readonly note?: string;
}

/** One match of an order. */
export interface FillRow extends RowRun {
  /** Number of the order in its run. */
  readonly order: number;
  /** The exchange's id of the market. */
  readonly marketId: string;
  /** The exchange's id of the outcome. */
  readonly outcomeId: string;
  /** Name of the runner, team or result. */
  readonly outcomeTitle: string;
  /** `For` backs the outcome, `Against` lays it. */
  readonly side: Side;
  /** Decimal odds at which it was matched. */
  readonly price: number;
  /** Backer's stake that was matched, decimal currency. */
  readonly stake: number;
  /** Simulated time of the match, ms UTC. */
  readonly at: number;
  /**
   * Last traded price of its outcome in the recording just before the instant ten seconds after the match; absent where nothing was traded by
   * then, and where the market or its recording had ended.
   */
  readonly lastPriceAfter10s?: number;
  /** The same a minute after the match. */
  readonly lastPriceAfter60s?: number;
}

/**
 * One line of values that a strategy plotted in one market, as columns of one length. Only changes are kept: a value holds until the next
 * point, and the last one until the market ends.
 */
export interface PlotLine extends RowRun {
  /** Name of the strategy. */
  readonly strategy: string;
  /** The exchange's id of the market. */
  readonly marketId: string;
  /** The strategy's name for it: 1 to 40 characters, the first a letter or digit. */
  readonly name: string;
  /** Ms UTC, ascending. */
  readonly at: Float64Array<ArrayBuffer>;
  /** NaN where the line ends, until the next point. */
  readonly value: Float64Array<ArrayBuffer>;
}

/** A strategy that threw, returned something other than a decision, or did not come back: its orders were cancelled, the other strategies went on. */
export interface StrategyHalted {
  /** Its name. */
  readonly strategy: string;
  /** Id of the market it was called for. */
  readonly market: string;
  /** The worlds in which it happened, by their bounds; in the others the strategy went on. */
  readonly worlds: readonly Bound[];
  /** The instant of the call, ms UTC. */
  readonly at: number;
  /** What it did: threw, returned what is no decision, or did not come back. */
  readonly code: 'STRATEGY_THROW' | 'STRATEGY_BAD_RESULT' | 'STRATEGY_STUCK';
  /** What happened, one sentence. */
  readonly what: string;
  /** file:line:column of the strategy's own code, as far as known. */
  readonly where: string;
  /** Its error's message, or what is wrong with what it returned. */
  readonly why: string;
  /** What to do next. */
  readonly next: string;
}

/** A moment up to which decisions were compared. */
export interface ProofInstant {
  /** The last moment that stayed as it was recorded, ms UTC. */
  readonly at: number;
  /** `beforeSettlement`: the last moment at which the market took orders, or the last before its result. */
  readonly kind: 'random' | 'beforeInPlay' | 'beforeSettlement';
  /** Id of the market whose update comes next. */
  readonly market: string;
  /** How many steps (decisions, intents, orders) up to it were compared. */
  readonly steps: number;
}

/** What `--prove` found: decisions up to each instant do not depend on what comes after it. */
export interface LookaheadProof {
  /** The moments after which the future was taken away or altered. */
  readonly instants: readonly ProofInstant[];
  /** What was altered, in words. */
  readonly ways: readonly string[];
  /** How many replays that took. */
  readonly replays: number;
  /** Updates played in these replays. */
  readonly updates: number;
  /** The multiple of the run's own updates, to one decimal. */
  readonly timesRun: number;
  /** What the proof cannot show: sentences. */
  readonly notShown: readonly string[];
}

/** All that is known of a run. Money is decimal in `currency`, times are ms UTC. */
export interface BacktestResult {
  /** Version of oddsmith that made it. */
  readonly version: string;
  /** The seed of all chance in the run. */
  readonly seed: number;
  /** Currency of the wallets, such as `USDC`; `units` where nobody named one and a recording was imported. */
  readonly currency: string;
  /** The tapes that were replayed. */
  readonly tapes: readonly TapeUsed[];
  /** The strategies, in the order in which they were given. */
  readonly strategies: readonly StrategyUsed[];
  /** The configuration as a reader needs it beside the figures. */
  readonly settings: readonly Setting[];
  /** How each wallet began and ended, under the central bound. */
  readonly wallets: readonly WalletResult[];
  /** Which bounds were computed, each as a world of its own: the interval, that and the two extremes, or the central one alone. */
  readonly fills: 'bounds' | 'all' | 'central';
  /** Updates replayed. */
  readonly updates: number;
  /** Calls of strategies. */
  readonly decisions: number;
  /** What became of all that was asked for. */
  readonly orders: OrderCounts;
  /** Intents that were not sent, by code; only codes that occurred. */
  readonly refusals: Readonly<Partial<Record<RefusalCode, number>>>;
  /** The first of them one by one, and how many there were in each market. */
  readonly refused: RefusedIntents;
  /** The exchange's own refusals of orders that were sent, by error code; only those that occurred. */
  readonly rejections: Readonly<Record<string, number>>;
  /** Figures of all markets together. Under `fills: 'central'` the three of the interval are equal. */
  readonly total: ByBound<Profit>;
  /** One for each market replayed, in the order in which the tapes list them. */
  readonly byMarket: readonly MarketResult[];
  /** Markets that were chosen and could not be replayed. */
  readonly leftOut: readonly MarketLeftOut[];
  /** Cumulative net profit after each settlement. */
  readonly curve: readonly ProfitPoint[];
  /** One for each bound of each piece; `orders` and all other counts are those of the central runs. */
  readonly runs: readonly RunPart[];
  /** Orders of all runs. Rows are made one by one, and again at each iteration: a long run has millions. */
  readonly orderRows: Iterable<OrderRow>;
  /** Fills of all runs and all bounds, made like `orderRows`. */
  readonly fillRows: Iterable<FillRow>;
  /** What strategies plotted in the central runs; bounded by market and in all, with a notice where something was left out. */
  readonly plots: readonly PlotLine[];
  /** Prices over time of the markets in which orders were sent, of the central world. */
  readonly prices: readonly MarketPrices[];
  /** Strategies that were halted: one sentence each. */
  readonly warnings: readonly string[];
  /** What explains the figures, above all where they are zero. */
  readonly notices: readonly Notice[];
  /** Strategies that were halted, in any world. */
  readonly halts: readonly StrategyHalted[];
  /** What `prove` found; absent where it was not asked for. */
  readonly proof?: LookaheadProof;
  /** How much of the result is luck, of the orders of the central bound. */
  readonly statistics: RunStatistics;
  /** Stopped by Ctrl-C, or by a strategy that was stuck outside of a call or in a proof: the figures cover what was replayed until then. */
  readonly interrupted: boolean;
  /** Hash of all that was decided, sent and matched, in hexadecimal: equal for the same tape, strategies, options and seed. */
  readonly transcriptSha256: string;
  /** How long the run took, ms. */
  readonly elapsedMs: number;
}

/** Turns money into printed figures; nothing else makes a `Profit`. */
export function profitFigures(money: ProfitMoney): Profit {
  return {
    stakeMatched: moneyToDecimal(money.stakeMatched),
    profitGross: moneyToDecimal(money.profitGross),
    commission: moneyToDecimal(money.commission),
    profitNet: moneyToDecimal(asMoney(money.profitGross - money.commission)),
    ...(money.markToMarket === undefined ? {} : { markToMarket: moneyToDecimal(money.markToMarket) }),
  };
}
