/** The mean price at which each outcome was backed and laid, and whether it won: bets of one outcome and side are one. */

import type { Side } from '../../core/side.ts';
import type { Forecast } from '../../research/run/calibration.ts';
import type { BetSlots } from './bet-slots.ts';

/** `chance` is the one that the mean price gives. */
export interface TakenOutcome extends Forecast {
  /** The backers'. */
  readonly stake: number;
}

export class TakenPrices {
  readonly #slots: BetSlots;
  readonly #stake: Float64Array;
  /** Stake × price: what winning pays of it. */
  readonly #paid: Float64Array;

  constructor(slots: BetSlots) {
    this.#slots = slots;
    this.#stake = new Float64Array(slots.count);
    this.#paid = new Float64Array(slots.count);
  }

  add(slot: number, stake: number, price: number): void {
    this.#stake[slot]! += stake;
    this.#paid[slot]! += stake * price;
  }

  /** Outcomes without a result, and those of a dead heat, which neither won nor lost, are left out. */
  of(side: Side, winShare: Float64Array): readonly TakenOutcome[] {
    const taken: TakenOutcome[] = [];
    for (let slot = 0; slot < this.#slots.count; slot += 1) {
      const stake = this.#stake[slot]!;
      const share = winShare[slot >> 1]!;
      if (stake === 0 || this.#slots.sideOf(slot) !== side || (share !== 0 && share !== 1)) continue;
      const chance = stake / this.#paid[slot]!;
      taken.push({ eventGroup: this.#slots.groupOf(slot), chance, won: share === 1, stake });
    }
    return taken;
  }
}
