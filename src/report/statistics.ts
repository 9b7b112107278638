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

/** Money is in the run's currency, stakes are the backer's. All but the intervals of the other bounds is of central fills. */
export interface RunStatistics {
  /** Event groups in which something was matched under any bound and which are settled: what the intervals resample. */
  readonly eventGroups: number;
  /** Markets with matched bets that the recording does not settle: they are in no figure of profit. */
  readonly unsettled: number;
  /** Net profit of an event group, in money. */
  readonly profitPerEvent: OfInterval<Interval | NotKnown>;
  /** Net profit in per cent of the stake matched. */
  readonly yieldPercent: OfInterval<Interval | NotKnown>;
  readonly closingValue: ClosingValues;
  readonly luck: Luck | NotKnown;
  /** Of the markets with matched bets: how many luck was judged by, and why others were not. */
  readonly judged: JudgedMarkets;
  readonly growth: KellyGrowth | NotKnown;
  readonly drawdown: Drawdown | NotKnown;
  readonly costs: CostSplit | NotKnown;
  readonly fillBias: FillBias | NotKnown;
  /** Of the closing prices, over all settled markets that were replayed. */
  readonly calibration: Calibration | NotKnown;
  /** One for each signal of the strategies. */
  readonly models: readonly ModelStatistics[];
  readonly tables: CellTables | NotKnown;
}

/** A figure under each bound of the interval. */
export interface OfInterval<Figure> {
  readonly pessimistic: Figure;
  readonly central: Figure;
  readonly optimistic: Figure;
}

/** The prices got against four later ones. */
export interface ClosingValues {
  /** Bets matched before the off, against the reconciled starting price. */
  readonly startingPrice: ClosingValue | NotKnown;
  /** Bets matched before the off, against the middle of the last best prices before it, or the last traded price where they are far apart. */
  readonly preOff: ClosingValue | NotKnown;
  /** All bets, against the last traded price so long after the match. */
  readonly after10s: ClosingValue | NotKnown;
  readonly after60s: ClosingValue | NotKnown;
}

export interface JudgedMarkets {
  readonly markets: number;
  /** With the reason as a sentence. */
  readonly leftOut: readonly { readonly reason: string; readonly markets: number }[];
}

/** A signal read as chances: the last values that were available before the off. */
export interface ModelStatistics {
  readonly strategy: string;
  readonly signal: string;
  readonly calibration: Calibration | NotKnown;
  /** Scores of the closing prices less those of the signal, for the same outcomes: above 0 the signal is better. */
  readonly brierSkill: Interval | NotKnown;
  readonly logLossSkill: Interval | NotKnown;
}

/** Where the profit was made. All cells of all tables are judged as one family. */
export interface CellTables extends Meaning {
  readonly kind: 'cellTables';
  readonly judged: number;
  readonly tables: readonly CellsBy[];
}

export interface CellsBy {
  readonly by: 'price' | 'timeToOff' | 'marketType' | 'side';
  readonly cells: readonly CellRow[];
}

export interface CellRow {
  readonly cell: string;
  /** Fills under the central bound, of settled markets. */
  readonly bets: number;
  readonly stake: number;
  /** Gross. */
  readonly profit: number;
  readonly yieldPercent: number | undefined;
  /** What its bets in the judged markets were worth at closing, and what came beyond that. */
  readonly expected: number | undefined;
  readonly luck: number | undefined;
  readonly pValue: number | undefined;
  /** The p-value adjusted for the number of cells. */
  readonly adjusted: number | undefined;
  /** Why there is no p-value. */
  readonly reason: string | undefined;
}
