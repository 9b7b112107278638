/** What comes back of the crowd stake that we ate, by the lane's rule. */

import { assert } from '../../core/checks/assert.ts';
import { halved } from '../../core/number/steady-math.ts';
import type { Instant } from '../../core/number/units.ts';
import type { RefillRule } from './fill-rules.ts';
import type { QueuedOrders } from './queued-orders.ts';

interface Missing {
  stake: number;
  at: Instant;
}

export class Refill {
  readonly #rule: RefillRule;
  readonly #queues: QueuedOrders;
  readonly #now: () => Instant;
  /** Under a half-life: what of a level has not come back. It is seen to be back with the market's next update. */
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

  /** We eat stake of a level. */
  consumeStake(cell: number, stake: number): void {
    this.#queues.addConsumed(cell, stake);
    if (typeof this.#rule === 'string') return;
    const at = this.#now();
    const missing = this.#missing.get(cell);
    const before = this.#queues.consumedAt(cell) - stake;
    // What the level lost since it was taken is not missing any more; an idle lane was not told of it.
    const still = missing === undefined ? 0 : Math.min(before, this.#left(missing, at));
    this.#missing.set(cell, { stake: stake + still, at });
  }

  /** An update begins: what comes back in time has come until now. */
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

  /** So much is still missing, and the rest is there again. */
  #come(cell: number, missing: number): void {
    if (this.#queues.consumedAt(cell) <= missing) return;
    this.#queues.capConsumed(cell, missing);
    this.hasCome = true;
  }

  #left({ stake, at }: Missing, now: Instant): number {
    return typeof this.#rule === 'string' ? stake : Math.floor(stake * halved((now - at) / this.#rule.halfLifeMs));
  }
}
