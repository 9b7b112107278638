/** How a running bot keeps itself safe: heartbeat, comparison with the exchange, freshness, and its end. Times in ms. */

import type { FeedName } from '../../exchange/gateway.ts';

export interface BotSettings {
  /** Between two looks at what is due: heartbeat, freshness, comparison, deadlines. */
  readonly tickMs: number;
  /** Absent: none is armed, and orders do not need one. */
  readonly heartbeat?: HeartbeatSettings;
  readonly reconcile: ReconcileSettings;
  /** Age of a feed's last whole reading above which new orders stop; of prices, per market. */
  readonly freshness: Readonly<Record<FeedName, number>>;
  readonly end: {
    readonly orders: 'cancel' | 'keep';
    /** How long the fate of orders is waited for. */
    readonly deadlineMs: number;
  };
  /** Intents of one decision beyond this many are refused. */
  readonly intentsMax: number;
}

export interface HeartbeatSettings {
  /** 10,000 to 300,000 (profile section 4). */
  readonly timeoutMs: number;
  /** Refreshed only while the newest processed reading of prices and orders is younger than this. */
  readonly pollBudgetMs: number;
  readonly atEnd: 'clear' | 'keep';
}

export interface ReconcileSettings {
  readonly everyMs: number;
  /** A difference found in so many comparisons in a row, with nothing in flight, is one that lasts. */
  readonly lastingAfter: number;
  /** What becomes of orders in our wallets that the run did not place. */
  readonly foreignOrders: 'adopt' | 'cancel';
}
