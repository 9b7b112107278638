/** How a fill model reports fills of the bot's orders. */

import type { Instant, Money, Price } from '../../core/number/units.ts';

/** Receives each fill of the bot's orders under one fill model, when it happens. */
export interface FillListener {
  filled(fill: ModelFill): void;
}

/** One fill. `clientOrderId` is the bot's number of the order. */
export interface ModelFill {
  readonly clientOrderId: number;
  readonly price: Price;
  readonly stake: Money;
  readonly at: Instant;
  /** The gateway's index of the market. */
  readonly market: number;
  readonly outcome: number;
}
