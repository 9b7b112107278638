/** How recorded stake that we consumed comes back, by the fill model's rule. */

import { assert } from '../../core/checks/assert.ts';
import { halved } from '../../core/number/steady-math.ts';
import type { Instant } from '../../core/number/units.ts';
import type { RefillRule } from './fill-rules.ts';
import type { QueuedOrders } from './queued-orders.ts';

interface Missing {
  stake: number;
  at: Instant;
}

/** One for each overlay; it changes the consumed stake in the overlay's queues. */
export class Refill {
  readonly #rule: RefillRule;
  readonly #queues: QueuedOrders;
  readonly #now: () => Instant;
  /**
   * Used with a half-life: by level, the stake that has not come back yet. Stake comes back with the market's next
   * update.
   */
  readonly #missing = new Map<number, Missing>();
  /** Whether stake has come back that may cross orders of ours. */
  hasCome = false;

  /** `now`: the exchange's time, which a half-life needs. */
  constructor(rule: RefillRule, queues: QueuedOrders, now: (() => Instant) | undefined) {
    assert(typeof rule === 'string' || now !== undefined, 'a half-life counts in the time of an exchange');
    this.#rule = rule;
    this.#queues = queues;
    this.#now = now ?? (() => 0 as Instant);
  }

  /** Notes that we consumed stake of a level. */
  consumeStake(cell: number, stake: number): void {
    this.#queues.addConsumed(cell, stake);
    if (typeof this.#rule === 'string') return;
    const at = this.#now();
    const missing = this.#missing.get(cell);
    const before = this.#queues.consumedAt(cell) - stake;
    // What the level lost since it was consumed is not missing any more. An idle model did not see those updates.
    const still = missing === undefined ? 0 : Math.min(before, this.#left(missing, at));
    this.#missing.set(cell, { stake: stake + still, at });
  }

  /** Begins an update: stake that has come back with time is added. */
  updateBegins(): void {
    if (this.#missing.size === 0) return;
    const now = this.#now();
    for (const [cell, missing] of [...this.#missing]) {
      missing.stake = Math.min(this.#queues.consumedAt(cell), this.#left(missing, now));
      missing.at = now;
      this.#come(cell, missing.stake);
      if (this.#queues.consumedAt(cell) === 0) this.#missing.delete(cell);
    }
  }

  /** The recording sets a level. */
  levelChanges(cell: number): void {
    if (this.#rule === 'next-change') this.#come(cell, 0);
  }

  clear(): void {
    this.#missing.clear();
    this.hasCome = false;
  }

  /** Makes all but `missing` of what we consumed of a level available again. */
  #come(cell: number, missing: number): void {
    if (this.#queues.consumedAt(cell) <= missing) return;
    this.#queues.capConsumed(cell, missing);
    this.hasCome = true;
  }

  #left({ stake, at }: Missing, now: Instant): number {
    return typeof this.#rule === 'string' ? stake : Math.floor(stake * halved((now - at) / this.#rule.halfLifeMs));
  }
}
