/** Counts what became of one strategy's wishes, so that a run in which nothing came of them can say why. */

import type { RefusalCode } from '../../../core/refusal.ts';

export class StrategyTally {
  /** Markets that it was offered and watched. */
  watched = 0;
  sent = 0;
  rejected = 0;
  /** Orders matched at least in part in any of the answers. */
  matched = 0;
  halted = false;
  readonly refusals = new Map<RefusalCode, number>();
  readonly rejections = new Map<string, number>();

  refuse(code: RefusalCode): void {
    this.refusals.set(code, (this.refusals.get(code) ?? 0) + 1);
  }

  reject(code: string): void {
    this.rejected += 1;
    this.rejections.set(code, (this.rejections.get(code) ?? 0) + 1);
  }
}

/** One strategy over several pieces of a run. */
export function addedTallies(tallies: readonly StrategyTally[]): StrategyTally {
  const total = new StrategyTally();
  for (const tally of tallies) {
    total.watched += tally.watched;
    total.sent += tally.sent;
    total.rejected += tally.rejected;
    total.matched += tally.matched;
    total.halted ||= tally.halted;
    for (const [code, times] of tally.refusals) total.refusals.set(code, (total.refusals.get(code) ?? 0) + times);
    for (const [code, times] of tally.rejections) total.rejections.set(code, (total.rejections.get(code) ?? 0) + times);
  }
  return total;
}
