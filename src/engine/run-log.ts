/** Who is told of each step of a run, in order: the transcript, the counts, later the journal. */

import type { MarketState } from '../core/market-state.ts';
import type { Refusal } from '../core/refusal.ts';
import type { Money } from '../core/units.ts';
import type { OrderReport } from '../exchange/gateway.ts';
import type { Why } from '../strategy/contract.ts';
import type { OwnOrder } from './own-order.ts';

/** Instants are the run's own time, ms UTC. Calls come in the order in which things happened. */
export interface RunLog {
  update(at: number, market: MarketState): void;
  decision(at: number, strategy: number, market: number, why: Why, intents: number): void;
  refused(at: number, strategy: number, market: number, refusal: Refusal): void;
  sent(at: number, order: OwnOrder): void;
  cancelSent(at: number, order: OwnOrder): void;
  /** The exchange refused the order with one of its own codes, or the whole request failed. */
  rejected(at: number, order: OwnOrder, code: string): void;
  unknown(at: number, order: OwnOrder, code: string): void;
  reported(at: number, order: OwnOrder, report: OrderReport): void;
  settled(at: number, market: MarketState, wallet: number, profit: Money, commission: Money): void;
  halted(at: number, halt: StrategyHalt): void;
}

export interface StrategyHalt {
  readonly strategy: number;
  readonly name: string;
  readonly code: 'STRATEGY_THREW' | 'STRATEGY_STREAM_ENDED' | 'STRATEGY_BAD_RESULT';
  readonly market: string;
  /** What was thrown, for a stack that names the strategy's own file and line. */
  readonly error: unknown;
}
