/** Limits that refuse no order: once one is reached, trading moves to another state, until it is resumed by hand. */

import { moneyToDecimal } from '../core/number/units.ts';
import { BY_DRAWDOWN, type RiskHistory } from '../core/run/risk-memory.ts';
import type { TradingState } from '../core/run/trading-state.ts';
import type { LimitKey, Limits } from './limits/limits.ts';

/** A change of the trading state that a limit asks for; the engine makes it, with `RiskState.moveTrading`, and journals it. */
export interface TradingMove {
  readonly to: TradingState;
  readonly cause: string;
  /** The limit's name. */
  readonly by: string;
}

export interface Stop<Limit = unknown> {
  readonly limit: LimitKey;
  /** The move that the limit asks for; undefined while it is not reached. */
  move(limit: Limit, history: RiskHistory): TradingMove | undefined;
}

export const STOPS = [
  stop('drawdown', ({ amount, action }, { drawdown }) => {
    if (drawdown < amount) return undefined;
    const cause = `the settled total is ${moneyToDecimal(drawdown)} below its highest, the limit is ${moneyToDecimal(amount)}`;
    return { to: action, cause, by: BY_DRAWDOWN };
  }),
] as const;

/** Limits that are enforced here. */
export type StopKey = (typeof STOPS)[number]['limit'];

function stop<Key extends LimitKey>(
  limit: Key,
  move: Stop<NonNullable<Limits[Key]>>['move'],
): Stop<NonNullable<Limits[Key]>> & { readonly limit: Key } {
  return { limit, move };
}
