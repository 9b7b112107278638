/** Where an order of ours stands in the queue of its price: what is uncertain of it, in figures of stake. */

import { binaryLog, quarterPower } from '../../core/number/steady-math.ts';
import { MONEY_SCALE, mulDivCeil } from '../../core/number/units.ts';
import type { CancellationRule } from './fill-rules.ts';

/**
 * The crowd stake ahead of an order after its level fell without a trade: never more than before, nor than the level holds, and
 * never less than if all that left had stood ahead.
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

/** Of what was cancelled, the share that stood ahead: f(ahead) ÷ (f(ahead) + f(behind)). */
function shareAhead(rule: 'log' | { readonly power: number }, ahead: number, behind: number): number {
  if (rule === 'log') {
    const before = binaryLog(1 + ahead / MONEY_SCALE);
    const after = binaryLog(1 + behind / MONEY_SCALE);
    return before + after === 0 ? 0 : before / (before + after);
  }
  // Of the shares of the level, since high powers of amounts would leave the range of a double.
  const whole = ahead + behind;
  const before = quarterPower(ahead / whole, 4 * rule.power);
  const after = quarterPower(behind / whole, 4 * rule.power);
  return before + after === 0 ? 0 : before / (before + after);
}

/**
 * How far an order's own size can shift its place. Crowd stake that it keeps from being matched is gone on the tape and lives on
 * in truth, and stands in the way of what comes later: little beside a level that is large, twice the order where it is as
 * large as the level, by the measurements behind docs/fidelity.md.
 */
export function marginOfSize(stake: number, level: number): number {
  return stake >= level ? 2 * stake : mulDivCeil(2 * stake, stake, level);
}
