/** Where resting stake comes from: real orders (order-book.ts) or a recorded crowd with own orders laid over it. */

import type { Money } from '../../core/number/units.ts';
import type { SideIndex } from '../../core/side.ts';

/** The counterparty of a fill that is no order but the recorded crowd; its side is booked to the System wallet. */
export const RECORDED = -1;

/** Told of each piece a taker eats, in queue order. `maker` is an order slot, or RECORDED. Always at the level's price. */
export interface FillSink {
  filled(maker: number, stake: Money): void;
}

/**
 * The resting stake of ONE market. `side` is always the RESTING side, `tick` the resting price.
 * An order slot is a small integer that names a resting order while it lives; slots are reused after `withdraw`
 * or once an order's stake is fully eaten (the exchange itself reuses one only after its market was forgotten).
 *
 * Who removes what: the exchange is the only one who tells an implementation about orders (`rest`, `reduce`,
 * `withdraw`), and `consume` is the only call in which an implementation takes stake off an order by itself, dropping
 * the order when nothing is left: the exchange calls neither `reduce` nor `withdraw` for what `consume` reported.
 * A crowd fill goes the other way round: whoever drives the recording calls `Exchange.matchWithRecorded`, and the
 * exchange answers with `reduce`; an implementation never takes that stake off beforehand.
 * The objects passed to `consume` and `rest` are reused by the caller: read them, do not keep them.
 * A market's Liquidity is dropped as a whole when the market is forgotten, with no call.
 */
export interface Liquidity {
  /** Best tick for a taker of this resting side (Against: highest, For: lowest); NO_TICK where nothing rests. */
  bestTick(outcome: number, side: SideIndex): number;
  /** Next worse tick with stake after the given one; NO_TICK where there is none. */
  nextTick(outcome: number, side: SideIndex, tick: number): number;
  /** Stake that a taker can meet at a level now. */
  amountAt(outcome: number, side: SideIndex, tick: number): Money;
  /**
   * Eats up to `stake` from the front of a level's queue, telling the sink of each piece; returns what was eaten. Nothing where the
   * level turns out to be gone, which is shown no more then (not where a market crosses outcomes, which eats what it was quoted).
   */
  consume(level: { outcome: number; side: SideIndex; tick: number }, stake: Money, sink: FillSink): Money;
  /** Adds an order behind everything that rests at its level. */
  rest(order: { slot: number; outcome: number; side: SideIndex; tick: number; stake: Money }): void;
  /** Takes stake off an order after a crowd fill; it keeps its place, and is dropped when nothing is left. */
  reduce(slot: number, stake: Money): void;
  /** Takes an order's remaining stake out of its queue (cancelled or voided). */
  withdraw(slot: number): void;
}
