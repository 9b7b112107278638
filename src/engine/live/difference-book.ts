/** Follows differences from comparison to comparison: one that is seen once may be in motion, one that is found several times lasts. */

import type { Difference } from './reconcile.ts';

export interface DifferenceChange {
  readonly difference: Difference;
  readonly verdict: 'seen' | 'lasting' | 'gone';
}

interface Followed {
  difference: Difference;
  times: number;
}

export class DifferenceBook {
  readonly #lastingAfter: number;
  readonly #followed = new Map<string, Followed>();

  constructor(lastingAfter: number) {
    this.#lastingAfter = lastingAfter;
  }

  /** How many differences were found and do not last yet: the next comparison will show. */
  get open(): number {
    let count = 0;
    for (const { times } of this.#followed.values()) if (times < this.#lastingAfter) count += 1;
    return count;
  }

  get lasting(): readonly Difference[] {
    return [...this.#followed.values()]
      .filter(({ times }) => times >= this.#lastingAfter)
      .map(({ difference }) => difference);
  }

  /** The first difference that lasts in each market. */
  get marketsOff(): ReadonlyMap<string, Difference> {
    const off = new Map<string, Difference>();
    for (const difference of this.lasting) if (!off.has(difference.marketId)) off.set(difference.marketId, difference);
    return off;
  }

  /** Takes the result of a comparison, and returns what changed. `moving`: markets whose positions could not be compared. */
  compared(found: readonly Difference[], moving: ReadonlySet<string>): readonly DifferenceChange[] {
    const changes: DifferenceChange[] = [];
    const keys = new Set<string>();
    for (const difference of found) {
      const key = `${difference.scope} ${difference.id}`;
      keys.add(key);
      const before = this.#followed.get(key);
      // With other figures it is another difference, which may be about to disappear. What lasts does so until it is gone.
      const goesOn =
        before !== undefined && (before.times >= this.#lastingAfter || isSame(before.difference, difference));
      const times = goesOn ? before.times + 1 : 1;
      this.#followed.set(key, { difference, times });
      if (before === undefined) changes.push({ difference, verdict: 'seen' });
      if (times === this.#lastingAfter) changes.push({ difference, verdict: 'lasting' });
    }
    for (const [key, { difference }] of this.#followed) {
      if (keys.has(key) || (difference.scope === 'position' && moving.has(difference.marketId))) continue;
      this.#followed.delete(key);
      changes.push({ difference, verdict: 'gone' });
    }
    return changes;
  }
}

/** Each bet that is matched moves both sides of a position: its difference is the same while they are as far apart. */
function isSame(a: Difference, b: Difference): boolean {
  if (a.gap !== undefined && b.gap !== undefined) return Math.abs(a.gap.by - b.gap.by) <= b.gap.rounding;
  return a.ours === b.ours && a.theirs === b.theirs;
}
