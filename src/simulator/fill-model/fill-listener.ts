/** What one of the answers tells of our orders while it happens. */

import type { Instant, Money, Price } from '../../core/number/units.ts';

/** Told of what happens to our orders in this answer, as it happens. */
export interface FillListener {
  filled(fill: ModelFill): void;
}

export interface ModelFill {
  readonly clientOrderId: number;
  readonly market: number;
  readonly price: Price;
  readonly stake: Money;
  readonly at: Instant;
}
