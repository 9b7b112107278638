/** Counts what became of one strategy's intents, so that a run in which it did not trade can say why. */

import type { RefusalCode } from '../../core/refusal.ts';

/** The counts alone: plain data, which may be sent between threads. */
export type StrategyCounts = Omit<StrategyTally, 'refused' | 'reject' | 'counts'>;

export class StrategyTally {
  /** Markets that it watched. */
  watched = 0;
  sent = 0;
  rejected = 0;
  /** Orders matched at least in part in any bound. */
  matched = 0;
  halted = false;
  readonly refused = new CodeCounts<RefusalCode>();
  readonly rejections = new Map<string, number>();

  get refusals(): ReadonlyMap<RefusalCode, number> {
    return this.refused.times;
  }

  counts(): StrategyCounts {
    const { watched, sent, rejected, matched, halted, refusals, rejections } = this;
    return { watched, sent, rejected, matched, halted, refusals, rejections };
  }

  reject(code: string): void {
    this.rejected += 1;
    addCount(this.rejections, code, 1);
  }
}

/** How often each code came, in the order in which they first did. A code is looked up once at most, since a strategy may be refused at each update. */
export class CodeCounts<Code extends string> {
  readonly #cells = new Map<Code, { times: number }>();
  #lastCode: Code | undefined;
  #lastCell = { times: 0 };

  add(code: Code, times = 1): void {
    if (this.#lastCode !== code) {
      this.#lastCode = code;
      this.#lastCell = this.#cellOf(code);
    }
    this.#lastCell.times += times;
  }

  get times(): ReadonlyMap<Code, number> {
    return new Map([...this.#cells].map(([code, { times }]) => [code, times]));
  }

  #cellOf(code: Code): { times: number } {
    const known = this.#cells.get(code);
    if (known !== undefined) return known;
    const cell = { times: 0 };
    this.#cells.set(code, cell);
    return cell;
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
    for (const [code, times] of tally.refusals) total.refused.add(code, times);
    for (const [code, times] of tally.rejections) addCount(total.rejections, code, times);
  }
  return total.counts();
}
