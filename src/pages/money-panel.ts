/** What a run has made, as plain data for its page: settled, open, today, over time, by strategy. Amounts are decimals, times ms UTC. */

export interface MoneyPart {
  /** Net of commission, over all markets that were settled since the run began. */
  readonly settled: number;
  /** Of it on this UTC day. */
  readonly today: number;
  /** What closing every position now would bring, against what rests in the books. */
  readonly open: OpenValue;
  /** How far `settled` is below its highest value so far. */
  readonly belowPeak: number;
  /** The most that can be lost, whatever is filled and whichever outcomes win. */
  readonly canLose: number;
  readonly wallets: readonly CashRow[];
  readonly strategies: readonly StrategyMoney[];
  /** The rows of strategies and these add up to the money of the run; each is left out where it is nothing. */
  readonly rest: readonly RestMoney[];
  /** Of the last seven UTC days those on which something was settled, the newest first. */
  readonly days: readonly { readonly at: number; readonly profit: number }[];
  readonly curve: MoneyCurve;
}

export interface OpenValue {
  readonly value: number;
  /** How many positions it stands for, each that of one strategy in one market. */
  readonly positions: number;
  /** How many more there are that cannot be closed: too little rests there, or nothing. */
  readonly unpriced: number;
}

/** `cash − atRisk = free`, in whole cents. What is at risk is still part of the cash. */
export interface CashRow {
  readonly name: string;
  readonly cash: number;
  readonly atRisk: number;
  readonly free: number;
  /** What our own bets can lose of it. */
  readonly worstLoss: number;
  /** It cannot be read, and nothing new is placed from it. */
  readonly isUnread: boolean;
}

export interface StrategyMoney {
  readonly name: string;
  readonly isHalted: boolean;
  /** Before commission, which is charged on whole markets. */
  readonly settled: number;
  readonly today: number;
  readonly open: OpenValue;
  readonly liveOrders: number;
  readonly worstLoss: number;
}

/** What belongs to no strategy: commission, and what was settled while no dashboard kept by which strategy. */
export interface RestMoney {
  readonly label: string;
  readonly settled: number;
  readonly today: number;
}

/** What was settled up to each instant, of all and of each strategy; the last value is that of now. */
export interface MoneyCurve {
  readonly at: readonly number[];
  readonly all: readonly number[];
  readonly strategies: readonly { readonly name: string; readonly values: readonly number[] }[];
}

/** What the result of a market brought. */
export interface MarketPaid {
  readonly name: string;
  readonly at: number;
  /** Net of commission. */
  readonly net: number;
  readonly commission: number;
  /** Before commission. */
  readonly strategies: readonly { readonly name: string; readonly profit: number }[];
}
