/**
 * Where resting stake comes from: real orders (order-book.ts), or a recorded book with the bot's own orders laid over
 * it.
 */

import type { Money } from '../../core/number/units.ts';
import type { SideIndex } from '../../core/side.ts';

/**
 * Stands in place of an order slot where the counterparty of a fill is recorded stake, which belongs to no order. The
 * recorded participants' side of such a fill is booked to the System wallet.
 */
export const RECORDED = -1;

/**
 * Receives each piece of resting stake that a taker consumes, in queue order and at the level's price. `maker` is an
 * order slot, or RECORDED.
 */
export interface FillSink {
  filled(maker: number, stake: Money): void;
}

/**
 * The resting stake of ONE market. `side` is always the RESTING side, `tick` the resting price.
 * An order slot is a small integer that names a resting order while it lives; slots are reused after `withdraw`
 * or once an order's stake is fully consumed (the exchange itself reuses one only after its market was forgotten).
 *
 * Who removes what: only the exchange informs an implementation about orders (`rest`, `reduce`, `withdraw`), and
 * `consume` is the only call in which an implementation takes stake off an order by itself, dropping the order when
 * nothing is left: the exchange calls neither `reduce` nor `withdraw` for what `consume` reported.
 * A fill of a resting order by recorded stake goes the other way round: the code that plays the recording calls
 * `Exchange.matchWithRecorded`, and the exchange answers with `reduce`; an implementation never takes that stake off
 * beforehand.
 * The objects passed to `consume` and `rest` are reused by the caller: read them, do not keep them.
 * A market's Liquidity is dropped as a whole when the market is forgotten, with no call.
 */
export interface Liquidity {
  /** Best tick for a taker of this resting side (Against: highest, For: lowest); NO_TICK where nothing rests. */
  bestTick(outcome: number, side: SideIndex): number;
  /** Next tick with stake that is worse for a taker than the given one; NO_TICK where there is none. */
  nextTick(outcome: number, side: SideIndex, tick: number): number;
  /** Stake that a taker can match at a level now. */
  amountAt(outcome: number, side: SideIndex, tick: number): Money;
  /**
   * Consumes up to `stake` from the front of a level's queue, reports each piece to the sink, and returns how much was
   * consumed. It consumes nothing where the level turns out to be gone; such a level is not shown from then on. (A
   * market that crosses outcomes always consumes what it was quoted.)
   */
  consume(level: { outcome: number; side: SideIndex; tick: number }, stake: Money, sink: FillSink): Money;
  /** Adds an order behind everything that rests at its level. */
  rest(order: { slot: number; outcome: number; side: SideIndex; tick: number; stake: Money }): void;
  /**
   * Takes stake off an order after a fill by recorded stake. The order keeps its place, and is dropped when nothing is
   * left.
   */
  reduce(slot: number, stake: Money): void;
  /** Takes an order's remaining stake out of its queue (cancelled or voided). */
  withdraw(slot: number): void;
}
