/** What the exposure book must know of a market and of an own order. */

import type { WinnersRange } from '../../core/market.ts';
import type { Tick } from '../../core/number/ladder.ts';
import type { Money } from '../../core/number/units.ts';
import type { Side } from '../../core/side.ts';

export interface ExposureMarket {
  readonly market: number;
  /** Markets of one event share its limit. */
  readonly event: string;
  readonly outcomes: number;
  readonly winners: WinnersRange;
}

/** The sums in which an own order counts. `strategy` and `wallet` are small indexes from 0. */
export interface ExposureOrder {
  readonly market: number;
  readonly strategy: number;
  readonly wallet: number;
  readonly outcome: number;
  readonly side: Side;
  /** The limit price. */
  readonly tick: Tick;
}

/** An order as it would be sent; an `OrderRequest` of the gateway is one. */
export interface JudgedOrder extends ExposureOrder {
  readonly stake: Money;
}
