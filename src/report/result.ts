/** A backtest's result as plain data: what the table, the files, the HTML report and `--json` all print. */

import type { Grade, MarketStatus } from '../core/market.ts';
import { money as asMoney, type Money, moneyToDecimal } from '../core/number/units.ts';
import type { OrderStatus } from '../core/order.ts';
import type { RefusalCode } from '../core/refusal.ts';
import type { Side } from '../core/side.ts';
import type { MarketPrices } from './market-prices.ts';
import type { Notice } from './notices.ts';
import type { Setting, WalletResult } from './run-facts.ts';
import type { RunStatistics } from './statistics.ts';

/**
 * The fill models that an order flow can be filled by (docs/backtest.md), from the fewest fills to the most; last the central one with
 * refilled stake: others put back what our orders took.
 */
export const BOUNDS = ['lowest', 'pessimistic', 'central', 'optimistic', 'highest', 'refilled'] as const;
export type Bound = (typeof BOUNDS)[number];
/** The interval: every result has figures for these bounds. */
export const INTERVAL = ['pessimistic', 'central', 'optimistic'] as const;
/** A figure of money, once for each bound that was computed. */
export type ByBound<T> = Readonly<Record<(typeof INTERVAL)[number], T> & Partial<Record<Bound, T>>>;

/** Applies `to` to each figure; bounds that were not computed stay absent. */
export function mapBounds<T, U>(by: ByBound<T>, to: (value: T, bound: Bound) => U): ByBound<U> {
  const made: { -readonly [Key in keyof ByBound<U>]: ByBound<U>[Key] } = {
    pessimistic: to(by.pessimistic, 'pessimistic'),
    central: to(by.central, 'central'),
    optimistic: to(by.optimistic, 'optimistic'),
  };
  for (const bound of ['lowest', 'highest', 'refilled'] as const) {
    const value = by[bound];
    if (value !== undefined) made[bound] = to(value, bound);
  }
  return made;
}

/** The bounds that were computed, from the fewest fills to the most, without `refilled`: the columns of a table. */
export function columnsOf(by: ByBound<unknown>): readonly Bound[] {
  return BOUNDS.filter((bound) => bound !== 'refilled' && by[bound] !== undefined);
}

/** Decimals in the run's currency, at most six places. Made by `profitFigures` alone. */
export interface Profit {
  readonly stakeMatched: number;
  readonly profitGross: number;
  readonly commission: number;
  /** Gross less commission: what settlement paid. */
  readonly profitNet: number;
  /**
   * Gross profit had the position been closed evenly (greened up) at the last prices shown before settlement: skill
   * without the luck of the winner. Absent where no such price was known.
   */
  readonly markToMarket?: number;
}

export interface ProfitMoney {
  readonly stakeMatched: Money;
  readonly profitGross: Money;
  readonly commission: Money;
  readonly markToMarket?: Money;
}

export interface TapeUsed {
  readonly path: string;
  readonly sha256: string;
  /** The worst grade of the markets replayed from it; absent where none was. */
  readonly grade?: Grade;
  /** Absent for recorded data; else how the recording was made up, as one clause. */
  readonly generated?: string;
}

export interface StrategyUsed {
  readonly name: string;
  readonly file: string;
  readonly params: Readonly<Record<string, unknown>>;
  /** Those of its params that are durations, as people write them: `{ hold: '5m' }`. Absent where there are none. */
  readonly durations?: Readonly<Record<string, string>> | undefined;
  /** How often it was called at an instant that it had asked for (`wakeAt`). */
  readonly timerCalls: number;
}

/** `intended` is refused + cancellations + cancellationsRepeated + sent; `sent` accepted + rejected + unanswered; `accepted` the other four together. */
export interface OrderCounts {
  readonly intended: number;
  readonly refused: number;
  /** Intents to cancel or to replace that were not refused; a `cancelAll` counts once. */
  readonly cancellations: number;
  /** Intents to cancel an order that was being cancelled already: they changed nothing. */
  readonly cancellationsRepeated: number;
  readonly sent: number;
  readonly accepted: number;
  readonly rejected: number;
  /** The recording ended before the order arrived at the exchange, or before the reply came back. */
  readonly unanswered: number;
  readonly matchedFully: number;
  readonly matchedPartly: number;
  readonly cancelled: number;
  readonly unmatched: number;
}

