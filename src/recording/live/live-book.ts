/** A live market as a recorder reads it: the bot's view of it, and what else its source may know. */

import type { LiquidityAction } from '../../core/market.ts';
import type { MarketState } from '../../core/market-state.ts';
import type { Instant, Money } from '../../core/number/units.ts';
import type { SideIndex } from '../../core/side.ts';

/** Outcomes never change: their number is that of `facts.outcomes`. */
export interface LiveBook extends MarketState {
  readonly eventStartAction: LiquidityAction;
  /** Its result stands; its prices are read no more. */
  readonly isOver: boolean;
  /** When the newest prices were published, where the source says so. */
  readonly publishedAt: Instant | undefined;
  /** Backers' stake matched against orders that rested at a level, since the market opened. */
  matchedAt(outcome: number, side: SideIndex, tick: number): Money;
}
