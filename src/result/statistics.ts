/** The statistics of a run as plain data: how much of its result is luck, and what each figure says and does not say. */

import type { Interval } from '../research/chance/bootstrap.ts';
import type { Luck } from '../research/chance/luck.ts';
import type { Meaning } from '../research/figure/meaning.ts';
import type { NotKnown } from '../research/figure/not-known.ts';
import type { Calibration } from '../research/run/calibration.ts';
import type { ClosingValue } from '../research/run/closing-value.ts';
import type { CostSplit } from '../research/run/cost-split.ts';
import type { Drawdown } from '../research/run/drawdown.ts';
import type { FillBias } from '../research/run/fill-bias.ts';
import type { KellyGrowth } from '../research/run/kelly-growth.ts';
import type { PriceCalibration } from '../research/run/price-calibration.ts';

/** How much of a run's result is luck. Money is in the run's currency, stakes are the backer's. All but the intervals of the other bounds is of central fills. */
export interface RunStatistics {
  /** Event groups in which something was matched under any bound and which are settled: what the intervals resample. */
  readonly eventGroups: number;
  /** Markets with matched bets that the recording does not settle: they are in no figure of profit. */
  readonly unsettled: number;
  /** Net profit of an event group with a bet, in money. */
  readonly profitPerEvent: OfInterval<Interval | NotKnown>;
  /** Net profit in per cent of the stake matched. */
  readonly yieldPercent: OfInterval<Interval | NotKnown>;
  /** The prices got against those at which the market closed: the figure that needs the fewest bets. */
  readonly closingValue: ClosingValues;
  /** What the gross profit is made of: three lines, and a fourth where there is something else, which add up to it. */
  readonly profit: ProfitParts;
  /** How much of the profit of the bets matched before the off came from who won, and not from the prices got; gross. */
  readonly luck: Luck | NotKnown;
  /** How many of the markets with matched bets luck was judged by, and why others were not. */
  readonly judged: JudgedMarkets;
  /** What the size of the stakes did to the bank (J. L. Kelly, 1956). */
  readonly growth: KellyGrowth | NotKnown;
  /** How deep and how long the profit stood below its highest point. */
  readonly drawdown: Drawdown | NotKnown;
  /** What went to the spread, to the time until orders arrived, and to commission. */
  readonly costs: CostSplit | NotKnown;
  /** Whether the orders that were matched were the worse ones. */
  readonly fillBias: FillBias | NotKnown;
  /** How well the closing prices were calibrated, over all settled markets that were replayed. */
  readonly calibration: Calibration | NotKnown;
  /** One for each signal of the strategies. */
  readonly models: readonly ModelStatistics[];
  /** Where the profit was made, by price, time to the off, market type and side. */
  readonly tables: CellTables | NotKnown;
  /** How well the prices that bets of all strategies got were calibrated, in play as well, over all outcomes with a result. */
  readonly pricesTaken: {
    /** How often the outcome of For orders won, beside the chance in the price taken. */
    readonly backs: PriceCalibration | NotKnown;
    /** The same for Against orders: the chance that the outcome wins. */
    readonly lays: PriceCalibration | NotKnown;
  };
}

/** A figure under each bound of the interval. */
export interface OfInterval<Figure> {
  /** What others cancelled stood behind own orders. */
  readonly pessimistic: Figure;
  /** What others cancelled stood where it is likeliest. */
  readonly central: Figure;
  /** What others cancelled stood ahead of own orders. */
  readonly optimistic: Figure;
}

/** The prices got against four later ones. */
export interface ClosingValues {
  /** Bets matched before the off, against the reconciled starting price. */
  readonly startingPrice: ClosingValue | NotKnown;
  /** Bets matched before the off, against the middle of the last best prices before it, or the last traded price where they are far apart. */
  readonly preOff: ClosingValue | NotKnown;
  /** All bets, against the last traded price ten seconds after the match. */
  readonly after10s: ClosingValue | NotKnown;
  /** The same a minute after the match. */
  readonly after60s: ClosingValue | NotKnown;
}

/** Where the gross profit came from, in money: the parts add up to it. */
export interface ProfitParts {
  /** The profit of all settled markets, before commission. */
  readonly gross: number;
  /** What the bets matched before the off were worth at closing prices. */
  readonly closing: number;
  /** What these bets brought at settlement beyond that. */
  readonly luck: number;
  /** What the bets matched in play brought, which closing prices cannot judge. */
  readonly inPlay: number;
  /** What bets brought in markets that closing prices cannot judge, where these were matched before the off. */
  readonly others: number;
}

/** Which markets a figure rests on. */
export interface JudgedMarkets {
  /** How many it was judged by. */
  readonly markets: number;
  /** How many `markets` were left out for which `reason`, a sentence. */
  readonly leftOut: readonly { readonly reason: string; readonly markets: number }[];
}

/** A signal read as chances: the last values that were available before the off. */
export interface ModelStatistics {
  /** Name of the strategy that declares the signal. */
  readonly strategy: string;
  /** Name of the signal. */
  readonly signal: string;
  /** Whether what the signal gave a chance of 30 % came in 30 of 100 cases. */
  readonly calibration: Calibration | NotKnown;
  /** Scores of the closing prices less those of the signal, for the same outcomes: above 0 the signal is better. */
  readonly brierSkill: Interval | NotKnown;
  /** The same by log loss, in nats. */
  readonly logLossSkill: Interval | NotKnown;
}

/** Where the profit was made. All cells of all tables are judged as one family. */
export interface CellTables extends Meaning {
  readonly kind: 'cellTables';
  /** How many cells have a p-value: the family for which these are adjusted. */
  readonly judged: number;
  /** One table for each way to divide the bets. */
  readonly tables: readonly CellsBy[];
}

/** The bets divided in one way. */
export interface CellsBy {
  /** What divides them: matched price, time from the match to the off, type of the market, or side. */
  readonly by: 'price' | 'timeToOff' | 'marketType' | 'side';
  /** The cells, ascending by what divides them; cells without a bet are left out. */
  readonly cells: readonly CellRow[];
}

/** The bets of one cell. */
export interface CellRow {
  /** The band or the word, such as `2 to 3`. */
  readonly cell: string;
  /** Fills under the central bound, of settled markets. */
  readonly bets: number;
  /** Backer's stake of these bets. */
  readonly stake: number;
  /** Gross profit of these bets. */
  readonly profit: number;
  /** Gross profit in per cent of stake, before commission, which is charged on whole markets; undefined where nothing was staked. */
  readonly yieldGrossPercent: number | undefined;
  /** What its bets in the judged markets were worth at closing; undefined where they were not judged. */
  readonly expected: number | undefined;
  /** Profit of these bets beyond `expected`; undefined where they were not judged. */
  readonly luck: number | undefined;
  /** The chance of luck this far from 0, to either side, by redraws of winners. */
  readonly pValue: number | undefined;
  /** The p-value adjusted for the number of cells (Benjamini and Hochberg, 1995); undefined where there is none. */
  readonly adjusted: number | undefined;
  /** Why there is no p-value; undefined where there is one. */
  readonly reason: string | undefined;
}
