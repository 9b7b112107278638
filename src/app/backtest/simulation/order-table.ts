/** All orders of a run as columns by their number, from which the rows of the result are made when somebody asks. */

import { assert, defined } from '../../../core/checks/assert.ts';
import { decimalOfTick, type Tick } from '../../../core/number/ladder.ts';
import { type Money, moneyToDecimal, type Price } from '../../../core/number/units.ts';
import { ORDER_STATUSES } from '../../../core/order.ts';
import { type Side, sideIndex, sideOf } from '../../../core/side.ts';
import type { OwnOrder } from '../../../engine/ledger/own-order.ts';
import { grownBytes, grownFloats, grownInts } from '../../../matching/columns/columns.ts';
import { BOUNDS, type Bound, type OrderRow } from '../../../report/result.ts';
import type { OrderTrack } from '../../../simulator/fill-model/order-track.ts';
import { NetSwings } from './net-swings.ts';

const FIRST_CAPACITY = 256;
const NONE = -1;
const NOT_YET = Number.NaN;

/** Where an order was placed, in the words of the result: one for all orders of an outcome. */
export interface OrderPlace {
  readonly marketId: string;
  readonly marketName: string;
  readonly outcomeId: string;
  readonly outcomeTitle: string;
}

/** A long run has millions of orders: some hundred bytes of each, and no object, outlive it. */
export class OrderTable {
  readonly #strategies: readonly string[];
  /** Those that were simulated; the first is the flow's own. */
  readonly #answers: readonly Bound[];
  readonly #swings = new NetSwings();
  /** Orders sent that reduce a position of earlier fills. */
  exits = 0;
  /** Orders of which an answer has less matched than one that is below it (law 5): there own orders met. */
  outOfOrder = 0;
  /** Answers by place, each to be at most the next. */
  readonly #rising: readonly number[];
  readonly #places: OrderPlace[] = [];
  readonly #placeByOutcome = new Map<number, number[]>();
  readonly #reasons: string[] = [];
  readonly #reasonByWord = new Map<string, number>();
  #first = NONE;
  #count = 0;
  #strategy = new Int32Array(FIRST_CAPACITY);
  #place = new Int32Array(FIRST_CAPACITY);
  #tick = new Int32Array(FIRST_CAPACITY);
  #reason = new Int32Array(FIRST_CAPACITY);
  #side = new Uint8Array(FIRST_CAPACITY);
  /** Index in ORDER_STATUSES and one more; 0 where the exchange never answered. */
  #status = new Uint8Array(FIRST_CAPACITY);
  #stake = new Float64Array(FIRST_CAPACITY);
  #decidedAt = new Float64Array(FIRST_CAPACITY);
  #arrivedAt = new Float64Array(FIRST_CAPACITY);
  #matched: Float64Array;
  #winnings = new Float64Array(FIRST_CAPACITY);
  #profit = new Float64Array(FIRST_CAPACITY);

  constructor(strategies: readonly string[], bounds: readonly Bound[]) {
    this.#strategies = strategies;
    this.#answers = bounds;
    this.#rising = BOUNDS.filter((bound) => bound !== 'refilled').flatMap((bound) => placeIn(bounds, bound));
    this.#matched = new Float64Array(FIRST_CAPACITY * bounds.length);
  }

