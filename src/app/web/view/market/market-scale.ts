/** The prices of a recorded market, the lowest first: those of the exchange's ladder, or its own, which its tape has in the order in which they came. */

import { defined } from '../../../../core/checks/assert.ts';
import { decimalOfTick, TICK_COUNT, type Tick } from '../../../../core/number/ladder.ts';
import { PRICE_SCALE } from '../../../../core/number/units.ts';

export interface MarketScale {
  /** How many prices it has. */
  readonly size: number;
  /** The place among its prices of a tick that is below `size`. */
  placeOf(tick: number): number;
  decimalAt(place: number): number;
  /** Its prices in 10⁻³; undefined where they are the exchange's ladder. */
  readonly own: readonly number[] | undefined;
}

const LADDER: MarketScale = {
  size: TICK_COUNT,
  placeOf: (tick) => tick,
  decimalAt: (place) => decimalOfTick(place as Tick),
  own: undefined,
};

/** `prices`: as a tape describes a market; absent where its ticks are those of the ladder. */
export function scaleOf({ prices }: { readonly prices?: readonly number[] }): MarketScale {
  if (prices === undefined) return LADDER;
  const own = prices.toSorted((a, b) => a - b);
  const placeByPrice = new Map(own.map((price, place) => [price, place]));
  const places = prices.map((price) => placeByPrice.get(price) ?? 0);
  return {
    size: own.length,
    placeOf: (tick) => defined(places[tick], 'a tick of the market has a price'),
    decimalAt: (place) => defined(own[place], 'the place is one of the market') / PRICE_SCALE,
    own,
  };
}
