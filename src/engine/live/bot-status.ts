/** A running bot at a glance, as plain data: what `oddsmith status --json` prints. Amounts are decimals, times ms UTC. */

import type { HeartbeatState, TradingState } from '../../core/run/trading-state.ts';
import type { FeedName } from '../../exchange/gateway.ts';
import type { LeftOrder } from '../withdrawal.ts';

/** `recovering`: feeds are read, and the ledger is compared with the exchange. `arming`: the heartbeat is not active yet. */
export const PHASES = ['recovering', 'arming', 'trading', 'ending', 'ended'] as const;
export type Phase = (typeof PHASES)[number];

export interface BotStatus {
  readonly run: string;
  readonly at: number;
  readonly startedAt: number;
  readonly phase: Phase;
  /** What the phase waits for. */
  readonly waitsFor: string | undefined;
  /** Why the run's clock is not trusted; until it is, or until a new start, nothing is placed and `resume` is refused. */
  readonly clockDoubt: string | undefined;
  readonly trading: TradingState;
  readonly tradingCause: string;
  readonly heartbeat: HeartbeatState;
  readonly markets: number;
  readonly marketsOff: readonly { readonly market: string; readonly cause: string }[];
  readonly orders: { readonly live: number; readonly unknown: number; readonly inFlight: number };
  /** Orders that are to end (a halt, the run's end) and are live although their cancellation was asked for several times. */
  readonly ordersLeft: readonly LeftOrder[];
  readonly strategies: readonly {
    readonly name: string;
    readonly isHalted: boolean;
    readonly liveOrders: number;
    /** The most that its positions can lose, whatever is filled and whichever outcomes win, in the wallet's currency. */
    readonly worstLoss: number;
  }[];
  readonly wallets: readonly {
    readonly name: string;
    readonly balance: number;
    readonly balanceAvailable: number;
    readonly worstLoss: number;
    /** What the exchange holds for its bets, `worstLoss` or more; a daemon of an older version does not say it. */
    readonly requiredFunds?: number;
    /** How long it could not be read, ms, if that is longer than allowed: nothing new is placed from it. */
    readonly unreadMs?: number;
  }[];
  readonly results: { readonly today: number; readonly total: number; readonly drawdown: number };
  readonly feeds: readonly {
    readonly feed: FeedName;
    readonly readAt: number | undefined;
    readonly budgetMs: number;
    readonly isLate: boolean;
  }[];
  /** Bets of others in our wallets that are left alone (`reconcile.foreignOrders: leave`), open ones and matched ones without a result; absent where there are none. */
  readonly othersOrders?: {
    readonly orders: number;
    /** Those that may still match. */
    readonly live: number;
    /** Matched and unmatched stake. */
    readonly stake: number;
    /** The exchange's ids. */
    readonly markets: readonly string[];
  };
  /** Comparisons of ledger and exchange: how many, when the last was equal, and the differences that last. */
  readonly reconciliation: {
    readonly done: number;
    readonly equalAt: number | undefined;
    readonly differences: readonly string[];
  };
}
