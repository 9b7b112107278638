/** What the bot could really lose, by the exchange's own orders and nothing else: the obvious way, result by result. */

import type { WinnersRange } from '../../../src/core/market.ts';
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
  if (order.status === 'Voided') return { order, winnings: 0, matched: 0 };
  let winnings = 0;
  let matched = 0;
  for (const { stake, price } of machine.tradesOfOrder(id)) {
    matched += stake;
    winnings += Math.floor((stake * (price - PRICE_SCALE)) / PRICE_SCALE);
  }
  return { order, winnings, matched };
}

/** How a market may end. */
export interface Results {
  readonly outcomes: number;
  readonly winners: WinnersRange;
  /** Outcomes that cannot win. */
  readonly removed: readonly number[];
}

/** W of some orders of one market: the worst result, where all that is unmatched and would lose has matched before. */
export function worstLoss(orders: readonly Held[], { outcomes, winners, removed }: Results): number {
  let worst = 0;
  const lost = removed.reduce((set, outcome) => set | (1 << outcome), 0);
  for (const set of winnerSets(outcomes, winners, outcomes - removed.length)) {
    if ((set & lost) !== 0) continue;
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

/** As bit masks. `most`: so many can win at all. */
function winnerSets(outcomes: number, winners: WinnersRange, most: number): readonly number[] {
  const [min, max] = [Math.min(winners.min, most), Math.min(winners.max, most)];
  const key = outcomes * 10_000 + min * 100 + max;
  let known = sets.get(key);
  if (known === undefined) {
    const all = Array.from({ length: 2 ** outcomes }, (_, set) => set);
    known = all.filter((set) => bits(set) >= min && bits(set) <= max);
    sets.set(key, known);
  }
  return known;
}

function bits(set: number): number {
  let count = 0;
  for (let rest = set; rest > 0; rest >>= 1) count += rest & 1;
  return count;
}
