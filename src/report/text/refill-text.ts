/** The interval from `central` to `refilled` as text: it cannot be known how much of the stake that was taken others put there again. */

import type { ByBound } from '../../result/figures/bounds.ts';
import type { Profit } from '../../result/result.ts';
import { amount, signed } from '../../words/numbers.ts';

/** Undefined where the run has no `refilled` bound (`fillRules.refill: never`). */
export function refillText({ central, refilled }: ByBound<Profit>): string | undefined {
  if (refilled === undefined) return undefined;
  const net = ends(central.profitNet, refilled.profitNet, signed);
  const matched = ends(central.stakeMatched, refilled.stakeMatched, amount);
  return `if what was taken comes back, from not at all to as configured: net profit ${net}, stake matched ${matched}`;
}

function ends(never: number, refilled: number, text: (value: number) => string): string {
  return never === refilled ? text(never) : `${text(never)} … ${text(refilled)}`;
}
