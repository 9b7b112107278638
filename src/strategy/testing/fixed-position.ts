/** A position made of matched bets and live orders, written down in decimals: for tests of strategies. */

import {
  addMatch,
  addUnmatched,
  createExposureColumns,
  type ExposureColumns,
  type ExposureShape,
  possibleLoss,
  profitIfWins,
  unmatchedRisk,
} from '../../core/exposure.ts';
import type { MarketState } from '../../core/market-state.ts';
import {
  type Money,
  moneyFromDecimal,
  moneyToDecimal,
  PRICE_SCALE,
  type Price,
  profitAt,
} from '../../core/number/units.ts';
import { type Side, sideIndex } from '../../core/side.ts';
import type { OrderView, PositionView } from '../views/views.ts';

/** A matched bet. Its price has up to three decimals and need not be on the ladder. */
export interface Bet {
  /** Id of an outcome of the market. */
  readonly outcome: string;
  /** `For` backs it, `Against` lays it. */
  readonly side: Side;
  /** Decimal odds at which it was matched. */
  readonly price: number;
  /** Backer's stake, decimal currency. */
  readonly stake: number;
}

/** Throws a RangeError for a bet on an outcome that the market does not have. */
export function createFixedPosition(
  market: MarketState,
  bets: readonly Bet[],
  orders: readonly OrderView[] = [],
): PositionView {
  const shape: ExposureShape = { firstSlot: 0, outcomes: market.facts.outcomes.length, winners: market.winners };
  const columns = createExposureColumns(shape.outcomes);
  for (const bet of bets) {
    const stake = amount(bet.stake);
    addMatch(columns, cellOf(market, bet.outcome), sideIndex(bet.side), {
      stake,
      winnings: profitAt(stake, at(bet.price)),
    });
  }
  for (const order of orders) {
    const side = sideIndex(order.side);
    const risk = unmatchedRisk(side, amount(order.stakeUnmatched), at(order.price));
    addUnmatched(columns, cellOf(market, order.outcomeId), side, risk);
  }
  return viewOf({ market, bets, orders, columns, shape });
}

function viewOf(parts: {
  readonly market: MarketState;
  readonly bets: readonly Bet[];
  readonly orders: readonly OrderView[];
  readonly columns: ExposureColumns;
  readonly shape: ExposureShape;
}): PositionView {
  const { market, bets, orders, columns, shape } = parts;
  return {
    isFlat: bets.length === 0 && orders.length === 0,
    profitIfWins: (outcome) => moneyToDecimal(profitIfWins(columns, shape, cellOf(market, outcome))),
    worstLoss: moneyToDecimal(Math.max(0, possibleLoss(columns, shape)) as Money),
    matched(outcome, side) {
      const own = bets.filter((bet) => bet.outcome === outcome && bet.side === side);
      const stake = own.reduce((sum, bet) => sum + bet.stake, 0);
      const weighted = own.reduce((sum, bet) => sum + bet.stake * bet.price, 0);
      return { stake, averagePrice: stake === 0 ? undefined : weighted / stake };
    },
  };
}

function cellOf(market: MarketState, outcome: string): number {
  const cell = market.facts.outcomes.findIndex(({ id }) => id === outcome);
  if (cell < 0) throw new RangeError(`The market has no outcome '${outcome}'.`);
  return cell;
}

function amount(stake: number): Money {
  const money = moneyFromDecimal(stake);
  if (money === undefined) throw new RangeError(`${stake} is not a stake.`);
  return money;
}

function at(price: number): Price {
  return Math.round(price * PRICE_SCALE) as Price;
}
