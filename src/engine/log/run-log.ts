/** Who is told of each step of a run, in order: the transcript, the counts, later the journal. */

import type { Intent } from '../../core/intent.ts';
import type { MarketState } from '../../core/market-state.ts';
import type { Money } from '../../core/number/units.ts';
import type { Refusal } from '../../core/refusal.ts';
import type { JournalRecord } from '../../core/run/journal.ts';
import type { OrderReport } from '../../exchange/gateway.ts';
import type { Why } from '../../strategy/contract.ts';
import type { OwnOrder } from '../ledger/own-order.ts';

/** Instants are the run's own time, ms UTC. Calls come in the order in which things happened. */
export interface RunLog {
  update(at: number, market: MarketState): void;
  decision(at: number, strategy: number, market: number, why: Why, intents: readonly Intent[]): void;
  refused(at: number, strategy: number, market: number, refusal: Refusal): void;
  sent(at: number, order: OwnOrder): void;
  cancelSent(at: number, order: OwnOrder): void;
  /** The exchange refused the order with one of its own codes, or the whole request failed. */
  rejected(at: number, order: OwnOrder, code: string): void;
  unknown(at: number, order: OwnOrder, code: string): void;
  reported(at: number, order: OwnOrder, report: OrderReport): void;
  /** The exchange has an order that was proven absent: its exposure counts again. Never to be passed over in silence. */
  reappeared(at: number, order: OwnOrder, report: OrderReport): void;
  settled(at: number, market: MarketState, wallet: number, profit: Money, commission: Money): void;
  halted(at: number, halt: StrategyHalt): void;
}

/** What only a run that owes real orders tells besides: its requests, its states, and what it found to differ. */
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
  /** What was thrown, for a stack that names the strategy's own file and line. */
  readonly error: unknown;
  /** The same in words, stack included, by the strategy's own lines. */
  readonly details: string;
}

/** Tells two listeners of every step, one after the other. */
export function bothLogs(first: RunLog, second: RunLog): RunLog {
  const both =
    <Step extends readonly unknown[]>(tell: (log: RunLog, ...step: Step) => void) =>
    (...step: Step): void => {
      tell(first, ...step);
      tell(second, ...step);
    };
  return {
    update: both<Parameters<RunLog['update']>>((log, ...step) => log.update(...step)),
    decision: both<Parameters<RunLog['decision']>>((log, ...step) => log.decision(...step)),
    refused: both<Parameters<RunLog['refused']>>((log, ...step) => log.refused(...step)),
    sent: both<Parameters<RunLog['sent']>>((log, ...step) => log.sent(...step)),
    cancelSent: both<Parameters<RunLog['cancelSent']>>((log, ...step) => log.cancelSent(...step)),
    rejected: both<Parameters<RunLog['rejected']>>((log, ...step) => log.rejected(...step)),
    unknown: both<Parameters<RunLog['unknown']>>((log, ...step) => log.unknown(...step)),
    reported: both<Parameters<RunLog['reported']>>((log, ...step) => log.reported(...step)),
    reappeared: both<Parameters<RunLog['reappeared']>>((log, ...step) => log.reappeared(...step)),
    settled: both<Parameters<RunLog['settled']>>((log, ...step) => log.settled(...step)),
    halted: both<Parameters<RunLog['halted']>>((log, ...step) => log.halted(...step)),
  };
}
