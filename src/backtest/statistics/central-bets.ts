/** Reads the orders and fills of the central bound once, column by column, into the sums that the statistics are made of. */

import { defined } from '../../core/checks/assert.ts';
import { decimalOfTick, NO_TICK, type Tick } from '../../core/number/ladder.ts';
import { type Money, moneyToDecimal, type Price, priceToDecimal } from '../../core/number/units.ts';
import { type SideIndex, sideOf, signOf } from '../../core/side.ts';
import type { DecidedFill } from '../../research/run/cost-split.ts';
import type { RowColumns } from '../simulation/backtest-collector.ts';
import type { BetSlots, OutcomePlace } from './bet-slots.ts';
import { CellBook } from './cell-book.ts';
import { MergedBets } from './merged-bets.ts';

/** A table of orders and fills in which the central bound was simulated, as the flow's own. */
interface CentralRows {
  readonly rows: RowColumns;
  /** By index in the table's places. */
  readonly places: readonly OutcomePlace[];
}

export class CentralBets {
  readonly startingPrice: MergedBets;
  /** What was matched before the off, and what orders that arrived before it left unmatched at their limit. */
  readonly preOff: MergedBets;
  readonly unfilled: MergedBets;
  readonly after10s: MergedBets;
  readonly after60s: MergedBets;
  readonly cells: CellBook;
  /** By market: 1 where something was matched after the off, or where the off is not known. */
  readonly matchedLate: Uint8Array;
  readonly #slots: BetSlots;
  readonly #tables: readonly CentralRows[];
  readonly #closing: Float64Array;
  readonly #starting: Float64Array;
  readonly #winShare: Float64Array;

