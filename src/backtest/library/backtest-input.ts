/** The options of `backtest()`: those of config/backtest.yaml as typed data, with strategies as objects or files. */

import type { StrategyPlugin } from '../../strategy/contract.ts';
import type { FeedChoice } from '../options/backtest-options.ts';

/**
 * The options of `backtest()`: those of config/backtest.yaml. Prices, stakes and money are plain decimals in the currency of the wallets. What
 * is left out has the default.
 */
export interface BacktestInput {
  /** Path of a tape. Give this or `tapes`. */
  readonly tape?: string | undefined;
  /** Several tape files, merged by publish time, instead of `tape`. */
  readonly tapes?: readonly string[] | undefined;
  /** At least one. Several share the run's markets, wallets and limits. */
  readonly strategies: readonly StrategyInput[];
  /** Which markets to replay; all of them where it is left out. */
  readonly markets?: MarketsInput | undefined;
  /** The only wallet, named `main`. It holds 10,000 where neither this nor `wallets` is given. */
  readonly wallet?: WalletInput | undefined;
  /** Wallets by name, all of one currency, instead of `wallet`. */
  readonly wallets?: Readonly<Record<string, WalletInput>> | undefined;
  /** How the bot sees prices: each update (default), or only what polls return. */
  readonly feed?: FeedChoice | undefined;
  /** Delays between bot and exchange: `{ requestMs: 80, responseMs: 40 }`. */
  readonly latency?: LatencyInput | undefined;
  /** Delay of orders in play: as recorded (default), or in seconds. */
  readonly inPlayDelay?: 'recorded' | number | undefined;
  /** On a market's net winnings: the recorded rate (default), or a percentage. */
  readonly commission?: 'recorded' | number | undefined;
  /** In which bounds of the fills the strategies are run, in each as if it were all there is: `bounds` (default), `all` or `central`. */
  readonly fills?: 'bounds' | 'all' | 'central' | undefined;
  /** How recorded liquidity and own orders meet where a recording does not say. */
  readonly fillRules?: FillRulesInput | undefined;
  /** Rules of the exchange that a recording does not settle. */
  readonly exchange?: ExchangeInput | undefined;
  /** Risk limits; `'none'` lifts one. */
  readonly limits?: LimitsInput | undefined;
  /** Cuts the run into pieces by this, which share no wallet, no exposure and no liquidity. Default `none`. */
  readonly isolate?: 'none' | 'event' | 'market' | 'strategy' | undefined;
  /** The seed of all chance in the run: a whole number, 1 by default. */
  readonly seed?: number | undefined;
  /** Replays parts of the run with the future removed and altered, and fails with LOOKAHEAD where a decision changes. */
  readonly prove?: boolean | number | undefined;
  /** How many pieces of an `isolate` run are played at once, each in a thread of its own; strategies are files then. 1 by default. */
  readonly jobs?: number | undefined;
  /** Called as the replay goes on, and with `part` 1 at its end. What it throws ends the run. */
  readonly onProgress?: ((progress: BacktestPart) => void) | undefined;
  /** Called with each line that a strategy of a file writes to its console. */
  readonly onConsole?: ((line: string) => void) | undefined;
  /** Ends the run soon after it is aborted, with an `AbortedError` that holds the result until then. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * A function that makes a strategy, the same with parameters and a wallet, or a file that exports one. One object by itself is taken where a
 * run has one world alone (`fills: 'central'`): what it keeps outside of its state would be shared by all worlds.
 */
export type StrategyInput = StrategyPlugin | (() => StrategyPlugin) | StrategyOfObject | StrategyOfFile;

/** A strategy of your own program, with parameters and a wallet. */
export interface StrategyOfObject {
  /** A function that returns what `defineStrategy` returns, called once for each world; or that itself. It runs where it was made, without a realm of its own. */
  readonly plugin: StrategyPlugin | (() => StrategyPlugin);
  /** Overrides of the parameters that it declares. */
  readonly params?: Readonly<Record<string, unknown>> | undefined;
  /** A key of `wallets`; `main` where it is left out. */
  readonly wallet?: string | undefined;
}

/** A strategy in a file, which is bundled and loaded anew for each run, into a realm of its own. */
export interface StrategyOfFile {
  /** A path, relative to the working directory. */
  readonly file: string;
  /** Overrides of the parameters that it declares. */
  readonly params?: Readonly<Record<string, unknown>> | undefined;
  /** A key of `wallets`; `main` where it is left out. */
  readonly wallet?: string | undefined;
  /** Files and directories that it may read with `fs`. */
  readonly files?: readonly string[] | undefined;
}

/** Which markets of the tapes are replayed: those that match `types`, `ids` and `events`, where a list that is empty selects all. */
export interface MarketsInput {
  /** Market type ids, such as `WIN`. */
  readonly types?: string[] | undefined;
  /** Market ids. */
  readonly ids?: string[] | undefined;
  /** Event ids. */
  readonly events?: string[] | undefined;
  /** When strategies are asked in each market. Left out: always. */
  readonly window?: WindowInput | undefined;
}

/** A span of each market: outside of it strategies are not asked. */
export interface WindowInput {
  /** `off`, or a time before or after the scheduled start such as `-10m` or `+30s`. Left out: at once. */
  from?: string;
  /** `off`, a time such as `+5m`, or `end`. Left out: the end of the market. */
  to?: string;
}

/** What a wallet holds at the start. */
export interface WalletInput {
  /** Left out: `USDC`; over imported recordings, which do not say theirs, amounts are in `units`. */
  readonly currency?: string | undefined;
  /** Decimal currency, at least 0. Default 10,000. */
  readonly balance?: number | undefined;
  /** Whether it never runs dry, whatever its balance. Default false. */
  readonly unlimited?: boolean | undefined;
}

/** Delays between bot and exchange, each fixed or drawn with the run's seed. A spread alone is that of the request. */
export type LatencyInput = LatencyParts | LatencySpread;

/** The delays of the two directions. */
export interface LatencyParts {
  /** From the bot to the exchange, ms. Default 80. */
  requestMs?: number | LatencySpread;
  /** The same of placements alone; `requestMs` where it is left out. */
  placeMs?: number | LatencySpread;
  /** The same of cancellations alone; `requestMs` where it is left out. */
  cancelMs?: number | LatencySpread;
  /** From the exchange to the bot, ms. Default 40. */
  responseMs?: number | LatencySpread;
}

/** A distribution of delays by two of its percentiles. */
export interface LatencySpread {
  /** The median, ms. */
  p50: number;
  /** What one in a hundred exceeds, ms. */
  p99: number;
}

/** How recorded liquidity and own orders meet where a recording does not say; docs/backtest.md weighs each of them. */
export interface FillRulesInput {
  /** Where in the queue recorded participants cancel, under the central bound: `pro-rata` (default), all ahead of or behind own orders, by the logarithm of the amounts, or by their `power`. */
  readonly cancellations?: 'pro-rata' | 'ahead' | 'behind' | 'log' | { power: number } | undefined;
  /** What traded volume does that was never displayed: it passes through the queue at its price. */
  readonly hiddenVolume?: 'through-queue' | undefined;
  /** Which synthetic prices cross matching makes, where a market has it: rounded to the ladder (default), or exact. */
  readonly crossMatching?: 'rounded' | 'exact' | undefined;
  /** How much of what own orders took comes back: nothing (default), all at the next change, or half in each `halfLifeMs`. */
  readonly refill?: 'never' | 'next-change' | { halfLifeMs: number } | undefined;
  /** Whether takers match levels that left a recording of the best few: for `maxAgeMs` (default 1,000), never, or always. */
  readonly levelsOutOfSight?: 'never' | 'always' | { maxAgeMs: number } | undefined;
}

/** Rules of the exchange that a recording does not settle. */
export interface ExchangeInput {
  /** The smallest order: that of the exchange that was recorded (default), none, or this stake in decimal currency. */
  readonly minimumStake?: 'recorded' | 'none' | number | undefined;
  /** Own resting orders when a market in play is suspended: cancelled where the recording empties its book then (default), always, or never. */
  readonly inPlaySuspension?: 'as-recorded' | 'cancel' | 'keep' | undefined;
}

/** Risk limits, as in config/limits.yaml; one that is left out has its default, and `'none'` lifts it. Amounts are decimal currency. */
export interface LimitsInput {
  /** Most that one order can lose: the stake of a For, stake × (limit price − 1) of an Against. Default 100. */
  readonly order?: number | 'none' | undefined;
  /** Most that the bets on one outcome can lose by themselves, over all strategies. Default 500. */
  readonly outcome?: number | 'none' | undefined;
  /** Worst loss on one market over every possible result, over all strategies and wallets. Default 1,000. */
  readonly market?: number | 'none' | undefined;
  /** Sum of the worst losses of an event's markets. Default 2,000. */
  readonly event?: number | 'none' | undefined;
  /** Sum of the worst losses of a strategy's positions; each strategy has this much. Default 5,000. */
  readonly strategy?: number | 'none' | undefined;
  /** Sum of the worst losses of a wallet's positions; each wallet has this much. Default 10,000. */
  readonly wallet?: number | 'none' | undefined;
  /** Orders sent in any span of one second, over all strategies. Default 50. */
  readonly ordersPerSecond?: number | 'none' | undefined;
  /** Orders sent in the last hour, above which only reducing orders are placed. Default none. */
  readonly ordersPerHour?: number | 'none' | undefined;
  /** Orders live at once on one market, over all strategies: resting, on their way, or of unknown fate. Default none. */
  readonly ordersPerMarket?: number | 'none' | undefined;
  /** Orders live at once, over all markets. Default none. */
  readonly liveOrders?: number | 'none' | undefined;
  /** Orders sent per order matched (`ratio`) in the last `hours`, above which only reducing orders are placed; not asked for up to `minimumOrders`. Default none. */
  readonly orderToMatch?: { ratio: number; minimumOrders: number; hours: number } | 'none' | undefined;
  /** Whether an order may reach a live order of our own on the same outcome, of any strategy or wallet. Default `refuse`. */
  readonly selfMatch?: 'refuse' | 'allow' | undefined;
  /** Age of a market's prices above which nothing is placed on it, ms. Default none. */
  readonly staleMs?: number | 'none' | undefined;
  /** How many ticks outside the best prices an order may be. Default none. */
  readonly ticksFromBook?: number | 'none' | undefined;
  /** Settled loss of one UTC day at which only orders that reduce risk pass. Default 1,000. */
  readonly dailyLoss?: number | 'none' | undefined;
  /** The same for the settled loss (`amount`) of the last `hours`. Default none. */
  readonly rollingLoss?: { amount: number; hours: number } | 'none' | undefined;
  /** A stop: once the settled total has fallen by `amount` from its highest, trading moves to `action` until it is resumed. Default none. */
  readonly drawdown?: { amount: number; action: 'reduceOnly' | 'halted' } | 'none' | undefined;
  /** After so many `losses` in a row only reducing orders are placed for so many `minutes`. Default none. */
  readonly cooldown?: { losses: number; minutes: number } | 'none' | undefined;
}

/** How far a replay is. */
export interface BacktestPart {
  /** How much of the replay is done, from 0 to 1. It never goes back. */
  readonly part: number;
  /** Updates replayed so far. */
  readonly done: number;
  /** Updates that the run replays in all. */
  readonly total: number;
  /** Simulated time, ms UTC. */
  readonly at: number;
}
