/**
 * The journal of a run: its records, and the interface for writing them. They hold enough to know, after any crash,
 * which orders may exist at the exchange.
 */

import type { Intent } from '../intent.ts';
import type { Money } from '../number/units.ts';
import type { RefusalCode } from '../refusal.ts';
import type { ReportedOrder, SentOrder } from './kept-order.ts';
import type { RunState } from './run-state.ts';
import type { HeartbeatState, TradingState } from './trading-state.ts';

/**
 * Where a run writes its records. `append` may keep them in memory; once `commit` returns, all appended records survive
 * the death of the process and of the machine. Both throw where the journal cannot be written: the caller then sends
 * nothing more.
 */
export interface Journal {
  /** `at` is the time on the run's clock, ms UTC. */
  append(at: number, record: JournalRecord): void;
  /** Does nothing where nothing was appended since the last commit. */
  commit(): void;
}

/**
 * Records name things by the exchange's ids and the configuration's names, never by indexes of one process. Amounts are
 * `Money`, ticks `Tick`.
 */
export type JournalRecord =
  /** The process started. */
  | {
      readonly kind: 'started';
      readonly run: string;
      readonly version: string;
      readonly mode: 'live' | 'paper';
      /** SHA-256 of the resolved configuration without its secrets. */
      readonly config: string;
      readonly strategies: readonly { readonly name: string; readonly sha256: string }[];
      /** What limits on amounts measure: what can be lost. Absent in older journals: the funds that the exchange asks for. */
      readonly limitsOn?: 'loss';
    }
  /** The state that all earlier records lead to: a later start reads from here. */
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
      /** Number of equal refusals since the last one that was recorded, this one included; absent for one. */
      readonly times?: number;
    }
  /**
   * The order was approved and may exist from now on. Committed before the request leaves. `eventName` is absent in
   * older journals.
   */
  | ({ readonly kind: 'sent'; readonly eventName?: string } & SentOrder)
  | { readonly kind: 'cancelSent'; readonly client: number }
  /** A part of the order was asked to be cancelled. Counted whole until a report says less. */
  | { readonly kind: 'reduceSent'; readonly client: number; readonly stake: Money }
  /** A request is sent, about these orders. */
  | { readonly kind: 'requested'; readonly request: RequestKind; readonly clients: readonly number[] }
  | {
      readonly kind: 'replied';
      readonly request: RequestKind;
      readonly clients: readonly number[];
      readonly outcome: string;
      readonly details?: string;
    }
  /** The order does not exist: the exchange refused it, or it was proven absent. */
  | { readonly kind: 'rejected'; readonly client: number; readonly code: string }
  | { readonly kind: 'unknown'; readonly client: number; readonly code: string }
  /** The whole state of the order after a fill, a cancellation or a settlement. */
  | ({ readonly kind: 'reported' } & ReportedOrder)
  /**
   * An order counted as absent (or, with `hadEnded`, as ended) is live after all: the next report counts, whatever was
   * known.
   */
  | { readonly kind: 'reappeared'; readonly client: number; readonly order: number; readonly hadEnded?: true }
  /** An order that this run did not place counts as its own from now on. */
  | ({ readonly kind: 'adopted'; readonly order: number; readonly foreignReference?: string } & SentOrder)
  | {
      readonly kind: 'settled';
      readonly market: string;
      readonly wallet: string;
      /** Profit net of commission; for a corrected result, the difference to the earlier one. */
      readonly profit: Money;
      /** Commission of the market so far, over all its results. */
      readonly commission: Money;
    }
  /** The market is closed and can change no more. */
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
      /** What asked for the change: a limit's name, `command`, `file`, `signal`, `recovery`. */
      readonly by: string;
    }
  | {
      readonly kind: 'phase';
      readonly from: string;
      readonly to: string;
      readonly cause: string;
      /**
       * When a strategy was first skipped, ms UTC, where a signal came while strategies were being called: none is
       * called after it.
       */
      readonly unaskedSince?: number;
    }
  | { readonly kind: 'strategyHalted'; readonly strategy: string; readonly code: string; readonly details: string }
  | { readonly kind: 'strategyLoaded'; readonly strategy: string; readonly sha256: string; readonly cause: string }
  /** A feed, the prices or the status of a market, or a wallet became older than its budget, or fresh again. */
  | {
      readonly kind: 'freshness';
      readonly feed: string;
      readonly market?: string;
      readonly wallet?: string;
      readonly isLate: boolean;
      readonly ageMs: number;
      readonly budgetMs: number;
    }
  /** New orders on the market are stopped or allowed again. */
  | {
      readonly kind: 'marketRisk';
      readonly market: string;
      readonly isOff: boolean;
      readonly cause: string;
      /** Present where the market is dark, or is so no more. */
      readonly dark?: DarkRules;
    }
  /** The ledger and the exchange disagree, and how that ended. */
  | {
      readonly kind: 'difference';
      readonly scope: 'order' | 'position' | 'wallet' | 'stray' | 'market';
      readonly id: string;
      readonly market?: string;
      readonly ours: string;
      readonly theirs: string;
      readonly verdict: 'seen' | 'gone' | 'lasting' | 'resolved';
    }
  /** Orders that are still live although their cancellation was requested; `left` is 0 once there are none. */
  | {
      readonly kind: 'withdrawal';
      readonly left: number;
      /**
       * Some or all of these orders. `order` is the exchange's id, once known. `asked` counts the cancellations
       * requested.
       */
      readonly orders: readonly {
        readonly client: number;
        readonly order: number | undefined;
        readonly market: string;
        readonly marketStatus: string;
        readonly asked: number;
      }[];
      /** There is no heartbeat that would have the exchange cancel them. */
      readonly isUnguarded?: true;
    }
  | { readonly kind: 'limits'; readonly limits: Readonly<Record<string, unknown>> }
  | { readonly kind: 'ended'; readonly cause: string; readonly liveOrders: number };

/** A record with its time on the run's clock, ms UTC. */
export interface TimedRecord {
  readonly at: number;
  readonly record: JournalRecord;
}

/** What becomes of orders that rest in a market of which too little is known. */
export interface DarkRules {
  readonly orders: 'cancel' | 'keep';
  /** Whether those that are to stay in play stay. */
  readonly sparesInPlay: boolean;
}

/** The code of an order whose request was lost and that is proven not to exist. */
export const PROVEN_ABSENT = 'PROVEN_ABSENT';

export type JournalKind = JournalRecord['kind'];

/** What explains a run. No start needs it: it is kept apart from what a run must not forget, and for a while only. */
export type ExplainingRecord = Extract<JournalRecord, { readonly kind: 'decided' | 'refused' }>;

export function explains(record: JournalRecord): record is ExplainingRecord {
  return record.kind === 'decided' || record.kind === 'refused';
}

type RequestKind = 'place' | 'cancel' | 'reduce' | 'heartbeat' | 'clearHeartbeat';
