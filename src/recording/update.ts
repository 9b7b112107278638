/** One recorded update of one market, as columns that a cursor fills and reuses. */

import type { Instant } from '../core/units.ts';

/** A change of the market's definition: `amount` is the index in `Tape.definitions(market)`. */
export const DEFINITION = 0;
/** Volume newly traded at a price, in backer's stake (both-sides figures are halved on import). `side` is unused. */
export const TRADE = 1;
/** The crowd's stake now resting at a level: `side` is the resting side, `amount` absolute, 0 removes the level. */
export const LEVEL = 2;
/** Last traded price (`tick`); `amount` and `side` are unused. */
export const LAST_PRICE = 3;
/** A starting price: `side` 0 near, 1 far, 2 reconciled; `amount` is the price in 10⁻³ (not on the ladder). */
export const STARTING_PRICE = 4;

export type RecordedKind = typeof DEFINITION | typeof TRADE | typeof LEVEL | typeof LAST_PRICE | typeof STARTING_PRICE;

/**
 * What one source message said of one market. Events stand in the order of replay: definition, trades (per resting
 * side, best first), decreases, increases, last prices, starting prices; each level at most once. Valid until the
 * cursor moves; the arrays are longer than `count`.
 */
export interface UpdateColumns {
  /** Index in `Tape.markets`. */
  readonly market: number;
  /** Counts the market's updates from 0, events or not: a source message without content still counts. */
  readonly sequence: number;
  readonly publishedAt: Instant;
  /** When the recorder got it; equal to `publishedAt` where the source does not say. */
  readonly receivedAt: Instant;
  readonly count: number;
  readonly kind: Uint8Array;
  readonly outcome: Uint16Array;
  readonly side: Uint8Array;
  readonly tick: Int16Array;
  readonly amount: Float64Array;
}
