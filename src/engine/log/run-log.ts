/** The events of a run in the order in which they happen, and the interface of what receives them. */

import type { Intent } from '../../core/intent.ts';
import type { MarketState } from '../../core/market-state.ts';
import type { Money } from '../../core/number/units.ts';
import type { Refusal } from '../../core/refusal.ts';
import type { JournalRecord } from '../../core/run/journal.ts';
import type { OrderReport } from '../../exchange/gateway.ts';
import type { Why } from '../../strategy/contract.ts';
import type { OwnOrder } from '../ledger/own-order.ts';

/** What happened in a run, but for changes of a market's state. Strategies, markets and wallets are named by their indexes. */
export type RunEvent = {
  /** The run's own time, ms UTC. */
  readonly at: number;
} & (
  | {
      readonly kind: 'decided';
      readonly strategy: number;
      readonly market: number;
      readonly why: Why;
      readonly intents: readonly Intent[];
    }
  /** `intent` as the strategy gave it: checked for nothing, so that any field may hold anything. */
  | {
      readonly kind: 'refused';
      readonly strategy: number;
      readonly market: number;
      readonly refusal: Refusal;
      readonly intent: Intent;
    }
  /** `market` as it was when the order was judged, which is as its strategy saw it. */
  | { readonly kind: 'sent'; readonly order: OwnOrder; readonly market: MarketState }
  | { readonly kind: 'cancelSent'; readonly order: OwnOrder }
  /** A part of the order was asked to be cancelled. */
  | { readonly kind: 'reduceSent'; readonly order: OwnOrder; readonly stake: Money }
  /** The exchange refused the order with one of its own codes, or the request as a whole failed. */
  | { readonly kind: 'rejected'; readonly order: OwnOrder; readonly code: string }
  /** It is not known whether the request reached the exchange. */
  | { readonly kind: 'unknown'; readonly order: OwnOrder; readonly code: string }
  | { readonly kind: 'reported'; readonly order: OwnOrder; readonly report: OrderReport }
  /** An order that was proven absent, or had ended, lives at the exchange: its exposure counts again. Every log must show it. */
  | { readonly kind: 'reappeared'; readonly order: OwnOrder; readonly report: OrderReport }
  | {
      readonly kind: 'settled';
      readonly market: MarketState;
      readonly wallet: number;
      readonly profit: Money;
      readonly commission: Money;
    }
  | { readonly kind: 'halted'; readonly halt: StrategyHalt }
  /** A value that a strategy plotted, during a call of it and before what it decided there; NaN where its line ends. */
  | {
      readonly kind: 'plotted';
      readonly strategy: number;
      readonly market: number;
      readonly name: string;
      readonly value: number;
    }
);

/** A run event of the named kinds. */
export type EventOf<Kind extends RunEvent['kind']> = Extract<RunEvent, { readonly kind: Kind }>;

/** Receives the events of a run in the order in which they happen. */
export interface RunLog {
  logEvent(event: RunEvent): void;
  /**
   * A market's prices, status or facts changed at `at`, ms UTC. Nearly all that happens in a backtest is this, so it is a
   * call of its own, for which no object is made.
   */
  logUpdate(at: number, market: MarketState): void;
}

/** Receives what only a live or paper run reports besides: its requests, its states, and differences from the exchange. */
export interface NoteLog {
  noted(at: number, note: RunNote): void;
}

export type RunNote = Extract<
  JournalRecord,
  {
    readonly kind:
      | 'requested'
      | 'replied'
      | 'adopted'
      | 'wallet'
      | 'marketDone'
      | 'heartbeat'
      | 'trading'
      | 'phase'
      | 'strategyLoaded'
      | 'freshness'
      | 'marketRisk'
      | 'difference'
      | 'withdrawal'
      | 'limits'
      | 'checkpoint'
      | 'ended';
  }
>;

export interface StrategyHalt {
  readonly strategy: number;
  readonly name: string;
  readonly code: 'STRATEGY_THROW' | 'STRATEGY_BAD_RESULT' | 'STRATEGY_STUCK';
  readonly market: string;
  readonly at: number;
  /** What the strategy threw; its stack names the strategy's own file and line. */
  readonly error: unknown;
  /** Text of what was thrown, with the stack in the strategy's own file. */
  readonly details: string;
}

/** Passes every event to two logs, one after the other. */
export function bothLogs(first: RunLog, second: RunLog): RunLog {
  return {
    logEvent(event) {
      first.logEvent(event);
      second.logEvent(event);
    },
    logUpdate(at, market) {
      first.logUpdate(at, market);
      second.logUpdate(at, market);
    },
  };
}
