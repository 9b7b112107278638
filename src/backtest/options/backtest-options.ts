/** What a backtest is made of, after options, files, flags and defaults are resolved: what the command and the library give to the run. */

import type { Money } from '../../core/number/units.ts';
import type { DecisionMark } from '../../engine/guest/decision-mark.ts';
import type { StrategyInstance } from '../../engine/ledger/strategy-in-market.ts';
import type { Inquiry } from '../../loader/stuck-strategy.ts';
import type { BacktestResult } from '../../result/result.ts';
import type { Limits } from '../../risk/limits/limits.ts';
import type { InPlaySuspension } from '../../simulator/fill-model/market-life.ts';
import type { LatencyModel } from '../../simulator/gateway/latency.ts';
import type { CancellationRule, OutOfSightRule, RefillRule } from '../../simulator/overlay/fill-rules.ts';
import type { WindowRule } from '../../simulator/replay/market-window.ts';
import type { MinimumStakeRule } from '../../simulator/replay/minimum-stake.ts';
import type { StrategyPlugin } from '../../strategy/contract.ts';
import type { ParamPlaces } from '../../strategy/read-params.ts';

export interface BacktestOptions {
  readonly strategies: readonly StrategyChoice[];
  /** Tape files, merged by publish time. */
  readonly tapes: readonly string[];
  readonly markets: MarketFilter;
  /** Each wallet by its name. All have one currency. */
  readonly wallets: Readonly<Record<string, WalletChoice>>;
  readonly feed: FeedChoice;
  /** Drawn with the run's seed. */
  readonly latency: LatencyModel;
  /** `recorded`, or milliseconds for every in-play market. */
  readonly inPlayDelay: 'recorded' | { readonly ms: number };
  /** `recorded`, or parts per million of net winnings. */
  readonly commission: 'recorded' | { readonly ratePpm: number };
  readonly fills: 'bounds' | 'all' | 'central';
  readonly fillRules: FillRules;
  readonly exchange: ExchangeChoice;
  readonly limits: Limits;
  /** Pieces that each begin with all of the wallets and find the recorded liquidity whole. */
  readonly isolate: 'none' | 'event' | 'market' | 'strategy';
  /** Replay parts of the run again with the future removed and altered, and compare the decisions; a number of instants, or as many as usual. */
  readonly prove: boolean | number;
  readonly seed: number;
  /** How long a strategy may take for one call if the run is watched, ms. It is no part of the run's identity. */
  readonly strategyTimeoutMs: number;
  /** Directory in which the run's own directory is made. */
  readonly out: string;
}

export interface StrategyChoice {
  /** Empty for a strategy that is given as an object. */
  readonly file: string;
  /**
   * The strategy itself, where a program gives it as an object, or what makes a new one for each simulation: it is not loaded, and runs in
   * no realm of its own.
   */
  readonly plugin?: StrategyPlugin | (() => StrategyPlugin);
  /** What the user wrote. The strategy's own spec judges it. */
  readonly params: Readonly<Record<string, unknown>>;
  /**
   * The places where a person wrote the values: a duration needs its unit there. It is absent where a program gives the values, whose
   * numbers are ms.
   */
  readonly paramPlaces?: ParamPlaces | undefined;
  /** A key of `wallets`. */
  readonly wallet: string;
  /** What it may read: files and directories. Nothing, where it is left out. */
  readonly files?: readonly string[];
}

/** Empty lists select all; an id of any list must match, and all three lists must agree. */
export interface MarketFilter {
  readonly types: readonly string[];
  readonly ids: readonly string[];
  readonly events: readonly string[];
  /** When strategies are asked in each of them; absent: from its first update to its end. */
  readonly window?: WindowRule | undefined;
}

export interface WalletChoice {
  /** Undefined where nobody named one. */
  readonly currency: string | undefined;
  readonly balance: Money | 'unlimited';
}

/** How the bot sees prices: `stream` shows each update when it was published, `poll` only what is read every `everyMs`. */
export type FeedChoice = { readonly mode: 'stream' } | { readonly mode: 'poll'; readonly everyMs: number };

export interface FillRules {
  readonly cancellations: CancellationRule;
  readonly hiddenVolume: 'through-queue';
  readonly crossMatching: 'rounded' | 'exact';
  /** How much of the stake that own orders took comes back: unless it is `never`, the bound `refilled` is computed beside the central one. */
  readonly refill: RefillRule;
  /** How long orders that take are matched at levels that a source of the best few levels does not show any more. */
  readonly levelsOutOfSight: OutOfSightRule;
}

/** Rules of the exchange that a recording does not show. */
export interface ExchangeChoice {
  readonly inPlaySuspension: InPlaySuspension;
  readonly minimumStake: MinimumStakeRule;
}

export interface BacktestProgress {
  /** Updates replayed, and how many there are. */
  readonly done: number;
  readonly total: number;
  /** Simulated time, ms UTC. */
  readonly at: number;
}

export interface BacktestHooks {
  /** Called now and then, at least every few thousand updates. */
  onProgress(progress: BacktestProgress): void;
  /** Called with each line that a strategy writes to its console. */
  readonly onWords?: ((line: string) => void) | undefined;
  /** Once it is aborted the run ends soon, and its result says `interrupted`. */
  readonly signal: AbortSignal;
  /** Marks all calls of strategies, for a thread that watches this one. */
  readonly mark?: DecisionMark | undefined;
  /** About how long the run works before the rest of the process gets a turn, ms; absent if it has a thread of its own. */
  readonly sliceMs?: number | undefined;
  /** Watches the process while a simulation runs; absent in a library, whose process is not ours. */
  readonly watchGuests?: WatchGuests | undefined;
  onBegun?(begun: BegunRun): void;
  /** The number of threads that play pieces, where the run is cut into pieces and all strategies are files; 1 if absent. */
  readonly jobs?: number | undefined;
}

/** What is done about errors that are thrown outside of every call of a strategy: by a rejected promise, or by a callback that it left behind. */
export interface GuestWatch {
  readonly instances: readonly StrategyInstance[];
  /** The error is one of the strategy, which is halted for it. */
  onStrategy(instance: StrategyInstance, error: unknown): void;
  /** The error is not of a strategy: a fault of our own. */
  onOther(error: unknown): void;
}

/** Begins to watch, and returns what ends it. */
export type WatchGuests = (watch: GuestWatch) => () => void;

export interface BegunRun {
  /** The strategies by their index. */
  readonly strategies: readonly { readonly name: string; readonly file: string }[];
  /** What becomes of it: it is asked in the middle of a call, if need be. Undefined if no strategy hangs: the run may go on. */
  asked(inquiry: Inquiry): RunAnswer | undefined;
}

/**
 * `ended`: the run has ended where it stood; the halts of its result name a strategy that hangs. `again`: the thread is to leave the call
 * that hangs, with all that led there, and then to call `goOn`.
 */
export type RunAnswer =
  | { readonly kind: 'ended'; readonly result: BacktestResult }
  | { readonly kind: 'again'; goOn(): void };
