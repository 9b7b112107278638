/** Where an order of ours stands in the queue of its price: the uncertain parts, in amounts of stake. */

import { binaryLog, quarterPower } from '../../core/number/steady-math.ts';
import { MONEY_SCALE, mulDivCeil } from '../../core/number/units.ts';
import type { CancellationRule } from './fill-rules.ts';

/**
 * The recorded stake ahead of an order after its level fell from `from` to `to` without a trade: never more than before
 * or than the level holds, and never less than if all that left had stood ahead.
 */
export function aheadAfterFall(
  rule: CancellationRule,
  { ahead, from, to }: { readonly ahead: number; readonly from: number; readonly to: number },
): number {
  if (rule === 'pro-rata') return mulDivCeil(ahead, to, from);
  const least = Math.max(0, ahead - (from - to));
  const most = Math.min(ahead, to);
  if (rule === 'ahead') return least;
  if (rule === 'behind') return most;
  const left = Math.floor((from - to) * shareAhead(rule, ahead, from - ahead));
  return Math.min(most, Math.max(least, ahead - left));
}

/** The share of cancelled stake that stood ahead: f(ahead) ÷ (f(ahead) + f(behind)). */
function shareAhead(rule: 'log' | { readonly power: number }, ahead: number, behind: number): number {
  if (rule === 'log') {
    const before = binaryLog(1 + ahead / MONEY_SCALE);
    const after = binaryLog(1 + behind / MONEY_SCALE);
    return before + after === 0 ? 0 : before / (before + after);
  }
  // Computed from shares of the level, since high powers of amounts would leave the range of a double.
  const whole = ahead + behind;
  const before = quarterPower(ahead / whole, 4 * rule.power);
  const after = quarterPower(behind / whole, 4 * rule.power);
  return before + after === 0 ? 0 : before / (before + after);
}

/**
 * How far an order's own size can shift its place in the queue. Recorded stake that our order keeps from being matched
 * disappears on the tape but would have stayed in truth, and would stand in the way of what comes later. That is little
 * where the level is large, and twice the order where the order is as large as the level, by the measurements behind
 * docs/fidelity.md.
 */
export function marginOfSize(stake: number, level: number): number {
  return stake >= level ? 2 * stake : mulDivCeil(2 * stake, stake, level);
}
