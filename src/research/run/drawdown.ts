/** Drawdown: how deep and how long the profit stood below its highest point. */

import type { Meaning } from '../figure/meaning.ts';
import type { Figures } from '../figure/moments.ts';

/** How deep and how long the profit stood below its highest point. Places count event groups: 0 is before the first of them, 1 after it. */
export interface Drawdown extends Meaning {
  readonly kind: 'drawdown';
  /** Largest fall from a highest point, in the unit of the profits; 0 where the profit never fell. */
  readonly depth: number;
  /** Place of the highest point before the largest fall. */
  readonly peak: number;
  /** Place of the lowest point of the largest fall. */
  readonly trough: number;
  /** Place where the largest fall was made up for; undefined if never. */
  readonly recovered: number | undefined;
  /** Most event groups in a row below an earlier highest point. */
  readonly longest: number;
  /** Whether the profit ends below its highest point. */
  readonly isOpen: boolean;
}

const DRAWDOWN_MEANING: Meaning = {
  says: 'Drawdown says how deep and how long the profit stood below its highest point in these events, in their order.',
  doesNotSay:
    'It is one draw of luck: the largest fall grows with the number of events although nothing becomes worse, and the ' +
    'next one may be deeper.',
};

/** `profits` are those of each event group, in the order of time. */
export function drawdownOf(profits: Figures): Drawdown {
  let high = 0;
  let highAt = 0;
  let total = 0;
  let worst = { depth: 0, peak: 0, trough: 0 };
  let recovered: number | undefined = 0;
  let longest = 0;
  for (let at = 0; at < profits.length; at += 1) {
    total += profits[at]!;
    if (total >= high) {
      high = total;
      highAt = at + 1;
      recovered ??= at + 1;
      continue;
    }
    longest = Math.max(longest, at + 1 - highAt);
    if (high - total > worst.depth) {
      worst = { depth: high - total, peak: highAt, trough: at + 1 };
      recovered = undefined;
    }
  }
  if (worst.depth === 0) recovered = undefined;
  return { kind: 'drawdown', ...worst, recovered, longest, isOpen: highAt < profits.length, ...DRAWDOWN_MEANING };
}
