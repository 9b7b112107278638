/** All orders of a run as typed-array columns by their number; the rows of the result are made from them on demand. */

import { assert, defined } from '../../core/checks/assert.ts';
import type { MarketState } from '../../core/market-state.ts';
import { decimalOfTick, NO_TICK, type Tick } from '../../core/number/ladder.ts';
import { type Money, moneyToDecimal } from '../../core/number/units.ts';
import { ORDER_STATUSES } from '../../core/order.ts';
import { AGAINST, FOR, type Side, sideIndex, sideOf } from '../../core/side.ts';
import type { OwnOrder } from '../../engine/ledger/own-order.ts';
import type { Bound } from '../../result/figures/bounds.ts';
import type { OrderRow } from '../../result/result.ts';
import type { OrderTrack } from '../../simulator/fill-model/order-track.ts';
import { cellOf, copiedInto, cutTo, TextTable } from './table-columns.ts';

const ORDERS_AT_FIRST = 256;
const NO_INDEX = -1;
/** What a column of floats has where there is no value. */
const ABSENT = Number.NaN;

/** The place of an order, by the names that the result uses; all orders of an outcome share one object. */
export interface OrderPlace {
  readonly marketId: string;
  readonly marketName: string;
  readonly outcomeId: string;
  readonly outcomeTitle: string;
}

function columnsFor(capacity: number) {
  return {
    /** Index in the strategies of the run. */
    strategy: new Int32Array(capacity),
    /** Index in the places. */
    place: new Int32Array(capacity),
    tick: new Int32Array(capacity),
    /** Index in the reasons, or NO_INDEX. */
    reason: new Int32Array(capacity),
    side: new Uint8Array(capacity),
    /** Index in ORDER_STATUSES and one more; 0 where the exchange never accepted it. */
    status: new Uint8Array(capacity),
    stake: new Float64Array(capacity),
    decidedAt: new Float64Array(capacity),
    arrivedAt: new Float64Array(capacity),
    matched: new Float64Array(capacity),
    /** Per unit of matched stake. */
    winnings: new Float64Array(capacity),
    profit: new Float64Array(capacity),
    endedAt: new Float64Array(capacity),
    queueAhead: new Float64Array(capacity),
    /** Index in the notes, or NO_INDEX. */
    note: new Int32Array(capacity),
    /** Best ticks of its outcome when it was decided, or NO_TICK. */
    bestFor: new Int32Array(capacity),
    bestAgainst: new Int32Array(capacity),
  };
}

/** A table as plain data for another thread. */
export interface PackedOrders {
  readonly strategies: readonly string[];
  readonly bound: Bound;
  /** Number of the first order. */
  readonly first: number;
  readonly count: number;
  readonly columns: ReturnType<typeof columnsFor>;
  readonly places: readonly OrderPlace[];
  readonly reasons: readonly string[];
  readonly notes: readonly string[];
}

/** A long run has millions of orders: of each, about a hundred bytes and no object outlive it. */
export class OrderTable {
  readonly #strategies: readonly string[];
  /** That of the world in which they were sent. */
  readonly bound: Bound;
  #places: OrderPlace[] = [];
  /** The index in the places, by market, then by outcome. */
  readonly #placeByOutcome = new Map<number, number[]>();
  #reasons = new TextTable();
  #notes = new TextTable();
  #first = NO_INDEX;
  #count = 0;
  #columns: ReturnType<typeof columnsFor>;

  constructor(strategies: readonly string[], bound: Bound) {
    this.#strategies = strategies;
    this.bound = bound;
    this.#columns = columnsFor(ORDERS_AT_FIRST);
  }

  /** A table that another thread packed. Its rows can be read; nothing can be added to it. */
  static of(packed: PackedOrders): OrderTable {
    const table = new OrderTable(packed.strategies, packed.bound);
    table.#first = packed.first;
    table.#count = packed.count;
    table.#columns = packed.columns;
    table.#places = [...packed.places];
    table.#reasons = new TextTable(packed.reasons);
    table.#notes = new TextTable(packed.notes);
    return table;
  }

