/** Prices of a made market: fair odds that wander, and ladder prices around them. */

import { decimalOfTick, TICK_COUNT, tick, tickAtOrBelow } from '../../../src/core/number/ladder.ts';
import type { Random } from '../random.ts';

/** Chances of the outcomes; their sum is one. */
export class FairOdds {
  #weights: number[];

  constructor(outcomes: number, random: Random) {
    this.#weights = Array.from({ length: outcomes }, () => 0.25 + random.next());
  }

  wander(random: Random): void {
    this.#weights = this.#weights.map((weight) => Math.max(0.15, weight * (0.94 + 0.12 * random.next())));
  }

  /** The ladder price so many ticks away from the fair one. */
  price(outcome: number, ticksAway: number): number {
    const total = this.#weights.reduce((sum, weight) => sum + weight, 0);
    const fair = total / (this.#weights[outcome] ?? total);
    const at = tickAtOrBelow(Math.round(fair * 1_000)) + ticksAway;
    return decimalOfTick(tick(Math.min(TICK_COUNT - 1, Math.max(0, at))));
  }
}
