/** Ends one strategy: its orders are cancelled, the event is told, the others go on. */

import type { Ledger, OnThrow } from './ledger/ledger.ts';
import type { StrategySeat } from './ledger/runtime.ts';
import type { Turn } from './ledger/turn.ts';
import type { RunLog, StrategyHalt } from './log/run-log.ts';

export function haltSeat(
  parts: { readonly ledger: Ledger; readonly turn: Turn; readonly log: RunLog },
  fault: Pick<StrategyHalt, 'market' | 'code' | 'error'> & { readonly seat: StrategySeat },
): void {
  const { ledger, turn, log } = parts;
  const { seat, ...told } = fault;
  ledger.haltStrategy(seat, turn);
  const details = seat.guest.describe(told.error);
  log.halted(turn.at, { ...told, details, strategy: seat.index, name: seat.plugin.name, at: turn.at });
}

/** Halts whoever throws when it is offered a market. */
export function onThrowIn(parts: { readonly ledger: Ledger; readonly log: RunLog }, turn: Turn, market = ''): OnThrow {
  return (seat, error) => haltSeat({ ...parts, turn }, { seat, market, code: 'STRATEGY_THROW', error });
}