/** One market of the run: what it was, how it ended, and what it brought. All of it is plain data. */
export interface MarketResult {
  readonly id: string;
  readonly name: string;
  /** Markets of one event (the win and the place market of a race, all markets of a match) have the same. */
  readonly eventId: string;
  readonly eventName: string;
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
  /** How many winners the market pays: 1, or the places of a place market. */
  readonly winnerCount: number;
  /** In the order in which the market lists them; those removed are there as well. */
  readonly outcomes: readonly OutcomeEnd[];
  readonly grade: Grade;
  readonly updates: number;
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
  readonly profit: ByBound<Profit>;
}

/** One outcome of a market at the end of its trading. */
export interface OutcomeEnd {
  readonly id: string;
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
  /** Gross profit of the bets on this outcome alone, if it wins and if it does not: with these any set of winners is worked out. */
  readonly betsIfWins: number;
  readonly betsIfLoses: number;
}

/** A market of the tape that was not replayed, and why (LINE markets, no definition, …). */
export interface MarketLeftOut {
  readonly id: string;
  readonly name: string;
  readonly reason: string;
}

/** One settlement on the profit curve: cumulative net profit after it, in the order of `at` (ms UTC). */
export interface ProfitPoint extends ByBound<number> {
  readonly at: number;
  /** Id of the market that was settled. */
  readonly market: string;
}

/** Which of the result's runs a row belongs to: `run` and the order's number together identify one order. */
export interface RowRun {
  /** The number of one of `runs`. */
  readonly run: number;
  /** The bound whose fills the strategy saw there. */
  readonly flow: Bound;
}

/** One flow of orders through one piece of the run; there are several where strategies react to each bound, or where the run is cut. */
export interface RunPart extends RowRun {
  /** The market, event or strategy of the piece; absent where the run is not cut. */
  readonly piece?: string;
  /** The bounds computed for its orders, the flow's own first. */
  readonly answers: readonly Bound[];
  readonly orders: OrderCounts;
  /** How many strategies were halted in it. */
  readonly halts: number;
  readonly transcriptSha256: string;
}

export interface OrderRow extends RowRun {
  /** oddsmith's number of the order in its run. */
  readonly id: number;
  readonly strategy: string;
  readonly marketId: string;
  readonly marketName: string;
  readonly outcomeId: string;
  readonly outcomeTitle: string;
  readonly side: Side;
  readonly price: number;
  readonly stake: number;
  /** When the strategy decided, and when the order arrived at the exchange, ms UTC. */
  readonly decidedAt: number;
  readonly arrivedAt?: number;
  /**
   * When nothing of it could be matched any more (matched whole, cancelled, voided), ms UTC; absent where the exchange did not accept it,
   * and where the recording ends before.
   */
  readonly endedAt?: number;
  /** Its last status in its flow; absent where the exchange rejected it or never replied. */
  readonly status?: OrderStatus;
  readonly reason?: string;
  /** Stake matched in each bound computed for its flow. */
  readonly stakeMatched: Readonly<Partial<Record<Bound, number>>>;
  /** Mean price, weighted by stake, of its fills in its flow. */
  readonly averagePrice?: number;
  /** Gross profit at settlement, by its fills in its flow. */
  readonly profit?: number;
  /**
   * Stake that stood before it at its price when it began to rest, in its flow's fill model: recorded stake and own orders that came
   * earlier. 0: it came first. Absent where it never rested.
   */
  readonly queueAhead?: number;
  /** The best prices of its outcome as the strategy saw them when it decided, own orders among them; absent where a side was empty. */
  readonly bestFor?: number;
  readonly bestAgainst?: number;
  /** What the strategy wrote on the intent, at most 200 characters. */
  readonly note?: string;
}

export interface FillRow extends RowRun {
  readonly order: number;
  readonly bound: Bound;
  readonly marketId: string;
  readonly outcomeId: string;
  readonly outcomeTitle: string;
  readonly side: Side;
  readonly price: number;
  readonly stake: number;
  /** Simulated time of the match, ms UTC. */
  readonly at: number;
  /**
   * Last traded price of its outcome in the recording just before the instant so many seconds later; absent where nothing was traded by
   * then, and where the market or its recording had ended.
   */
  readonly lastPriceAfter10s?: number;
  readonly lastPriceAfter60s?: number;
}

