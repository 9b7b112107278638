/** What happened in one simulated life: counts of everything worth reaching, and on demand the whole of it as lines. */

import type { Violation } from './violation.ts';

export interface Played {
  readonly seed: number;
  readonly violation: Violation | undefined;
  /** Of the journal: equal runs have equal heads. */
  readonly head: string;
  readonly records: number;
  readonly simulatedMs: number;
  readonly counts: ReadonlyMap<string, number>;
  readonly lines: readonly string[];
}

export class Story {
  readonly counts = new Map<string, number>();
  readonly lines: string[] = [];
  readonly #now: () => number;
  readonly #startedAt: number;
  /** Whether lines are kept at all: making them costs more than the simulation. */
  readonly isTold: boolean;

  constructor(parts: { readonly now: () => number; readonly isTold: boolean }) {
    this.#now = parts.now;
    this.#startedAt = parts.now();
    this.isTold = parts.isTold;
  }

  count(what: string, times = 1): void {
    this.counts.set(what, (this.counts.get(what) ?? 0) + times);
  }

  /** The text is made only where it is kept. */
  tell(text: () => string): void {
    if (this.isTold) this.lines.push(`${((this.#now() - this.#startedAt) / 1000).toFixed(3).padStart(8)}  ${text()}`);
  }
}

/** The sums of many lives. */
export function addCounts(total: Map<string, number>, more: Iterable<readonly [string, number]>): void {
  for (const [name, count] of more) total.set(name, (total.get(name) ?? 0) + count);
}
