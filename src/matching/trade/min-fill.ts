/** Whether an order would match the least that it takes: the walk of a taker on paper, which consumes nothing. */

import { NO_TICK, priceOfTick, type Tick } from '../../core/number/ladder.ts';
import type { Money } from '../../core/number/units.ts';
import { crosses, isBetter, oppositeIndex } from '../../core/side.ts';
import { CrossWalk, TakenStake } from '../state/cross-walk.ts';
import type { Market } from '../state/market.ts';
import type { State } from '../state/state.ts';
import type { OrderTerms } from './cross-matcher.ts';

/** True for an order that names no least stake. */
export function reachesMinFill(state: State, market: Market, slot: number): boolean {
  const { orders } = state;
  const minFill = orders.minFillBySlot.get(slot);
  if (minFill === undefined) return true;
  const terms = {
    outcome: orders.outcome(slot),
    side: orders.side(slot),
    tick: orders.tick(slot),
    stake: orders.unmatched(slot) as Money,
  };
  return fillsAtLeast(state, market, terms, minFill);
}

/**
 * Takes the same levels as `Matcher.match`, in the same order. The two kinds of stake never touch the same level: direct stake rests on
 * the order's own outcome, synthetic stake on all others.
 */
function fillsAtLeast(state: State, market: Market, terms: OrderTerms, least: Money): boolean {
  const { outcome, side, tick: limit, stake } = terms;
  const resting = oppositeIndex(side);
  const synthetic = new SyntheticStake(state, market, terms);
  let left: number = stake;
  let best = market.liquidity.bestTick(outcome, resting);
  while (stake - left < least) {
    const direct = best !== NO_TICK && crosses(side, limit, best) ? best : NO_TICK;
    const crossed = synthetic.take(left as Money, direct);
    if (crossed === 0 && direct === NO_TICK) return false;
    if (crossed > 0) left -= crossed;
    else {
      left -= Math.min(left, market.liquidity.amountAt(outcome, resting, direct));
      best = market.liquidity.nextTick(outcome, resting, direct);
    }
  }
  return true;
}

/** What other outcomes would give to a taker, quote by quote. */
class SyntheticStake {
  readonly #walk: CrossWalk;
  readonly #taken = new TakenStake();
  readonly #market: Market;
  readonly #terms: OrderTerms;

  constructor(state: State, market: Market, terms: OrderTerms) {
    this.#walk = new CrossWalk(state.rules);
    this.#market = market;
    this.#terms = terms;
  }

  /** Takes the next quote where it is within the limit and better than the direct one; returns its stake, or 0. */
  take(left: Money, direct: number): number {
    const { outcome, side, tick } = this.#terms;
    const walk = this.#walk;
    if (!this.#market.crosses || !walk.start(this.#market, outcome, side, this.#taken) || !walk.find()) return 0;
    if (!crosses(side, priceOfTick(tick as Tick), walk.price)) return 0;
    if (direct !== NO_TICK && !isBetter(oppositeIndex(side), walk.price, priceOfTick(direct as Tick))) return 0;
    const stake = Math.min(left, walk.stake) as Money;
    if (!walk.fillsFor(stake)) return 0;
    this.#taken.take(walk);
    return stake;
  }
}
