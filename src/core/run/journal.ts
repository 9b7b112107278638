/** What is kept of a run, in order, and the port to where it is kept: enough to know after any death what is owed. */

import type { Intent } from '../intent.ts';
import type { Money } from '../number/units.ts';
import type { RefusalCode } from '../refusal.ts';
import type { ReportedOrder, SentOrder } from './kept-order.ts';
import type { RunState } from './run-state.ts';
import type { HeartbeatState, TradingState } from './trading-state.ts';

/**
 * Where a run writes. `append` may only remember; after `commit` returns, all that was appended before it survives the
 * death of the process and of the machine. What cannot be written is thrown: the caller sends nothing after that.
 */
export interface Journal {
  /** `at`: the run's own time, ms UTC. */
  append(at: number, record: JournalRecord): void;
  /** Does nothing where nothing was appended since the last. */
  commit(): void;
}

/** The exchange's ids and the configuration's names, never the indexes of one process. Amounts are `Money`, ticks `Tick`. */
export type JournalRecord =
  /** Each start of the process. */
  | {
      readonly kind: 'started';
      readonly run: string;
      readonly version: string;
      readonly mode: 'live' | 'paper';
      /** SHA-256 of the resolved configuration without its secrets. */
      readonly config: string;
      readonly strategies: readonly { readonly name: string; readonly sha256: string }[];
    }
  /** All that the records before it amount to: a later start reads from here. */
  | { readonly kind: 'checkpoint'; readonly state: RunState }
  | {
      readonly kind: 'decided';
      readonly strategy: string;
      readonly market: string;
      readonly why: string;
      readonly intents: readonly Intent[];
    }
  | {
      readonly kind: 'refused';
      readonly strategy: string;
      readonly market: string;
      readonly code: RefusalCode;
      readonly limit?: number;
      readonly value?: number;
      readonly wouldBe?: number;
      readonly until?: number;
      /** So many like it, since the last one that was kept; absent for one. */
      readonly times?: number;
    }
  /** Approved: from here on it may exist. Committed before its bytes leave. `eventName` is absent in older journals. */
  | ({ readonly kind: 'sent'; readonly eventName?: string } & SentOrder)
  | { readonly kind: 'cancelSent'; readonly client: number }
  /** A request leaves, with the orders in it. */
  | { readonly kind: 'requested'; readonly request: RequestKind; readonly clients: readonly number[] }
  | {
      readonly kind: 'replied';
      readonly request: RequestKind;
      readonly clients: readonly number[];
      readonly outcome: string;
      readonly details?: string;
    }
  /** Refused by the exchange, or proven absent: nothing of it exists. */
  | { readonly kind: 'rejected'; readonly client: number; readonly code: string }
  | { readonly kind: 'unknown'; readonly client: number; readonly code: string }
  /** A fill, a cancellation, a settlement: all there is to know of the order now. */
  | ({ readonly kind: 'reported' } & ReportedOrder)
  /** Taken for absent, or `hadEnded`, and lives all the same: the next report counts, whatever was known. */
  | { readonly kind: 'reappeared'; readonly client: number; readonly order: number; readonly hadEnded?: true }
  /** An order that this run did not place now counts as its own. */
  | ({ readonly kind: 'adopted'; readonly order: number; readonly foreignReference?: string } & SentOrder)
  | {
      readonly kind: 'settled';
      readonly market: string;
      readonly wallet: string;
      /** Net of commission; of another result, the difference. */
      readonly profit: Money;
      /** Of the market so far, all its results together. */
      readonly commission: Money;
    }
  /** Closed for good: nothing of it can change any more. */
  | { readonly kind: 'marketDone'; readonly market: string }
  | { readonly kind: 'wallet'; readonly wallet: string; readonly balance: Money; readonly balanceAvailable: Money }
  | {
      readonly kind: 'heartbeat';
      readonly from: HeartbeatState;
      readonly to: HeartbeatState;
      readonly cause: string;
    }
  | {
      readonly kind: 'trading';
      readonly from: TradingState;
      readonly to: TradingState;
      readonly cause: string;
      /** Who asked: a limit's name, `command`, `file`, `signal`, `recovery`. */
      readonly by: string;
    }
  | {
      readonly kind: 'phase';
      readonly from: string;
      readonly to: string;
      readonly cause: string;
      /** When a strategy was left out first, where a signal came in the middle of a turn: none is asked after it. */
      readonly unaskedSince?: number;
    }
  | { readonly kind: 'strategyHalted'; readonly strategy: string; readonly code: string; readonly details: string }
  | { readonly kind: 'strategyLoaded'; readonly strategy: string; readonly sha256: string; readonly cause: string }
  /** A feed or a market's prices older than its budget, or fresh again. */
  | {
      readonly kind: 'freshness';
      readonly feed: string;
      readonly market?: string;
      readonly isLate: boolean;
      readonly ageMs: number;
      readonly budgetMs: number;
    }
  /** New orders on the market stop, or may go on. */
  | { readonly kind: 'marketRisk'; readonly market: string; readonly isOff: boolean; readonly cause: string }
  /** Ledger and exchange disagreed, and what came of it. */
  | {
      readonly kind: 'difference';
      readonly scope: 'order' | 'position' | 'wallet' | 'stray' | 'market';
      readonly id: string;
      readonly market?: string;
      readonly ours: string;
      readonly theirs: string;
      readonly verdict: 'seen' | 'gone' | 'lasting' | 'resolved';
    }
  /** Orders that are to end and live on although their cancellation was asked for; none any more where `left` is 0. */
  | {
      readonly kind: 'withdrawal';
      readonly left: number;
      /** As many as are named. `order`: the exchange's id, once known. */
      readonly orders: readonly {
        readonly client: number;
        readonly order: number | undefined;
        readonly market: string;
        readonly marketStatus: string;
        readonly asked: number;
      }[];
    }
  | { readonly kind: 'limits'; readonly limits: Readonly<Record<string, unknown>> }
  | { readonly kind: 'ended'; readonly cause: string; readonly liveOrders: number };

/** The code of an order that was lost on its way, and is proven not to exist. */
export const PROVEN_ABSENT = 'PROVEN_ABSENT';

export type JournalKind = JournalRecord['kind'];

type RequestKind = 'place' | 'cancel' | 'heartbeat' | 'clearHeartbeat';
