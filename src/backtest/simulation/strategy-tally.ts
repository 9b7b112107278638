/** Counts what became of one strategy's intents, so that a run in which it did not trade can say why. */

import type { RefusalCode } from '../../core/refusal.ts';

/** The counts alone. */
export type StrategyCounts = Omit<StrategyTally, 'refuse' | 'reject'>;

export class StrategyTally {
  /** Markets that it watched. */
  watched = 0;
  sent = 0;
  rejected = 0;
  /** Orders matched at least in part in any bound. */
  matched = 0;
  halted = false;
  readonly refusals = new Map<RefusalCode, number>();
  readonly rejections = new Map<string, number>();

  refuse(code: RefusalCode): void {
    addCount(this.refusals, code, 1);
  }

  reject(code: string): void {
    this.rejected += 1;
    addCount(this.rejections, code, 1);
  }
}

/** Counts so many more of a code. */
export function addCount<Code>(counts: Map<Code, number>, code: Code, times: number): void {
  counts.set(code, (counts.get(code) ?? 0) + times);
}

/** The tallies of one strategy over several pieces of a run, added up. */
export function addedTallies(tallies: readonly StrategyCounts[]): StrategyCounts {
  const total = new StrategyTally();
  for (const tally of tallies) {
    total.watched += tally.watched;
    total.sent += tally.sent;
    total.rejected += tally.rejected;
    total.matched += tally.matched;
    total.halted ||= tally.halted;
    for (const [code, times] of tally.refusals) addCount(total.refusals, code, times);
    for (const [code, times] of tally.rejections) addCount(total.rejections, code, times);
  }
  return total;
}
