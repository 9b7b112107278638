/** What a live or paper run is told, after file, environment and defaults are resolved. */

import type { Money } from '../../core/number/units.ts';
import type { BotSettings } from '../../engine/live/bot-settings.ts';
import type { FeedName } from '../../exchange/gateway.ts';
import type { FeedChoice, Margins, MarketWatch, PricesChoice } from '../../exchange-live/settings.ts';
import type { Limits } from '../../risk/limits/limits.ts';
import type { LatencyModel } from '../../simulator/gateway/latency.ts';
import type { StrategyChoice } from './backtest-options.ts';

export type RunMode = 'live' | 'paper';

/** Where the exchange is, and as which app it is spoken to. */
export interface ExchangeAccess {
  readonly url: string;
  /** Absent where no feed is streamed. */
  readonly streamUrl: string | undefined;
  readonly appId: string;
  readonly apiKey: string;
}

export interface RunOptions {
  readonly mode: RunMode;
  readonly exchange: ExchangeAccess;
  readonly currency: string;
  readonly strategies: readonly StrategyChoice[];
  /** So long a strategy may take for one call. */
  readonly strategyTimeoutMs: number;
  readonly watch: MarketWatch;
  /** The index is the port's wallet. */
  readonly wallets: readonly RunWallet[];
  readonly feeds: Readonly<Record<Exclude<FeedName, 'prices'>, FeedChoice>> & { readonly prices: PricesChoice };
  readonly requestsPerSecond: number;
  readonly limits: Limits;
  readonly settings: BotSettings;
  readonly margins: Margins;
  readonly record: boolean;
  readonly reload: { readonly strategies: 'never' | 'whenFlat' };
  readonly skewMaxMs: number;
  /** So long a key is refused before it is taken for refused for good. */
  readonly refusedMs: number;
  /** Absent: no metrics are served. */
  readonly metricsPort: number | undefined;
  readonly paper: PaperOptions;
  /** State directory, as written. */
  readonly dir: string;
  /** SHA-256 of all of it but the key and the limits, which may be loaded again. */
  readonly sha256: string;
}

export interface RunWallet {
  readonly name: string;
  /** The exchange's; empty in a paper run that names none. */
  readonly id: string;
  readonly balance: Money;
}

export interface PaperOptions {
  readonly latency: LatencyModel;
  readonly fills: 'central' | 'pessimistic' | 'optimistic';
  readonly inPlayDelay: 'recorded' | { readonly ms: number };
  readonly commission: 'recorded' | { readonly ratePpm: number };
  readonly seed: number;
}