  /** The next order: numbers count up by one. */
  sent({ terms }: OwnOrder): void {
    if (this.#first === NONE) this.#first = terms.client;
    const at = this.#count;
    assert(terms.client === this.#first + at, 'orders are numbered one by one');
    if (at === this.#stake.length) this.#grow(2 * at);
    this.#count += 1;
    this.#strategy[at] = terms.strategy;
    this.#place[at] = this.#placeOf(terms);
    this.#tick[at] = terms.tick;
    this.#reason[at] = NONE;
    this.#side[at] = sideIndex(terms.side);
    this.#status[at] = 0;
    this.#stake[at] = terms.stake;
    this.#decidedAt[at] = terms.sentAt;
    this.#arrivedAt[at] = NOT_YET;
    this.#profit[at] = NOT_YET;
    if (this.#swings.isExit(this.#positionOf(at), terms)) this.exits += 1;
  }

  /** A fill in the flow's own answer. */
  filled(client: number, price: Price, stake: Money): void {
    const row = this.#rowOf(client);
    this.#swings.filled(this.#positionOf(row), { side: this.#sideAt(row), stake, price });
  }

  /** The exchange created nothing. */
  rejected(client: number, at: number, code: string): void {
    const row = this.#rowOf(client);
    this.#reason[row] = this.#reasonOf(code);
    this.#arrivedAt[row] = at;
  }

  /** What became of it: in the answer in which the bot lives, with its twins in the others. */
  ended(track: OrderTrack): void {
    const row = this.#rowOf(track.request.client);
    this.#arrivedAt[row] = track.acceptedAt;
    this.#status[row] = ORDER_STATUSES.indexOf(track.status) + 1;
    if (track.reason !== undefined) this.#reason[row] = this.#reasonOf(track.reason);
    const answers = this.#answers.length;
    for (let answer = 0; answer < answers; answer += 1)
      this.#matched[row * answers + answer] = (answer === 0 ? track : track.siblings[answer - 1])?.matched ?? 0;
    if (!this.#isRising(row)) this.outOfOrder += 1;
    this.#winnings[row] = track.matched === 0 ? NOT_YET : track.winnings / track.matched;
    this.#profit[row] = track.profit ?? NOT_YET;
  }

  #isRising(row: number): boolean {
    const first = row * this.#answers.length;
    let below = 0;
    for (let place = 0; place < this.#rising.length; place += 1) {
      const matched = this.#matched[first + (this.#rising[place] ?? 0)] ?? 0;
      if (matched < below) return false;
      below = matched;
    }
    return true;
  }

  /** Where an order of the run was placed, and on which side. */
  placeOf(client: number): OrderPlace & { readonly side: Side } {
    const row = this.#rowOf(client);
    return { ...defined(this.#places[this.#place[row] ?? NONE], 'an order has a place'), side: this.#sideAt(row) };
  }

  /** One row for each order sent, in the order of sending, as of the run with this number. */
  *rows(run: number): Generator<OrderRow> {
    for (let row = 0; row < this.#count; row += 1) yield this.#row(run, row);
  }

  #row(run: number, row: number): OrderRow {
    const { marketId, marketName, outcomeId, outcomeTitle } = defined(
      this.#places[this.#place[row] ?? NONE],
      'an order has a place',
    );
    const made: { -readonly [Key in keyof OrderRow]: OrderRow[Key] } = {
      ...{ run, flow: this.#answers[0] ?? 'central' },
      id: this.#first + row,
      strategy: this.#strategies[this.#strategy[row] ?? NONE] ?? '',
      ...{ marketId, marketName, outcomeId, outcomeTitle },
      side: this.#sideAt(row),
      price: decimalOfTick((this.#tick[row] ?? 0) as Tick),
      stake: moneyToDecimal((this.#stake[row] ?? 0) as Money),
      decidedAt: this.#decidedAt[row] ?? 0,
      stakeMatched: this.#matchedOf(row),
    };
    const arrivedAt = this.#arrivedAt[row] ?? NOT_YET;
    if (!Number.isNaN(arrivedAt)) made.arrivedAt = arrivedAt;
    const status = ORDER_STATUSES[(this.#status[row] ?? 0) - 1];
    if (status === undefined) return this.#withReason(made, row);
    made.status = status;
    const winnings = this.#winnings[row] ?? NOT_YET;
    if (!Number.isNaN(winnings)) made.averagePrice = Math.round((1 + winnings) * 1e6) / 1e6;
    const profit = this.#profit[row] ?? NOT_YET;
    if (!Number.isNaN(profit)) made.profit = moneyToDecimal(profit as Money);
    return this.#withReason(made, row);
  }

  #matchedOf(row: number): OrderRow['stakeMatched'] {
    const matched: { [Key in Bound]?: number } = {};
    for (const [at, bound] of this.#answers.entries())
      matched[bound] = moneyToDecimal((this.#matched[row * this.#answers.length + at] ?? 0) as Money);
    return matched;
  }

  /** One for each strategy in each outcome. */
  #positionOf(row: number): number {
    return (this.#place[row] ?? 0) * this.#strategies.length + (this.#strategy[row] ?? 0);
  }

  #withReason(made: { -readonly [Key in keyof OrderRow]: OrderRow[Key] }, row: number): OrderRow {
    const reason = this.#reasons[this.#reason[row] ?? NONE];
    if (reason !== undefined) made.reason = reason;
    return made;
  }

  #rowOf(client: number): number {
    const row = client - this.#first;
    assert(this.#first !== NONE && row >= 0 && row < this.#count, 'the order is one of the run');
    return row;
  }

  #sideAt(row: number): Side {
    return sideOf(this.#side[row] ?? 0);
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

  #reasonOf(word: string): number {
    const known = this.#reasonByWord.get(word);
    if (known !== undefined) return known;
    this.#reasonByWord.set(word, this.#reasons.length);
    this.#reasons.push(word);
    return this.#reasons.length - 1;
  }

  #grow(capacity: number): void {
    this.#strategy = grownInts(this.#strategy, capacity);
    this.#place = grownInts(this.#place, capacity);
    this.#tick = grownInts(this.#tick, capacity);
    this.#reason = grownInts(this.#reason, capacity);
    this.#side = grownBytes(this.#side, capacity);
    this.#status = grownBytes(this.#status, capacity);
    this.#stake = grownFloats(this.#stake, capacity);
    this.#decidedAt = grownFloats(this.#decidedAt, capacity);
    this.#arrivedAt = grownFloats(this.#arrivedAt, capacity);
    this.#matched = grownFloats(this.#matched, capacity * this.#answers.length);
    this.#winnings = grownFloats(this.#winnings, capacity);
    this.#profit = grownFloats(this.#profit, capacity);
  }
}

function placeIn(bounds: readonly Bound[], bound: Bound): readonly number[] {
  const place = bounds.indexOf(bound);
  return place === -1 ? [] : [place];
}
