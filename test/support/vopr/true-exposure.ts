/** What the bot could really lose, by the exchange's own orders and nothing else: the obvious way, result by result. */

import { priceOfTick } from '../../../src/core/number/ladder.ts';
import { PRICE_SCALE } from '../../../src/core/number/units.ts';
import type { Exchange } from '../../../src/matching/exchange.ts';
import type { OrderView } from '../../../src/matching/state/views.ts';

/** Fills are rounded down one by one: no figure of a market is off by more than this, in 10⁻⁶. */
export const DUST = 2_000;

/** An order with what it won and lost so far, per result of its outcome. */
export interface Held {
  readonly order: OrderView;
  /** Backer's profit of its trades. */
  readonly winnings: number;
  readonly matched: number;
}

export function held(machine: Exchange, id: number): Held | undefined {
  const order = machine.order(id);
  if (order === undefined) return undefined;
  let winnings = 0;
  let matched = 0;
  for (const { stake, price } of machine.tradesOfOrder(id)) {
    matched += stake;
    winnings += Math.floor((stake * (price - PRICE_SCALE)) / PRICE_SCALE);
  }
  return { order, winnings, matched };
}

/** W of some orders of one market: the worst result, where all that is unmatched and would lose has matched before. */
export function worstLoss(orders: readonly Held[], outcomes: number, winners: number): number {
  let worst = 0;
  for (const set of winnerSets(outcomes, winners)) {
    let profit = 0;
    let unmatched = 0;
    for (const { order, winnings, matched } of orders) {
      const won = (set & (1 << order.outcome)) !== 0;
      const isFor = order.side === 'For';
      const backers = won ? winnings : -matched;
      profit += isFor ? backers : -backers;
      if (order.stakeUnmatched > 0 && won !== isFor)
        unmatched += isFor
          ? order.stakeUnmatched
          : (order.stakeUnmatched * (priceOfTick(order.tick) - PRICE_SCALE)) / PRICE_SCALE;
    }
    worst = Math.max(worst, unmatched - profit);
  }
  return worst;
}

/** The loss of one order alone, if all of it matches at its limit. */
export function lossAlone(order: OrderView): number {
  return order.side === 'For' ? order.stake : (order.stake * (priceOfTick(order.tick) - PRICE_SCALE)) / PRICE_SCALE;
}

const sets = new Map<number, readonly number[]>();

/** As bit masks. */
function winnerSets(outcomes: number, winners: number): readonly number[] {
  const key = outcomes * 100 + winners;
  let known = sets.get(key);
  if (known === undefined) {
    known = Array.from({ length: 2 ** outcomes }, (_, set) => set).filter((set) => bits(set) === winners);
    sets.set(key, known);
  }
  return known;
}

function bits(set: number): number {
  let count = 0;
  for (let rest = set; rest > 0; rest >>= 1) count += rest & 1;
  return count;
}
