/** Halts one strategy: its orders are cancelled, the halt is logged with its cause, and the other strategies go on. */

import { failureOf } from './guest/guest.ts';
import type { Ledger } from './ledger/ledger.ts';
import type { OnThrow } from './ledger/ledger-strategies.ts';
import type { Step } from './ledger/step.ts';
import type { StrategyInstance } from './ledger/strategy-in-market.ts';
import type { RunLog, StrategyHalt } from './log/run-log.ts';

export function haltInstance(
  parts: { readonly ledger: Ledger; readonly step: Step; readonly log: RunLog },
  fault: Pick<StrategyHalt, 'market' | 'code' | 'error'> & { readonly instance: StrategyInstance },
): void {
  const { ledger, step, log } = parts;
  const { at } = step;
  const { instance, ...what } = fault;
  ledger.haltStrategy(instance, step);
  const details = instance.guest.describe(what.error);
  const halt = { ...what, details, strategy: instance.index, name: instance.plugin.name, at };
  log.logEvent({ kind: 'halted', at, halt });
}

/** Halts a strategy that throws when it is asked whether it watches a market. */
export function onThrowIn(parts: { readonly ledger: Ledger; readonly log: RunLog }, step: Step, market = ''): OnThrow {
  return (instance, error) => haltInstance({ ...parts, step }, { instance, market, ...failureOf(error) });
}
