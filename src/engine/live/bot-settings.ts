/** Settings of a live or paper run: heartbeat, comparison with the exchange, freshness, and its end. Times in ms. */

import type { FeedName } from '../../exchange/gateway.ts';

export interface BotSettings {
  /** How often the run checks what is due: heartbeat, freshness, comparison, deadlines. */
  readonly tickMs: number;
  /** Absent: no heartbeat is armed, and orders do not need one. */
  readonly heartbeat?: HeartbeatSettings;
  readonly reconcile: ReconcileSettings;
  /** Above this age of a feed's last whole reading no new orders are placed; for prices, the age is each market's own. */
  readonly freshness: Readonly<Record<FeedName, number>>;
  readonly dark: DarkSettings;
  readonly end: {
    readonly orders: 'cancel' | 'keep';
    /** How long the end of the run waits for the fate of orders. */
    readonly deadlineMs: number;
  };
  /** Intents of one decision beyond this many are refused. */
  readonly intentsMax: number;
}

/** The feeds that say what orders of ours may do where they rest: what the market is, its prices, and what became of the orders. */
export type DarkFeed = Exclude<FeedName, 'wallets'>;

export interface DarkSettings {
  /** A market is dark where one of these was last known longer ago. None is less than the feed's freshness. */
  readonly afterMs: Readonly<Record<DarkFeed, number>>;
  /** What becomes of orders that rest in a dark market. */
  readonly orders: 'cancel' | 'keep';
}

export interface HeartbeatSettings {
  /** 10,000 to 300,000 (profile section 4). */
  readonly timeoutMs: number;
  /** The heartbeat is refreshed only while the last processed reading of prices and orders is younger than this. */
  readonly pollBudgetMs: number;
  readonly atEnd: 'clear' | 'keep';
}

export interface ReconcileSettings {
  readonly everyMs: number;
  /** A difference lasts if it is found in so many comparisons in a row, with nothing in flight. */
  readonly lastingAfter: number;
  /** What is done with orders in our wallets that the run did not place: they count as ours, are cancelled too, or are left alone. */
  readonly foreignOrders: 'adopt' | 'cancel' | 'leave';
}
