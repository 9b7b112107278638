/** The options of `backtest()`: those of config/backtest.yaml as typed data, with strategies as objects or files. */

import type { StrategyPlugin } from '../../strategy/contract.ts';
import type { FeedChoice } from '../options/backtest-options.ts';
import type { BacktestConfig } from '../options/backtest-schema.ts';

/** Prices, stakes and money are plain decimals in the currency of the wallets. What is left out has the default. */
export interface BacktestInput {
  /** One tape file, or several that are merged by publish time: give one of the two. */
  readonly tape?: string | undefined;
  readonly tapes?: readonly string[] | undefined;
  readonly strategies: readonly StrategyInput[];
  /** Which markets to replay; all of them where it is left out. */
  readonly markets?: MarketsInput | undefined;
  /** One wallet (10,000 USDC), or several by name, all of one currency: give one of the two, or neither. */
  readonly wallet?: WalletInput | undefined;
  readonly wallets?: Readonly<Record<string, WalletInput>> | undefined;
  /** How the bot sees prices: each update (default), or only what polls return. */
  readonly feed?: FeedChoice | undefined;
  /** Delays between bot and exchange: `{ requestMs: 80, responseMs: 40 }`. */
  readonly latency?: LatencyInput | undefined;
  /** Delay of orders in play: as recorded (default), or in seconds. */
  readonly inPlayDelay?: 'recorded' | number | undefined;
  /** On a market's net winnings: the recorded rate (default), or a percentage. */
  readonly commission?: 'recorded' | number | undefined;
  /** Which bounds of the fills are computed: `bounds` (default), `all`, `central` or `react`. */
  readonly fills?: BacktestConfig['fills'] | undefined;
  readonly fillRules?: FillRulesInput | undefined;
  readonly exchange?: ExchangeInput | undefined;
  /** Risk limits; `'none'` lifts one. */
  readonly limits?: LimitsInput | undefined;
  /** Cuts the run into pieces that share no wallet, no exposure and no liquidity. */
  readonly isolate?: BacktestConfig['isolate'] | undefined;
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

/** A strategy itself, one with parameters and a wallet, or a file that exports one. */
export type StrategyInput = StrategyPlugin | StrategyOfObject | StrategyOfFile;

export interface StrategyOfObject {
  /** What `defineStrategy` returns. It runs where it was made, without a realm of its own. */
  readonly plugin: StrategyPlugin;
  /** Overrides of the parameters that it declares. */
  readonly params?: Readonly<Record<string, unknown>> | undefined;
  /** A key of `wallets`; `main` where it is left out. */
  readonly wallet?: string | undefined;
}

export interface StrategyOfFile {
  /** A path, relative to the working directory. */
  readonly file: string;
  readonly params?: Readonly<Record<string, unknown>> | undefined;
  readonly wallet?: string | undefined;
  /** Files and directories that it may read with `fs`. */
  readonly files?: readonly string[] | undefined;
}

/** An empty list selects all; a market must match all three. */
export type MarketsInput = Optional<BacktestConfig['markets']>;
/** `{ currency: 'USDC', balance: 10_000 }`, or `unlimited: true`. */
export type WalletInput = Optional<BacktestConfig['wallets'][string]>;
export type LatencyInput = BacktestConfig['latency'];
export type FillRulesInput = Optional<BacktestConfig['fillRules']>;
export type ExchangeInput = Optional<BacktestConfig['exchange']>;
export type LimitsInput = Optional<BacktestConfig['limits']>;

type Optional<T> = { readonly [Key in keyof T]?: T[Key] | undefined };

export interface BacktestPart {
  /** How much of the replay is done, from 0 to 1. It never goes back. */
  readonly part: number;
  /** Updates replayed, and how many there are. */
  readonly done: number;
  readonly total: number;
  /** Simulated time, ms UTC. */
  readonly at: number;
}
