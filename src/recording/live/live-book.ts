/** A live market as a recorder reads it: the bot's view of it, and what else its source may know. */

import type { LiquidityAction } from '../../core/market.ts';
import type { MarketState } from '../../core/market-state.ts';
import type { Instant, Money } from '../../core/number/units.ts';
import type { SideIndex } from '../../core/side.ts';

/** The outcomes never change: their numbers are their places in `facts.outcomes`. */
export interface LiveBook extends MarketState {
  readonly eventStartAction: LiquidityAction;
  /** Whether its result stands; its prices are not read any more then. */
  readonly isOver: boolean;
  /** When the newest prices were published; undefined where the source does not say. */
  readonly publishedAt: Instant | undefined;
  /** Backers' stake matched against orders that rested at a level, since the market opened. */
  matchedAt(outcome: number, side: SideIndex, tick: number): Money;
}