  constructor(slots: BetSlots, tables: readonly RowColumns[]) {
    this.#slots = slots;
    this.startingPrice = new MergedBets(slots);
    this.preOff = new MergedBets(slots);
    this.unfilled = new MergedBets(slots);
    this.after10s = new MergedBets(slots);
    this.after60s = new MergedBets(slots);
    this.cells = new CellBook(slots);
    this.matchedLate = new Uint8Array(slots.markets.length);
    this.#closing = slots.column(({ closing }, outcome) => closing[outcome]);
    this.#starting = slots.column(({ result }, outcome) => result.outcomes[outcome]?.startingPrice);
    this.#winShare = slots.column(({ result }, outcome) => result.outcomes[outcome]?.winShare);
    this.#tables = tables.map((rows) => ({
      rows,
      places: rows.orders.places.map(({ marketId, outcomeId }) => slots.placeOf(marketId, outcomeId)),
    }));
    for (const table of this.#tables) {
      this.#readFills(table);
      this.#readOrders(table);
    }
  }

  #readFills(table: CentralRows): void {
    const { places } = table;
    const { orders, fills } = table.rows;
    const central = fills.bounds.indexOf('central');
    const { order, bound, price, stake, at, later10, later60 } = fills.columns;
    const dealt = this.#dealtOf(table);
    for (let row = 0; row < fills.count; row += 1) {
      if (bound[row] !== central) continue;
      const of = order[row]! - orders.first;
      const place = places[orders.columns.place[of]!]!;
      const side = orders.columns.side[of]! as SideIndex;
      const odds = priceToDecimal(price[row]! as Price);
      const amount = moneyToDecimal(stake[row]! as Money);
      const isEarly = this.#isBeforeOff(place.market, at[row]!);
      if (!isEarly) this.matchedLate[place.market] = 1;
      this.#compare(this.#slots.slotOf(place.outcome, side), amount, odds, {
        closing: isEarly ? this.#closing[place.outcome]! : Number.NaN,
        starting: isEarly ? this.#starting[place.outcome]! : Number.NaN,
        later10: later10[row]!,
        later60: later60[row]!,
      });
      const paid = dealt[of]!;
      if (Number.isNaN(paid)) continue;
      const sign = signOf(sideOf(side));
      const [ifWins, ifLoses] = [sign * amount * (odds - 1), sign * -amount];
      const profit = paid * settledProfit(ifWins, ifLoses, this.#winShare[place.outcome]!);
      this.cells.add({ place, side, price: odds, stake: amount, at: at[row]!, isEarly, ifWins, ifLoses, profit });
    }
  }

  /**
   * By order, what settlement paid over what its fills say: other than 1 where a non-runner reduced it. So the profits of fills add up
   * to those of orders. NaN where the order is not settled.
   */
  #dealtOf({ rows: { orders, fills }, places }: CentralRows): Float64Array {
    const central = fills.bounds.indexOf('central');
    const { order, bound, price, stake } = fills.columns;
    const dealt = new Float64Array(orders.count);
    for (let row = 0; row < fills.count; row += 1) {
      if (bound[row] !== central) continue;
      const of = order[row]! - orders.first;
      const { outcome } = places[orders.columns.place[of]!]!;
      const sign = signOf(sideOf(orders.columns.side[of]!));
      const amount = sign * moneyToDecimal(stake[row]! as Money);
      const odds = priceToDecimal(price[row]! as Price);
      dealt[of]! += settledProfit(amount * (odds - 1), -amount, this.#winShare[outcome]!);
    }
    for (let of = 0; of < orders.count; of += 1) {
      const paid = orders.columns.profit[of]!;
      if (Number.isNaN(paid) || dealt[of] !== 0) dealt[of] = moneyToDecimal(paid as Money) / dealt[of]!;
    }
    return dealt;
  }

  #compare(
    slot: number,
    stake: number,
    price: number,
    later: {
      readonly closing: number;
      readonly starting: number;
      readonly later10: number;
      readonly later60: number;
    },
  ): void {
    if (!Number.isNaN(later.closing)) this.preOff.add(slot, stake, price, later.closing);
    if (!Number.isNaN(later.starting)) this.startingPrice.add(slot, stake, price, later.starting);
    if (later.later10 !== NO_TICK) this.after10s.add(slot, stake, price, decimalOfTick(later.later10 as Tick));
    if (later.later60 !== NO_TICK) this.after60s.add(slot, stake, price, decimalOfTick(later.later60 as Tick));
  }

  /** What accepted orders left unmatched, at the limit that they asked for. */
  #readOrders({ rows: { orders }, places }: CentralRows): void {
    const { status, arrivedAt, side, tick, stake, matched, place } = orders.columns;
    for (let row = 0; row < orders.count; row += 1) {
      if (status[row] === 0) continue;
      const left = stake[row]! - matched[row * orders.bounds.length]!;
      const { market, outcome } = places[place[row]!]!;
      const closing = this.#closing[outcome]!;
      if (left <= 0 || Number.isNaN(closing) || !this.#isBeforeOff(market, arrivedAt[row]!)) continue;
      const slot = this.#slots.slotOf(outcome, side[row]! as SideIndex);
      this.unfilled.add(slot, moneyToDecimal(left as Money), decimalOfTick(tick[row]! as Tick), closing);
    }
  }

  #isBeforeOff(market: number, at: number): boolean {
    const { preOffAt } = defined(this.#slots.markets[market], 'a market of the run').result;
    return preOffAt !== undefined && at <= preOffAt;
  }

  /** Each fill with the best prices when its order was decided, one after the other. */
  *decided(): Generator<DecidedFill> {
    for (const { rows } of this.#tables) {
      const { orders, fills } = rows;
      const central = fills.bounds.indexOf('central');
      const { side, bestFor, bestAgainst } = orders.columns;
      for (let row = 0; row < fills.count; row += 1) {
        const of = fills.columns.order[row]! - orders.first;
        const isPriced = bestFor[of] !== NO_TICK && bestAgainst[of] !== NO_TICK;
        if (fills.columns.bound[row] !== central || !isPriced) continue;
        yield {
          side: sideOf(side[of]!),
          price: priceToDecimal(fills.columns.price[row]! as Price),
          stake: moneyToDecimal(fills.columns.stake[row]! as Money),
          // Who bets for an outcome takes the stake that rests against it.
          bestFor: decimalOfTick(bestAgainst[of]! as Tick),
          bestAgainst: decimalOfTick(bestFor[of]! as Tick),
        };
      }
    }
  }
}

/** Of one bet; 0 where it was void. */
function settledProfit(ifWins: number, ifLoses: number, winShare: number): number {
  return Number.isNaN(winShare) ? 0 : winShare * ifWins + (1 - winShare) * ifLoses;
}
