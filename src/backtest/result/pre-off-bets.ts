/** What a run had matched in each market before the off, as if it had been held to settlement. */

import { defined } from '../../core/checks/assert.ts';
import { type Money, moneyToDecimal, type Price, priceToDecimal } from '../../core/number/units.ts';
import { sideOf, signOf } from '../../core/side.ts';
import type { Bound } from '../../result/figures/bounds.ts';
import type { MarketResult } from '../../result/result.ts';
import type { RowColumns } from '../simulation/backtest-collector.ts';
import type { Piece } from './kept-piece.ts';

/** The bets of one market in one world, by outcome; gross, in decimals, after all reductions for non-runners. */
export interface PreOffBets {
  /** What the bets on the outcome bring if it wins, and if it does not. */
  readonly ifWins: Float64Array;
  readonly ifLoses: Float64Array;
  /** Whether something was matched before the off, and whether something was matched after it. */
  readonly isEarly: boolean;
  readonly isLate: boolean;
}

/** When a market closed and went in play, as far as its recording shows it. */
interface Off {
  readonly preOffAt?: number | undefined;
  readonly inPlayAt?: number | undefined;
}

/**
 * Whether a bet was matched before the market went in play or, where it never does, before its close. The update that turns a market in
 * play is in play. Where the recording does not show the close, nothing is before it.
 */
export function isBeforeOff({ preOffAt, inPlayAt }: Off, at: number): boolean {
  return preOffAt !== undefined && at <= preOffAt && at < (inPlayAt ?? Number.POSITIVE_INFINITY);
}

/** The bets of the markets with fills, by market id and bound. */
export function preOffBets(
  pieces: readonly Piece[],
  markets: readonly MarketResult[],
  bounds: readonly Bound[],
): ReadonlyMap<string, ReadonlyMap<Bound, PreOffBets>> {
  const places = new Map(markets.map((market) => [market.id, placesOf(market)]));
  const found = new Map<string, Map<Bound, Sums>>();
  for (const { ends } of pieces) {
    for (const [bound, { collector }] of ends) {
      if (bounds.includes(bound)) addFills(collector.heldRows(), { bound, places, found });
    }
  }
  return new Map(
    [...found].map(([id, byBound]) => [id, new Map([...byBound].map(([of, sums]) => [of, inDecimals(sums)]))]),
  );
}

interface MarketPlaces {
  readonly market: MarketResult;
  readonly outcomes: ReadonlyMap<string, number>;
}

function placesOf(market: MarketResult): MarketPlaces {
  return { market, outcomes: new Map(market.outcomes.map(({ id }, outcome) => [id, outcome])) };
}

type Sums = { -readonly [Key in keyof PreOffBets]: PreOffBets[Key] };

function addFills(
  rows: RowColumns,
  {
    bound,
    places,
    found,
  }: {
    readonly bound: Bound;
    readonly places: ReadonlyMap<string, MarketPlaces>;
    readonly found: Map<string, Map<Bound, Sums>>;
  },
): void {
  const { orders, fills } = rows;
  const { winnings } = winningsKept(rows);
  // Of each place of the table, the sums of its market.
  const slots = orders.places.map(({ marketId, outcomeId }) => {
    const { market, outcomes } = defined(places.get(marketId), 'a bet is in a market of the result');
    return { market, outcome: defined(outcomes.get(outcomeId), 'a bet is on an outcome of its market') };
  });
  const { order, price, stake, at } = fills.columns;
  for (let row = 0; row < fills.count; row += 1) {
    const of = order[row]! - orders.first;
    const { market, outcome } = slots[orders.columns.place[of]!]!;
    const byBound = found.get(market.id) ?? new Map<Bound, Sums>();
    found.set(market.id, byBound);
    const sums = byBound.get(bound) ?? noSums(market.outcomes.length);
    byBound.set(bound, sums);
    if (!isBeforeOff(market, at[row]!)) {
      sums.isLate = true;
      continue;
    }
    sums.isEarly = true;
    const sign = signOf(sideOf(orders.columns.side[of]!));
    sums.ifWins[outcome]! += sign * stake[row]! * (priceToDecimal(price[row]! as Price) - 1) * winnings[of]!;
    sums.ifLoses[outcome]! -= sign * stake[row]!;
  }
}

/**
 * How much of each order's winnings is left. Its stake and winnings are those of its fills; its winnings after
 * reductions for non-runners are divided by those (`winnings`): 1 where nothing was reduced.
 */
export function winningsKept({
  orders,
  fills,
}: RowColumns): Readonly<Record<'staked' | 'won' | 'winnings', Float64Array>> {
  const { order, price, stake } = fills.columns;
  const staked = new Float64Array(orders.count);
  const won = new Float64Array(orders.count);
  for (let row = 0; row < fills.count; row += 1) {
    const of = order[row]! - orders.first;
    staked[of]! += stake[row]!;
    won[of]! += stake[row]! * (priceToDecimal(price[row]! as Price) - 1);
  }
  const winnings = won.map((fromFills, of) => {
    const perStake = orders.columns.winnings[of]!;
    return Number.isNaN(perStake) || fromFills === 0 ? 1 : (perStake * staked[of]!) / fromFills;
  });
  return { staked, won, winnings };
}

function noSums(outcomes: number): Sums {
  return { ifWins: new Float64Array(outcomes), ifLoses: new Float64Array(outcomes), isEarly: false, isLate: false };
}

function inDecimals({ ifWins, ifLoses, ...rest }: Sums): PreOffBets {
  const decimals = (sums: Float64Array) => sums.map((amount) => moneyToDecimal(Math.round(amount) as Money));
  return { ifWins: decimals(ifWins), ifLoses: decimals(ifLoses), ...rest };
}
