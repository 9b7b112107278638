/** Reads the orders and fills of the central bound once, column by column, into the sums that the statistics are made of. */

import { defined } from '../../core/checks/assert.ts';
import { decimalOfTick, NO_TICK, type Tick } from '../../core/number/ladder.ts';
import { type Money, moneyToDecimal, type Price, priceToDecimal } from '../../core/number/units.ts';
import { type Side, type SideIndex, sideOf, signOf } from '../../core/side.ts';
import type { DecidedFill } from '../../research/run/cost-split.ts';
import { isBeforeOff, winningsKept } from '../result/pre-off-bets.ts';
import type { RowColumns } from '../simulation/backtest-collector.ts';
import type { BetSlots, OutcomePlace } from './bet-slots.ts';
import { CellBook } from './cell-book.ts';
import { MergedBets } from './merged-bets.ts';
import { type TakenOutcome, TakenPrices } from './taken-prices.ts';

/** A table of orders and fills of the central world. */
interface CentralRows {
  readonly rows: RowColumns;
  /** The places by their index in the table. */
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
  readonly #taken: TakenPrices;
  /** What settlement paid in each market for the bets before the off, and for those after it or without a known off. */
  readonly paidEarly: Float64Array;
  readonly paidLate: Float64Array;
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
    this.#taken = new TakenPrices(slots);
    this.paidEarly = new Float64Array(slots.markets.length);
    this.paidLate = new Float64Array(slots.markets.length);
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
    const { order, price, stake, at, later10, later60 } = fills.columns;
    const { winnings, dealt } = this.#correctionsOf(table);
    for (let row = 0; row < fills.count; row += 1) {
      const of = order[row]! - orders.first;
      const place = places[orders.columns.place[of]!]!;
      const side = orders.columns.side[of]! as SideIndex;
      const odds = priceToDecimal(price[row]! as Price);
      const amount = moneyToDecimal(stake[row]! as Money);
      const isEarly = this.#isBeforeOff(place.market, at[row]!);
      const reduced = 1 + (odds - 1) * winnings[of]!;
      const slot = this.#slots.slotOf(place.outcome, side);
      this.#taken.add(slot, amount, reduced);
      if (isEarly) this.#compareEarly(slot, amount, reduced);
      if (later10[row] !== NO_TICK) this.after10s.add(slot, amount, odds, decimalOfTick(later10[row]! as Tick));
      if (later60[row] !== NO_TICK) this.after60s.add(slot, amount, odds, decimalOfTick(later60[row]! as Tick));
      const paid = dealt[of]!;
      if (Number.isNaN(paid)) continue;
      const sign = signOf(sideOf(side));
      const [ifWins, ifLoses] = [sign * amount * (reduced - 1), sign * -amount];
      const profit = paid * settledProfit(ifWins, ifLoses, this.#winShare[place.outcome]!);
      (isEarly ? this.paidEarly : this.paidLate)[place.market]! += profit;
      this.cells.add({ place, side, price: odds, stake: amount, at: at[row]!, isEarly, ifWins, ifLoses, profit });
    }
  }

  /**
   * What the exchange made of each order's fills later, such as reductions for non-runners: its winnings over those
   * that the fills say (1 where nothing changed), and what settlement paid over what the bets then say, so that profits
   * of fills add up to those of orders. NaN where the order is not settled.
   */
  #correctionsOf({ rows: { orders, fills }, places }: CentralRows): {
    readonly winnings: Float64Array;
    readonly dealt: Float64Array;
  } {
    const { staked, won, winnings } = winningsKept({ orders, fills });
    const dealt = new Float64Array(orders.count);
    for (let of = 0; of < orders.count; of += 1) {
      const { outcome } = places[orders.columns.place[of]!]!;
      const sign = signOf(sideOf(orders.columns.side[of]!));
      const said = settledProfit(sign * won[of]! * winnings[of]!, -sign * staked[of]!, this.#winShare[outcome]!);
      const paid = orders.columns.profit[of]!;
      dealt[of] = said === 0 && !Number.isNaN(paid) ? 0 : paid / said;
    }
    return { winnings, dealt };
  }

  #compareEarly(slot: number, stake: number, price: number): void {
    const closing = this.#closing[slot >> 1]!;
    const starting = this.#starting[slot >> 1]!;
    if (!Number.isNaN(closing)) this.preOff.add(slot, stake, price, closing);
    if (!Number.isNaN(starting)) this.startingPrice.add(slot, stake, price, starting);
  }

  /** What accepted orders left unmatched, at the limit that they asked for. */
  #readOrders({ rows: { orders }, places }: CentralRows): void {
    const { status, arrivedAt, side, tick, stake, matched, place } = orders.columns;
    for (let row = 0; row < orders.count; row += 1) {
      if (status[row] === 0) continue;
      const left = stake[row]! - matched[row]!;
      const { market, outcome } = places[place[row]!]!;
      const closing = this.#closing[outcome]!;
      if (left <= 0 || Number.isNaN(closing) || !this.#isBeforeOff(market, arrivedAt[row]!)) continue;
      const slot = this.#slots.slotOf(outcome, side[row]! as SideIndex);
      this.unfilled.add(slot, moneyToDecimal(left as Money), decimalOfTick(tick[row]! as Tick), closing);
    }
  }

  #isBeforeOff(market: number, at: number): boolean {
    return isBeforeOff(defined(this.#slots.markets[market], 'a market of the run').result, at);
  }

  /** The chance that the mean price implies, and whether the outcome won, for each outcome with a result that was bet on this side. */
  taken(side: Side): readonly TakenOutcome[] {
    return this.#taken.of(side, this.#winShare);
  }

  /** Each fill with the best prices when its order was decided, one after the other. */
  *decided(): Generator<DecidedFill> {
    for (const { rows } of this.#tables) {
      const { orders, fills } = rows;
      const { side, bestFor, bestAgainst } = orders.columns;
      for (let row = 0; row < fills.count; row += 1) {
        const of = fills.columns.order[row]! - orders.first;
        const isPriced = bestFor[of] !== NO_TICK && bestAgainst[of] !== NO_TICK;
        if (!isPriced) continue;
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

/** The profit of one bet; 0 where it was void. */
function settledProfit(ifWins: number, ifLoses: number, winShare: number): number {
  return Number.isNaN(winShare) ? 0 : winShare * ifWins + (1 - winShare) * ifLoses;
}
