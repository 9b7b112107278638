/** Turns the source's decimal prices into ticks: of the exchange's ladder, or of a market's own list of prices. */

import { decimalOfTick, TICK_COUNT, tick } from '../../../core/number/ladder.ts';
import { PRICE_SCALE } from '../../../core/number/units.ts';

/** Returned for a price that is not on the ladder. */
export const OFF_LADDER = -1;
/** Ticks are 16-bit on the tape. */
const MOST_PRICES = 32_767;

/** Finds the ticks of prices. */
export interface PriceScale {
  /** The tick of a price, or OFF_LADDER. */
  tickOf(decimal: number): number;
  /** A number by which ticks are ordered as their prices are. */
  rankOf(tick: number): number;
  /** The price of each tick in 10⁻³; absent where the ticks are the exchange's ladder. */
  readonly prices?: readonly number[];
}

const HUNDREDTHS = 100;
const tickByHundredth = new Int16Array(1000 * HUNDREDTHS + 1).fill(OFF_LADDER);
for (let index = 0; index < TICK_COUNT; index += 1) {
  tickByHundredth[Math.round(decimalOfTick(tick(index)) * HUNDREDTHS)] = index;
}

/** The 350 prices of the ladder. All are whole hundredths, so one array finds a price's tick. */
export const ODDS_SCALE: PriceScale = {
  tickOf(decimal) {
    const exact = decimal * HUNDREDTHS;
    const hundredths = Math.round(exact);
    if (Math.abs(exact - hundredths) > 1e-6) return OFF_LADDER;
    return tickByHundredth[hundredths] ?? OFF_LADDER;
  },
  rankOf: (tick) => tick,
};

/**
 * A market's own prices in the order in which they come, each new one the next tick: for lines, and for the finer
 * ladder of Asian handicaps.
 */
export class OwnPrices implements PriceScale {
  readonly prices: number[] = [];
  readonly #ticks = new Map<number, number>();

  tickOf(decimal: number): number {
    const thousandths = Math.round(decimal * PRICE_SCALE);
    const known = this.#ticks.get(thousandths);
    if (known !== undefined) return known;
    if (this.prices.length === MOST_PRICES) return OFF_LADDER;
    const next = this.prices.length;
    this.prices.push(thousandths);
    this.#ticks.set(thousandths, next);
    return next;
  }

  rankOf(tick: number): number {
    return this.prices[tick] ?? 0;
  }
}
