/** One recorded update of one market, as columns that a cursor fills and reuses. */

import type { Instant } from '../../core/number/units.ts';
import { AGAINST, FOR, type SideIndex } from '../../core/side.ts';

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

/** An update whose events are read when somebody asks: as columns, or straight into a book. */
export interface PendingUpdate {
  readonly market: number;
  readonly publishedAt: Instant;
  readonly sequence: number;
  /** Whether it changes the market's definition, which its first event does then. */
  readonly isDefinition: boolean;
  /** Its columns; valid until the next update. What is changed in them is what `recordInto` tells. */
  columns(): UpdateColumns;
  /** Tells all events in their order, but for definitions and starting prices. Once, and instead of `columns` where that is enough. */
  recordInto(sink: RecordSink): void;
}

/** Takes over what an update says of prices; amounts as in the columns. */
export interface RecordSink {
  setLevel(outcome: number, side: SideIndex, tick: number, stake: number): void;
  addTraded(outcome: number, tick: number, stake: number): void;
  setLastTick(outcome: number, tick: number): void;
}

/** What `PendingUpdate.recordInto` says, of columns that are there. */
export function recordColumns({ count, kind, outcome, side, tick, amount }: UpdateColumns, sink: RecordSink): void {
  for (let i = 0; i < count; i += 1) {
    const outcomeIndex = outcome[i] ?? 0;
    const tickIndex = tick[i] ?? 0;
    switch (kind[i]) {
      case LEVEL:
        sink.setLevel(outcomeIndex, side[i] === AGAINST ? AGAINST : FOR, tickIndex, amount[i] ?? 0);
        break;
      case TRADE:
        sink.addTraded(outcomeIndex, tickIndex, amount[i] ?? 0);
        break;
      case LAST_PRICE:
        sink.setLastTick(outcomeIndex, tickIndex);
        break;
    }
  }
}