/**
 * One line of values that a strategy plotted in one market, as columns of one length. Only changes are kept: a value holds until the next
 * point, and the last one until the market ends.
 */
export interface PlotLine extends RowRun {
  readonly strategy: string;
  readonly marketId: string;
  /** As the strategy wrote it: 1 to 40 characters, the first a letter or digit. */
  readonly name: string;
  /** Ms UTC, ascending. */
  readonly at: Float64Array<ArrayBuffer>;
  /** NaN where the line ends, until the next point. */
  readonly value: Float64Array<ArrayBuffer>;
}

/** A strategy that threw, or returned something other than a decision: its orders were cancelled, the other strategies went on. */
export interface StrategyHalted {
  readonly strategy: string;
  /** Id of the market it was called for, and when, ms UTC. */
  readonly market: string;
  readonly at: number;
  readonly code: 'STRATEGY_THROW' | 'STRATEGY_BAD_RESULT' | 'STRATEGY_STUCK';
  readonly what: string;
  /** file:line:column of the strategy's own code, as far as known. */
  readonly where: string;
  readonly why: string;
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
  /** The bound whose fills the strategy saw. */
  readonly flow: Bound;
  /** How many steps (decisions, intents, orders) up to it were compared. */
  readonly steps: number;
}

/** What `--prove` found: decisions up to each instant do not depend on what comes after it. */
export interface LookaheadProof {
  readonly instants: readonly ProofInstant[];
  /** What was altered, in words. */
  readonly ways: readonly string[];
  /** How many replays that took, of how many updates, and how many times as many as the run's own that are. */
  readonly replays: number;
  readonly updates: number;
  readonly timesRun: number;
  /** What the proof cannot show: sentences. */
  readonly notShown: readonly string[];
}

export interface BacktestResult {
  readonly version: string;
  readonly seed: number;
  readonly currency: string;
  readonly tapes: readonly TapeUsed[];
  readonly strategies: readonly StrategyUsed[];
  readonly settings: readonly Setting[];
  readonly wallets: readonly WalletResult[];
  /** Under `react` each bound has an order flow of its own; `all` adds the two extremes to the interval. */
  readonly fills: 'bounds' | 'all' | 'central' | 'react';
  readonly updates: number;
  readonly decisions: number;
  readonly orders: OrderCounts;
  /** Only codes that occurred. */
  readonly refusals: Readonly<Partial<Record<RefusalCode, number>>>;
  /** The exchange's own refusals of orders that were sent, by error code; only those that occurred. */
  readonly rejections: Readonly<Record<string, number>>;
  /** Under `central` the three of the interval are equal. */
  readonly total: ByBound<Profit>;
  readonly byMarket: readonly MarketResult[];
  readonly leftOut: readonly MarketLeftOut[];
  readonly curve: readonly ProfitPoint[];
  /** Under `react` one run for each bound of each piece; `orders` and all other counts are those of the central runs. */
  readonly runs: readonly RunPart[];
  /** Orders of all runs. Rows are made one by one, and again at each iteration: a long run has millions. */
  readonly orderRows: Iterable<OrderRow>;
  /** Fills of all runs and all bounds, made like `orderRows`. */
  readonly fillRows: Iterable<FillRow>;
  /** What strategies plotted, of all runs; bounded by market and in all, with a notice where something was left out. */
  readonly plots: readonly PlotLine[];
  /** Prices over time of the markets in which orders were sent, of the central flow. */
  readonly prices: readonly MarketPrices[];
  /** Strategies halted because they threw, and what `react` means: one sentence each. */
  readonly warnings: readonly string[];
  /** What explains the figures, above all where they are zero. */
  readonly notices: readonly Notice[];
  readonly halts: readonly StrategyHalted[];
  readonly proof?: LookaheadProof;
  /** How much of the result is luck, of the orders of the central bound. */
  readonly statistics: RunStatistics;
  /** Stopped by Ctrl-C, or by a strategy that was stuck: the figures cover what was replayed until then. */
  readonly interrupted: boolean;
  readonly transcriptSha256: string;
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