  packed(): PackedOrders {
    return { ...this.held(), columns: cutTo(this.#count, this.#columns, this.#columns.stake.length) };
  }

  /** The same to be read at once: nothing is copied, the columns are the table's own and may be longer than `count`. */
  held(): PackedOrders {
    const columns = this.#columns;
    return {
      strategies: this.#strategies,
      bound: this.bound,
      first: this.#first,
      count: this.#count,
      columns,
      places: this.#places,
      reasons: this.#reasons.texts,
      notes: this.#notes.texts,
    };
  }

  /** Adds the next order: numbers count up by one. */
  sent({ terms }: OwnOrder, market: MarketState): void {
    if (this.#first === NO_INDEX) this.#first = terms.client;
    const row = this.#count;
    assert(terms.client === this.#first + row, 'orders are numbered one by one');
    if (row === this.#columns.stake.length) this.#grow(2 * row);
    this.#count += 1;
    const columns = this.#columns;
    columns.strategy[row] = terms.strategy;
    columns.place[row] = this.#placeOf(terms);
    columns.tick[row] = terms.tick;
    columns.reason[row] = NO_INDEX;
    columns.side[row] = sideIndex(terms.side);
    columns.status[row] = 0;
    columns.stake[row] = terms.stake;
    columns.decidedAt[row] = terms.sentAt;
    columns.arrivedAt[row] = ABSENT;
    columns.profit[row] = ABSENT;
    columns.endedAt[row] = ABSENT;
    columns.note[row] = terms.note === undefined ? NO_INDEX : this.#notes.indexOf(terms.note);
    columns.queueAhead[row] = ABSENT;
    columns.bestFor[row] = market.bestTick(terms.outcome, FOR);
    columns.bestAgainst[row] = market.bestTick(terms.outcome, AGAINST);
  }

  /** The exchange created no order. */
  rejected(client: number, at: number, code: string): void {
    const row = this.#rowOf(client);
    this.#columns.reason[row] = this.#reasons.indexOf(code);
    this.#columns.arrivedAt[row] = at;
  }

  /** What became of an order. */
  ended(track: OrderTrack): void {
    const row = this.#rowOf(track.request.client);
    const columns = this.#columns;
    columns.arrivedAt[row] = track.acceptedAt;
    columns.status[row] = ORDER_STATUSES.indexOf(track.status) + 1;
    if (track.reason !== undefined) columns.reason[row] = this.#reasons.indexOf(track.reason);
    columns.matched[row] = track.matched;
    columns.winnings[row] = track.matched === 0 ? ABSENT : track.winnings / track.matched;
    columns.profit[row] = track.profit ?? ABSENT;
    columns.endedAt[row] = track.endedAt ?? ABSENT;
    columns.queueAhead[row] = track.queueAhead ?? ABSENT;
  }

  /** The place of an order of the run, and its side. */
  placeOf(client: number): OrderPlace & { readonly side: Side } {
    const row = this.#rowOf(client);
    return { ...this.#placeAt(row), side: this.#sideAt(row) };
  }

  /** The same of a number that may be no order of the run, or that of another strategy: undefined then. */
  ownPlaceOf(client: number, strategy: number): ReturnType<OrderTable['placeOf']> | undefined {
    const row = client - this.#first;
    const isSent = this.#first !== NO_INDEX && this.#columns.strategy[row] === strategy && row < this.#count;
    return isSent ? this.placeOf(client) : undefined;
  }

  /** One row for each order sent, in the order of sending; `run` is the number of this simulation in the result. */
  *rows(run: number): Generator<OrderRow> {
    for (let row = 0; row < this.#count; row += 1) yield this.#row(run, row);
  }

  #row(run: number, row: number): OrderRow {
    const columns = this.#columns;
    const { marketId, marketName, outcomeId, outcomeTitle } = this.#placeAt(row);
    const made: { -readonly [Key in keyof OrderRow]: OrderRow[Key] } = {
      run,
      flow: this.bound,
      id: this.#first + row,
      strategy: defined(this.#strategies[cellOf(columns.strategy, row)], 'an order has a strategy'),
      marketId,
      marketName,
      outcomeId,
      outcomeTitle,
      side: this.#sideAt(row),
      price: decimalOfTick(cellOf(columns.tick, row) as Tick),
      stake: moneyToDecimal(cellOf(columns.stake, row) as Money),
      decidedAt: cellOf(columns.decidedAt, row),
      stakeMatched: moneyToDecimal(cellOf(columns.matched, row) as Money),
    };
    const arrivedAt = cellOf(columns.arrivedAt, row);
    if (!Number.isNaN(arrivedAt)) made.arrivedAt = arrivedAt;
    const reason = this.#reasons.at(cellOf(columns.reason, row));
    if (reason !== undefined) made.reason = reason;
    const bestFor = cellOf(columns.bestFor, row);
    if (bestFor !== NO_TICK) made.bestFor = decimalOfTick(bestFor as Tick);
    const bestAgainst = cellOf(columns.bestAgainst, row);
    if (bestAgainst !== NO_TICK) made.bestAgainst = decimalOfTick(bestAgainst as Tick);
    const note = this.#notes.at(cellOf(columns.note, row));
    if (note !== undefined) made.note = note;
    const status = ORDER_STATUSES[cellOf(columns.status, row) - 1];
    if (status === undefined) return made;
    made.status = status;
    const endedAt = cellOf(columns.endedAt, row);
    if (!Number.isNaN(endedAt)) made.endedAt = endedAt;
    const queueAhead = cellOf(columns.queueAhead, row);
    if (!Number.isNaN(queueAhead)) made.queueAhead = moneyToDecimal(queueAhead as Money);
    const winnings = cellOf(columns.winnings, row);
    if (!Number.isNaN(winnings)) made.averagePrice = Math.round((1 + winnings) * 1e6) / 1e6;
    const profit = cellOf(columns.profit, row);
    if (!Number.isNaN(profit)) made.profit = moneyToDecimal(profit as Money);
    return made;
  }

  #rowOf(client: number): number {
    const row = client - this.#first;
    assert(this.#first !== NO_INDEX && row >= 0 && row < this.#count, 'the order is one of the run');
    return row;
  }

  #sideAt(row: number): Side {
    return sideOf(cellOf(this.#columns.side, row));
  }

  #placeAt(row: number): OrderPlace {
    return defined(this.#places[cellOf(this.#columns.place, row)], 'an order has a place');
  }

  #placeOf(terms: OwnOrder['terms']): number {
    const { market, outcome, marketId, marketName, outcomeId, outcomeTitle } = terms;
    let places = this.#placeByOutcome.get(market);
    if (places === undefined) {
      places = [];
      this.#placeByOutcome.set(market, places);
    }
    const known = places[outcome];
    if (known !== undefined) return known;
    places[outcome] = this.#places.length;
    this.#places.push({ marketId, marketName, outcomeId, outcomeTitle });
    return this.#places.length - 1;
  }

  #grow(capacity: number): void {
    this.#columns = copiedInto(columnsFor(capacity), this.#columns);
  }
}
