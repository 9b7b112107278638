/** The second interval: what comes back of stake that was taken is as little known as the place in a queue. */

import { amount, signed } from '../numbers.ts';
import type { ByBound, Profit } from '../result.ts';

/** Undefined where it was not asked for. */
export function refillText({ central, refilled }: ByBound<Profit>): string | undefined {
  if (refilled === undefined) return undefined;
  const net = ends(central.profitNet, refilled.profitNet, signed);
  const matched = ends(central.stakeMatched, refilled.stakeMatched, amount);
  return `if what was taken comes back, from not at all to as configured: net profit ${net}, stake matched ${matched}`;
}

/** From what never comes back to what does. */
function ends(never: number, refilled: number, text: (value: number) => string): string {
  return never === refilled ? text(never) : `${text(never)} … ${text(refilled)}`;
}
