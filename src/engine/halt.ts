/** Ends one strategy: its orders are cancelled, the event is told, the others go on. */

import type { Ledger, OnThrow } from './ledger/ledger.ts';
import type { Step } from './ledger/step.ts';
import type { StrategyInstance } from './ledger/strategy-in-market.ts';
import type { RunLog, StrategyHalt } from './log/run-log.ts';

export function haltInstance(
  parts: { readonly ledger: Ledger; readonly step: Step; readonly log: RunLog },
  fault: Pick<StrategyHalt, 'market' | 'code' | 'error'> & { readonly instance: StrategyInstance },
): void {
  const { ledger, step, log } = parts;
  const { instance, ...told } = fault;
  ledger.haltStrategy(instance, step);
  const details = instance.guest.describe(told.error);
  log.halted(step.at, { ...told, details, strategy: instance.index, name: instance.plugin.name, at: step.at });
}

/** Halts whoever throws when it is offered a market. */
export function onThrowIn(parts: { readonly ledger: Ledger; readonly log: RunLog }, step: Step, market = ''): OnThrow {
  return (instance, error) => haltInstance({ ...parts, step }, { instance, market, code: 'STRATEGY_THROW', error });
}
