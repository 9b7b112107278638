/** One recorded update of one market, as columns that a cursor fills and reuses. */

import type { Instant } from '../../core/number/units.ts';
import { AGAINST, FOR, type SideIndex } from '../../core/side.ts';

/** A change of the market's definition: `amount` is the index in `Tape.definitions(market)`. */
export const DEFINITION = 0;
/** Volume newly traded at a price, in backer's stake (both-sides figures are halved on import). `side` is unused. */
export const TRADE = 1;
/**
 * The recorded stake now resting at a level: `side` is the resting side, `amount` the whole stake; 0 removes the level.
 */
export const LEVEL = 2;
/** Last traded price (`tick`); `amount` and `side` are unused. */
export const LAST_PRICE = 3;
/** A starting price: `side` says which; `amount` is the price in 10⁻³ (not on the ladder), 0 for none. */
export const STARTING_PRICE = 4;

/** Which starting price an event brings, as its `side`. */
export const NEAR = 0;
export const FAR = 1;
export const RECONCILED = 2;

export type RecordedKind = typeof DEFINITION | typeof TRADE | typeof LEVEL | typeof LAST_PRICE | typeof STARTING_PRICE;

/**
 * What one source message said about one market. Events stand in the order of replay: definition, trades (per resting
 * side, best first), decreases, increases, last prices, starting prices; each level at most once. Valid until the
 * cursor moves; the arrays are longer than `count`.
 */
export interface UpdateColumns {
  /** Index in `Tape.markets`. */
  readonly market: number;
  /** Counts the market's updates from 0, with or without events: a source message without content counts too. */
  readonly sequence: number;
  readonly publishedAt: Instant;
  /** When the recorder received it; equal to `publishedAt` where the source does not say. */
  readonly receivedAt: Instant;
  readonly count: number;
  readonly kind: Uint8Array;
  readonly outcome: Uint16Array;
  readonly side: Uint8Array;
  readonly tick: Int16Array;
  readonly amount: Float64Array;
}

/** An update whose events are decoded only on request: as columns, or straight into a book. */
export interface PendingUpdate {
  readonly market: number;
  readonly publishedAt: Instant;
  readonly sequence: number;
  /** Whether it changes the market's definition; then its first event does so. */
  readonly isDefinition: boolean;
  /**
   * Its columns, valid until the next update. `recordInto` afterwards reads these columns, including changes made to
   * them.
   */
  columns(): UpdateColumns;
  /**
   * Passes all events in their order to the sink, except definitions. Call it once; where that is enough, `columns`
   * need not be called.
   */
  recordInto(sink: RecordSink): void;
}

/** One event of an update. What its fields mean depends on its kind. */
export interface RecordedEvent {
  readonly kind: RecordedKind;
  readonly outcome: number;
  readonly side: number;
  readonly tick: number;
  readonly amount: number;
}

/** The events of an update as objects: for all but a replay's own way, which takes them from the columns (`recordColumns`). */
export function* eventsOf({ count, kind, outcome, side, tick, amount }: UpdateColumns): Generator<RecordedEvent> {
  for (let i = 0; i < count; i += 1)
    yield {
      kind: kind[i] as RecordedKind,
      outcome: outcome[i] ?? 0,
      side: side[i] ?? 0,
      tick: tick[i] ?? 0,
      amount: amount[i] ?? 0,
    };
}

/** Receives what an update says about prices; amounts as in the columns. */
export interface RecordSink {
  setLevel(outcome: number, side: SideIndex, tick: number, stake: number): void;
  addTraded(outcome: number, tick: number, stake: number): void;
  setLastTick(outcome: number, tick: number): void;
  /** `which` is NEAR, FAR or RECONCILED. */
  setStartingPrice(outcome: number, which: number, thousandths: number): void;
}

/** Does what `PendingUpdate.recordInto` does, from columns that are decoded already. */
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
      case STARTING_PRICE:
        sink.setStartingPrice(outcomeIndex, side[i] ?? 0, amount[i] ?? 0);
        break;
    }
  }
}
