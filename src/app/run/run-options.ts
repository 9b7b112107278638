/** The options of a live or paper run, and of a recording, after file, environment and defaults are resolved. */

import type { BacktestOptions, StrategyChoice } from '../../backtest/options/backtest-options.ts';
import type { Money } from '../../core/number/units.ts';
import type { BotSettings } from '../../engine/live/bot-settings.ts';
import type { FeedName } from '../../exchange/gateway.ts';
import type { FeedChoice, PricesChoice, Timeouts, WideWatch } from '../../exchange-live/settings.ts';
import type { ExplainLimits } from '../../journal/explain/explain-files.ts';
import type { Limits } from '../../risk/limits/limits.ts';
import type { AlertOptions } from './alert-options.ts';
import type { ExchangeAccess } from './exchange-choice.ts';

export type RunMode = 'live' | 'paper';

export interface RunOptions {
  readonly mode: RunMode;
  readonly exchange: ExchangeAccess;
  readonly currency: string;
  readonly strategies: readonly StrategyChoice[];
  /** The longest time that one call of a strategy may take. */
  readonly strategyTimeoutMs: number;
  readonly watch: WideWatch;
  /** The wallets in the order of the port's indexes. */
  readonly wallets: readonly RunWallet[];
  readonly feeds: Readonly<Record<Exclude<FeedName, 'prices'>, FeedChoice>> & { readonly prices: PricesChoice };
  readonly requestsPerSecond: number;
  readonly limits: Limits;
  readonly settings: BotSettings;
  readonly margins: Timeouts;
  readonly record: boolean;
  /** How much of what explains the run its journal keeps. */
  readonly explain: ExplainLimits;
  readonly reload: { readonly strategies: 'never' | 'whenFlat' };
  readonly skewMaxMs: number;
  /** If the exchange refuses the key for this long, the run ends, ms. */
  readonly refusedMs: number;
  /** Absent: metrics are not served. */
  readonly metricsPort: number | undefined;
  /** Absent: alerts are in the log alone. */
  readonly alerts: AlertOptions | undefined;
  /** Absent: there is no dashboard. */
  readonly dashboard: DashboardPlace | undefined;
  readonly paper: PaperOptions;
  /** State directory, as the user wrote it. */
  readonly dir: string;
  /** SHA-256 of all options but keys and what alerts are sent with, and the limits, which may be reloaded. */
  readonly sha256: string;
}

/** The host and the port on which a dashboard listens. */
export interface DashboardPlace {
  /** 0: any that is free. */
  readonly port: number;
  readonly host: string;
  /** Further names by which browsers reach it. */
  readonly hosts: readonly string[];
}

export interface RunWallet {
  readonly name: string;
  /** The exchange's; empty in a paper run that names none. */
  readonly id: string;
  readonly balance: Money;
}

export interface PaperOptions extends Pick<BacktestOptions, 'latency' | 'inPlayDelay' | 'commission' | 'seed'> {
  readonly fills: 'central' | 'pessimistic' | 'optimistic';
}

/** The options of a recording without a run. */
export interface RecordOptions {
  readonly exchange: ExchangeAccess;
  readonly currency: string;
  readonly watch: WideWatch;
  readonly feeds: { readonly markets: FeedChoice; readonly prices: FeedChoice };
  readonly requestsPerSecond: number;
  readonly commissionPpm: number;
  readonly out: string;
}
