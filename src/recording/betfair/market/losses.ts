/** Counts, by name, what a market's import could not keep, so that every loss is reported. */

/**
 * What can be lost:
 *
 * - levelsOffLadder, tradesOffLadder, lastPricesOffLadder: at prices that are none of the 350, which Betfair shows
 *   after a removal relabelled them.
 * - risesOffTouch: rises of traded volume, too large for a revaluation, at prices that the book excludes.
 * - impossibleFactors: reduction factors of removed runners below 0 or from 100 % on, by which no price can be reduced.
 * - risesInImages: rises of traded volume seen only in an image in mid-recording: not new volume, but not explained.
 */
export type Loss =
  | 'levelsOffLadder'
  | 'tradesOffLadder'
  | 'lastPricesOffLadder'
  | 'impossibleFactors'
  | 'risesOffTouch'
  | 'risesInImages';

/** Counters by name. */
export class Losses {
  readonly #counts = new Map<Loss, number>();

  add(name: Loss, count = 1): void {
    if (count > 0) this.#counts.set(name, (this.#counts.get(name) ?? 0) + count);
  }

  get isEmpty(): boolean {
    return this.#counts.size === 0;
  }

  get counts(): Readonly<Record<string, number>> {
    return Object.fromEntries([...this.#counts].sort(([a], [b]) => (a < b ? -1 : 1)));
  }
}
