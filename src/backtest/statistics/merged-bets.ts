/** Bets of one outcome and side, each with a later price, merged to one that is worth the same: a run has millions of them. */

import type { PricedBet } from '../../research/run/closing-value.ts';
import type { BetSlots } from './bet-slots.ts';

/** Value at closing is a sum over bets of stake × (price ÷ closing − 1), so that the sums of three columns say it exactly. */
export class MergedBets {
  readonly #slots: BetSlots;
  readonly #stake: Float64Array;
  /** Stake × price. */
  readonly #paid: Float64Array;
  /** Stake × price ÷ closing. */
  readonly #worth: Float64Array;
  readonly #count: Float64Array;

  constructor(slots: BetSlots) {
    this.#slots = slots;
    this.#stake = new Float64Array(slots.count);
    this.#paid = new Float64Array(slots.count);
    this.#worth = new Float64Array(slots.count);
    this.#count = new Float64Array(slots.count);
  }

  add(slot: number, stake: number, price: number, closing: number): void {
    this.#stake[slot]! += stake;
    this.#paid[slot]! += stake * price;
    this.#worth[slot]! += (stake * price) / closing;
    this.#count[slot]! += 1;
  }

  /** One for each slot with bets: at their mean price, with the closing price that gives them their value. */
  bets(): readonly PricedBet[] {
    const merged: PricedBet[] = [];
    for (let slot = 0; slot < this.#slots.count; slot += 1) {
      const stake = this.#stake[slot]!;
      if (stake === 0) continue;
      const paid = this.#paid[slot]!;
      merged.push({
        eventGroup: this.#slots.groupOf(slot),
        side: this.#slots.sideOf(slot),
        price: paid / stake,
        stake,
        closing: paid / this.#worth[slot]!,
        bets: this.#count[slot]!,
      });
    }
    return merged;
  }
}
